// Values, searches one at a time, pasting, languages and pictures: the page in Chromium.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { browser, everywhere, onPage, options, shown, startBrowser, status, stub, until } from "./support.js";

startBrowser();

const START = "---------------------------OX------XO---------------------------";
const valued = (page) => page.locator(".square.valued").count();

everywhere("every legal move gets a value, its deviation and depth, and the depth only grows", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await until(async () => (await valued(page)) === 3);
    const depths = [];
    for (let i = 0; i < 20; i++) {
      const label = await page.locator("[data-square=d6]").getAttribute("aria-label");
      depths.push(Number(/depth (\d+)/.exec(label)?.[1] ?? 99));
      assert.match(label, /^d6, legal move, value [+\u2212]?\d+(\.\d)?, /);
      await page.waitForTimeout(15);
    }
    assert.deepEqual(depths, depths.toSorted((a, b) => a - b));
    assert.equal(await page.locator(".square.best").count() >= 1, true);
    assert.match(await page.locator("#wdl p").textContent(), /^For White: win \d+, draw \d+, loss \d+/);
  }, { hash: "#f5" });
});

test("what an exact value would still cost is said, and shown where the pointer rests", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    const state = () => page.locator("#engine-state").textContent();
    await until(async () => (await state()) === "depth 20@73%, exact in about 3 s");
    const square = page.locator("[data-square=d6]");
    assert.equal(await square.getAttribute("title"), "exact in about 3 s");
    assert.match(await square.getAttribute("aria-label"), /depth 20@73%, exact in about 3 s/);
  }, { hash: "#f5" });
});

test("the engine is a switch: off, no search runs", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    await until(async () => (await valued(page)) === 4);
    await page.keyboard.press("e");
    assert.equal(await valued(page), 0);
    await until(() => stub.state.running === 0);
    await page.click("[data-square=f5]");
    await page.waitForTimeout(100);
    assert.equal(stub.state.running, 0);
    await page.keyboard.press("e");
    await until(async () => (await valued(page)) === 3);
  });
  await until(() => stub.state.running === 0);
});

test("values are remembered, and improve the moves before", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    await page.waitForFunction(() => /^depth 20/.test(document.querySelector("#engine-state").textContent));
    const asked = stub.state.log.length;
    await page.click("[data-square=f5]");
    await page.waitForFunction(() => /^depth 20/.test(document.querySelector("#engine-state").textContent));
    await page.keyboard.press("ArrowLeft");
    assert.equal(await valued(page), 4, "they are there at once");
    assert.ok(stub.state.log.length > asked);
    assert.ok(stub.state.log.every(({ name, token }) => name === "levels" || token === stub.token));
  });
});

test("pointing at a move plays out its line, and the game stays as it is", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    await until(async () => (await valued(page)) === 4);
    await page.hover("[data-square=f5]");
    await page.waitForSelector("#board.preview");
    assert.equal(await page.locator("[data-square=f5] .disc").textContent(), "1");
    assert.equal((await shown(page)).slice(0, 64), START, "a screen reader is told of the game");
    // The end of the search leaves it.
    await page.waitForFunction(() => /^depth 20@73%, exact/.test(document.querySelector("#engine-state").textContent));
    assert.equal(await page.locator("#board.preview").count(), 1);
    await page.hover("h1");
    await page.waitForSelector("#board:not(.preview)");
    assert.equal(new URL(page.url()).hash, "");
  });
});

everywhere("a game is pasted; a damaged one is refused with its place, and nothing is lost", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    const paste = async (text) => {
      if (!(await page.locator("#paste-dialog").evaluate((dialog) => dialog.open))) await page.click("#paste");
      await page.fill("#paste-text", text);
      await page.click("#paste-open");
    };
    await paste("f5 d6\nc3 d3");
    await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 4);
    const before = await shown(page);
    await paste("f5d6\nc3z9");
    await page.waitForFunction(() => document.querySelector("#paste-fault").textContent !== "");
    assert.match(await page.locator("#paste-fault").textContent(), /^Line 2, column 3: .*z9/);
    assert.equal(await page.inputValue("#paste-text"), "f5d6\nc3z9");
    assert.equal(await shown(page), before);
    await paste("https://example.org/umigame/#f5f6");
    await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["f5d6c3"], "game.txt", { type: "text/plain" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 3);
  }, { allowed: /status of 400/ });
});

