// The report of a judged game and the index of a folder, opened as files in Chromium, and a report
// behind `umigame serve`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Game, binary, browser, options, serveBinary, startBrowser, until } from "./support.js";

startBrowser();
const skip = options.skip || (binary === undefined && "UMIGAME_BINARY names no binary");
const require = createRequire(new URL("../../../wasm/test/package.json", import.meta.url));

// Random moves: most are mistakes.
const GAME = "e6f4g3d6e3f2c7d7c6b7b8g5g4g2e2f3g1f1c8f6h4e1g6d8c4b3";
const folder = mkdtempSync(join(tmpdir(), "umigame-report-"));
const url = (name) => pathToFileURL(join(folder, name)).href;

before(() => {
  if (skip) return;
  const run = (...args) => {
    const { status, stderr } = spawnSync(binary, ["analyze", ...args, "-q"], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
  run(GAME, "--level", "2", "--html", "one.html", "--all-moves");
  writeFileSync(join(folder, "games.txt"), `${GAME}\nf5d6c5f4e7f6g5e6e3\nf5d6c3d3c4\n`);
  run("games.txt", "--level", "2", "--html", "all");
});
after(() => rmSync(folder, { recursive: true }));

/** Opens a page; its console stays silent. */
async function onFile(address, use, context = {}) {
  const opened = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...context });
  const page = await opened.newPage();
  const messages = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.stack));
  await page.goto(address);
  try {
    return await use(page);
  } finally {
    await opened.close();
    assert.deepEqual(messages, []);
  }
}

const status = (page) => page.locator("#status").textContent();
const discs = (page) => page.locator("#board .disc.black, #board .disc.white").count();
const inSight = (page, selector) =>
  page.evaluate((selected) => {
    const { top, bottom } = document.querySelector(selected).getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
  }, selector);

test("a report opens from a file and steps through its game", { skip }, async () => {
  await onFile(url("one.html"), async (page) => {
    assert.equal(await discs(page), 4);
    const positions = Game.fromText(GAME).positions;
    for (let i = 1; i < 6; i++) {
      await page.keyboard.press("ArrowRight");
      const count = positions[i].discs;
      assert.equal(await discs(page), count.black + count.white);
      assert.match(await status(page), new RegExp(`^${i}\\. (Black|White) .*After it: `));
    }
    await page.click("#last");
    assert.equal(await discs(page), 4 + 26);
    await page.click("#first");
    assert.equal(await page.locator("#first").isDisabled(), true);
    await page.locator("#graph").click({ position: { x: 200, y: 60 } });
    assert.ok((await discs(page)) > 4);
  });
});

test("row, graph, board and caption show one score for a position", { skip }, async () => {
  await onFile(url("one.html"), async (page) => {
    for (const row of await page.locator("tr[data-n]").all()) {
      await row.click();
      const score = (await row.locator("td.n").first().textContent()).trim();
      const said = await status(page);
      assert.ok(said.includes(`After it: ${score} `), `${score}: ${said}`);
      const number = await row.getAttribute("data-n");
      assert.equal(await row.evaluate((element) => element.classList.contains("now")), true, number);
    }
    // The best value on the board is that of the position.
    await page.goto(`${url("one.html")}#12`);
    const best = await page.locator(".square.best .value b").first().textContent();
    const said = /After it: ([+\u2212]?[\d.]+)/.exec(await status(page))[1];
    const side = /(Black|White) to move/.exec(await status(page))[1];
    assert.equal(side === "Black" ? best : best.replace(/[+\u2212]/, (sign) => (sign === "+" ? "\u2212" : "+")), said);
  });
});

test("every legal move has its value, and none is better than the best", { skip }, async () => {
  await onFile(url("one.html"), async (page) => {
    const positions = Game.fromText(GAME).positions;
    for (const number of [0, 7, 16, 20]) {
      await page.goto(`${url("one.html")}#${number}`);
      const legal = positions[number].legalMoves().length;
      await until(async () => (await page.locator(".square.valued").count()) === legal);
    }
  });
});

test("rows, turning points and the next mistake lead to a board in sight", { skip }, async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 800 }]) {
    await onFile(url("one.html"), async (page) => {
      for (const selector of ["figure.turn", "tr[data-n]"]) {
        const places = await page.locator(selector).all();
        assert.ok(places.length > 0, selector);
        for (const place of [places[0], places.at(-1)]) {
          await place.scrollIntoViewIfNeeded();
          await place.locator("a").click();
          assert.equal(await inSight(page, "#board"), true, selector);
          const number = Number(await place.getAttribute("data-n"));
          assert.equal(await page.locator("#place").inputValue(), String(number));
        }
      }
      await page.keyboard.press("Home");
      await page.click("#mistake");
      assert.match(await status(page), /^Move \d+, (Black|White): [a-h][1-8] loses \d+\.\d; [a-h][1-8] was better\.$/);
      assert.equal(await page.locator(".square.played").count(), 1);
    }, { viewport });
  }
});