test("the analysis fills graph and losses, and the key m goes to the next mistake", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    await page.click("#analyze");
    await page.waitForFunction(() => document.querySelectorAll("#graph .loss").length > 0);
    assert.match(await page.locator("#losses").textContent(), /Black: \d+\.\d discs lost, \d+ \?!, \d+ \?, \d+ \?\?/);
    await page.keyboard.press("Home");
    await page.keyboard.press("m");
    const text = await status(page);
    const [, number, move] = /^Move (\d+), \w+: (\w\d) loses \d+\.\d; \w\d was better\.$/.exec(text) ?? [];
    assert.ok(number, text);
    assert.equal(await page.inputValue("#place"), String(number - 1), "the position before it");
    assert.equal(await page.locator(`[data-square=${move}].played`).count(), 1);
  }, { hash: "#f5d6c3d3c4f4c5b3c2e3d2c6b4a3" });
});

everywhere("layers come from the engine", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await page.check("[data-layer=frontier]");
    await page.check("[data-layer=openness]");
    await page.waitForFunction(() => /frontier/.test(document.querySelector("[data-square=e5]").getAttribute("aria-label")));
    assert.match(await page.locator("[data-square=d3]").getAttribute("aria-label"), /openness \d+/);
  });
});

everywhere("openings are named in the language shown, and the page speaks Japanese", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await page.waitForFunction(() => document.querySelector("#opening").textContent === "縦取り");
    assert.equal(await page.locator("#paste").textContent(), "貼り付け");
    assert.match(await page.locator("[data-square=f5]").getAttribute("aria-label"), /^f5、黒石/);
    await page.click("#language");
    await page.waitForFunction(() => document.querySelector("#opening").textContent === "Perpendicular");
    assert.equal(await page.getAttribute("html", "lang"), "en");
    await page.reload();
    await page.waitForFunction(() => document.querySelector("#paste").textContent === "Paste");
  }, { hash: "#f5d6", locale: "ja-JP" });
});

test("games are kept in the browser, shared as text and saved as pictures", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    await page.click("#games");
    await page.fill("#games-name", "mine");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#games-state").textContent(), "Saved as mine.");
    await page.click("#games-dialog [data-close]");
    await page.click("#new-game");
    assert.equal((await shown(page)).slice(0, 64), START);
    await page.click("#games");
    await page.click("#games-list button.link");
    await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 3);
    await page.click("#share");
    assert.equal(await page.inputValue("#share-transcript"), "f5d6c3");
    assert.match(await page.inputValue("#share-link"), /#f5d6c3/);
  }, { hash: "#f5d6c3" });
});

everywhere("the board with its values is saved as a picture", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await until(async () => (await valued(page)) > 0);
    await page.click("#share");
    const saved = async (id) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#${id}`)]);
      return readFileSync(await download.path());
    };
    const svg = (await saved("save-svg")).toString();
    assert.match(svg, /^<svg [^>]*width="568"/);
    if (address !== stub.address) {
      // Seven discs, and a value with its deviation on each legal square.
      assert.ok((svg.match(/<circle/g) ?? []).length >= 7, svg);
      assert.match(svg, /(&#177;|\u00b1)\d\.\d/);
    }
    assert.ok((await saved("save-png")).toString("latin1").startsWith("\x89PNG"));
  }, { hash: "#f5d6c3" });
});

test("without an engine the board still plays, and says so", options, async () => {
  const { serveStub } = await import("./stub.js");
  const gone = await serveStub();
  await onPage(browser, gone.address, async (page) => {
    await page.waitForSelector(".square.valued");
    gone.close();
    await page.click("[data-square=f5]");
    await page.waitForFunction(() => /does not answer/.test(document.querySelector("#engine-state").textContent));
    await page.click("[data-square=d6]");
    assert.equal(await page.locator("#moves .move").count(), 2);
  }, { allowed: /ERR_/ });
});