test("one's own moves make a variation, without values where no engine is", { skip }, async () => {
  await onFile(`${url("one.html")}#4`, async (page) => {
    const before = await page.locator("#variations li").count();
    await page.click("[data-square=a1]");
    assert.match(await status(page), /^a1 is illegal/);
    const other = Game.fromText(GAME).positions[4].legalMoves().find((move) => move !== GAME.slice(8, 10));
    await page.click(`[data-square=${other}]`);
    assert.equal(await page.locator("#variations li").count(), before + 1);
    assert.equal(await page.locator(".square.valued").count(), 0);
    assert.equal(await page.locator("tr.now").count(), 0);
    await page.click("#to-game");
    assert.equal(await page.locator("#place").inputValue(), "4");
    await page.click("#variations button");
    assert.equal(await page.locator("#to-game").isVisible(), true);
    await page.click("#to-game");
    await page.click("#last");
    assert.equal(await discs(page), 4 + 26);
  });
});

test("behind a server, the engine values every move, and those of variations", { skip }, async () => {
  const server = await serveBinary("--reports", join(folder, "all"));
  try {
    await onFile(`${server.address}/reports/index.html`, async (page) => {
      await page.locator(".games tbody a").first().click();
      await page.waitForSelector("html.js #board [aria-label]");
      const valued = () => page.locator(".square.valued").count();
      await until(async () => (await valued()) === 4);
      await page.click("[data-square=c4]");
      await until(async () => (await valued()) === 3);
      assert.equal(await page.locator("#variations li").count(), 1);
      await until(async () => /for Black: /.test(await status(page)));
    });
  } finally {
    server.close();
  }
});

test("the index sorts by any column, and its worst moves open the positions before them", { skip }, async () => {
  await onFile(url("all/index.html"), async (page) => {
    const numbers = () => page.locator(".games tbody tr td:first-child").allTextContents();
    assert.deepEqual(await numbers(), ["1", "2", "3"]);
    const column = (name) => page.locator(".games th button", { hasText: name }).first();
    await column("Lost a move").click();
    const losses = await page.locator(".games tbody tr td:nth-child(3)").allTextContents();
    assert.deepEqual(losses, losses.toSorted((a, b) => Number(a) - Number(b)));
    await column("No.").click();
    await column("No.").click();
    assert.deepEqual(await numbers(), ["3", "2", "1"]);
    assert.equal(await page.locator(".games th").first().getAttribute("aria-sort"), "descending");
    const worst = (await page.locator(".worst tbody td.lost").allTextContents()).map(Number);
    assert.ok(worst.length > 3);
    assert.deepEqual(worst, worst.toSorted((a, b) => b - a));
    const move = page.locator(".worst tbody tr").first().locator("a").first();
    const [, number] = /^(\d+)\./.exec(await move.textContent());
    await move.click();
    await page.waitForSelector("html.js #board [aria-label]");
    assert.equal(await page.locator("#place").inputValue(), String(number - 1));
  });
});

test("without scripts the tables and diagrams are there", { skip }, async () => {
  await onFile(url("one.html"), async (page) => {
    assert.equal(await page.locator("#board").isVisible(), false);
    assert.ok((await page.locator("figure.turn svg").count()) > 0);
    assert.equal(await page.locator("tr[data-n]").count(), 26);
  }, { javaScriptEnabled: false });
});

test("print leaves out what is for clicks", { skip }, async () => {
  await onFile(url("one.html"), async (page) => {
    await page.emulateMedia({ media: "print" });
    for (const [selector, shown] of [["#board", false], ["#graph svg", true], ["figure.turn", true], [".tables", true], ["#mistake", false]]) {
      assert.equal(await page.locator(selector).first().isVisible(), shown, selector);
    }
  });
});

for (const [name, context] of Object.entries({
  light: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 375, height: 700 } },
})) {
  test(`axe-core finds nothing in a report and an index: ${name}`, { skip }, async () => {
    const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    for (const file of ["one.html", "all/index.html"]) {
      await onFile(url(file), async (page) => {
        await page.evaluate(source);
        const faults = await page.evaluate(async () => {
          const rules = { "label-content-name-mismatch": { enabled: false } };
          const { violations } = await globalThis.axe.run(document, { rules });
          return violations.filter(({ impact }) => impact !== "minor").map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
        });
        assert.deepEqual(faults, [], file);
      }, context);
    }
  });
}
