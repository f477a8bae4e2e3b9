// Games against the engine: levels, beginnings, clocks, and whose turn it is. The page in Chromium.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, everywhere, onPage, options, shown, startBrowser, status, stub, until } from "./support.js";

startBrowser();

const valued = (page) => page.locator(".square.valued").count();
const moves = (page) => page.locator("#moves .move .square-name").allTextContents();

/** Begins a game as White, in which the engine moves first; `choose` fills in the dialog. */
async function beginAsWhite(page, choose) {
  await page.click("#play-game");
  await page.check("#play-dialog [value=white]");
  await choose();
  await page.click("#play-begin");
}

const begun = (page, count) =>
  page.waitForFunction((least) => document.querySelectorAll("#moves .move").length >= least, count);

test("against a level the engine moves in its turn only, and never beside another search", options, async () => {
  stub.state.most = 0;
  stub.state.log.length = 0;
  await onPage(browser, stub.address, async (page) => {
    await page.click("#play-game");
    await page.check("#play-dialog [value=white]");
    await page.selectOption("#play-level", "8");
    await page.click("#play-begin");
    // Black, the engine, begins.
    await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 1);
    for (let turn = 1; turn <= 5; turn++) {
      assert.equal(await valued(page), 0, "values are hidden");
      await page.locator(".square.legal").first().click();
      await page.waitForFunction((count) => document.querySelectorAll("#moves .move").length === count, 2 * turn + 1);
    }
    await page.waitForTimeout(200);
    assert.equal(await page.locator("#moves .move").count(), 11);
    assert.equal(stub.state.most, 1, "one search at a time");
    const plays = stub.state.log.filter(({ name }) => name === "play");
    // The opening is chosen among the best moves of a hint.
    assert.equal(plays.length, 1);
    assert.ok(plays.every(({ body }) => body.level === "8" && body.position.endsWith("X")));
    await page.keyboard.press("h");
    await page.waitForFunction(() => /^Hint: /.test(document.querySelector("#status").textContent));
    assert.equal(await valued(page), 1);
    await page.keyboard.press("u");
    assert.equal(await page.locator("#moves .move").count(), 9);
    await page.click("#play-resign");
    assert.match(await status(page), /White resigns\./);
    await until(async () => (await valued(page)) > 0);
  });
});

test("a square pressed in the engine's turn refuses", options, async () => {
  stub.state.moveMs = 1600;
  await onPage(browser, stub.address, async (page) => {
    await page.click("#play-game");
    await page.selectOption("#play-level", "novice");
    await page.click("#play-begin");
    await page.click("[data-square=f5]");
    const before = await shown(page);
    await page.click("[data-square=f6]");
    assert.equal(await status(page), "Wait: it is the engine's turn.");
    assert.equal(await shown(page), before);
    await page.click("#play-end");
  });
  stub.state.moveMs = 60;
  await until(() => stub.state.running === 0);
});

everywhere("a level with a name is chosen by what it is like, and plays a whole game", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await beginAsWhite(page, async () => {
      assert.equal(await page.inputValue("#play-level"), "beginner", "the first game is one to win");
      await page.selectOption("#play-level", "novice");
      assert.match(await page.textContent("#play-about"), /^takes a corner when it sees one.* rating \d+$/);
    });
    await begun(page, 1);
    assert.match(await page.textContent("#play-state"), /^You are White\. Opponent: Novice\./);
    const isOver = () => /You (win|lose)|Game over/.test(document.querySelector("#play-state").textContent);
    for (let turn = 0; !(await page.evaluate(isOver)); turn++) {
      await page.waitForSelector("#play-hint:enabled");
      const before = await shown(page);
      // The last legal square: a person who does not look.
      await page.locator(".square.legal").last().click();
      await page.waitForFunction(
        () => !document.querySelector("#play-resign:enabled") || document.querySelector("#play-hint:enabled"),
      );
      assert.notEqual(await shown(page), before);
      assert.ok(turn < 60);
    }
    assert.match(await page.textContent("#play-state"), /You (win|lose) by \d+|Game over: a draw/);
  });
});

everywhere("games against the engine vary", async ({ address }) => {
  const seen = new Set();
  for (const level of ["beginner", "8"]) {
    for (let game = 0; game < 5; game++) {
      await onPage(browser, address, async (page) => {
        await beginAsWhite(page, () => page.selectOption("#play-level", level));
        for (let turn = 0; turn < 3; turn++) {
          await begun(page, 2 * turn + 1);
          await page.waitForSelector("#play-hint:enabled");
          await page.locator(".square.legal").first().click();
        }
        await begun(page, 7);
        seen.add(`${level} ${(await moves(page)).join("")}`);
      });
    }
  }
  for (const level of ["beginner", "8"]) {
    const games = [...seen].filter((game) => game.startsWith(level));
    assert.ok(games.length >= 2, `five games of level ${level}: ${games}`);
  }
});

everywhere("a game begins with an opening by name, a random even position, or this one", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await beginAsWhite(page, async () => {
      await page.selectOption("#play-beginning", "opening");
      await page.fill("#play-opening", "No such opening");
    });
    assert.equal(await page.locator("#play-dialog[open]").count(), 1, "an unknown name keeps the dialog open");
    await page.fill("#play-opening", "Tiger");
    await page.click("#play-begin");
    // White, the person, is to move.
    await begun(page, 5);
    assert.deepEqual(await moves(page), ["f5", "d6", "c3", "d3", "c4"]);
    await page.click("#play-end");
    await beginAsWhite(page, () => page.selectOption("#play-beginning", "xot"));
    await begun(page, 9);
    const random = (await moves(page)).slice(0, 8).join("");
    await page.click("#play-end");
    await page.click("#first");
    await page.keyboard.press("ArrowRight");
    await beginAsWhite(page, () => page.selectOption("#play-beginning", "here"));
    await page.waitForSelector("#play-hint:enabled");
    assert.notEqual(random, "f5d6c3d3c4");
    assert.match(await shown(page), / O$/, "the game goes on from the position on the board");
  });
});

test("the clock of the side to move runs, and its end ends the game", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    // Only the test lets time pass.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(3_600_000);
    await page.click("#play-game");
    await page.selectOption("#play-level", "novice");
    await page.selectOption("#play-time", { label: "3 min, and 2 s a move" });
    await page.click("#play-begin");
    await page.clock.runFor(30_000);
    assert.equal(await page.textContent("#clock-black"), "2:30");
    assert.equal(await page.textContent("#clock-white"), "3:00");
    await page.click("[data-square=f5]");
    await until(async () => {
      await page.clock.runFor(200);
      return (await page.locator("#moves .move").count()) === 2;
    });
    assert.equal(await page.textContent("#clock-black"), "2:32", "two seconds for the move");
    const { body } = stub.state.log.findLast(({ name }) => name === "play");
    assert.ok(body.clock.remainingMs > 170_000 && body.clock.incrementMs === 2000, JSON.stringify(body.clock));
    await page.clock.runFor(160_000);
    assert.equal(await status(page), "Black's time is up.");
    assert.equal(await page.textContent("#clock-black"), "0:00.0");
    assert.equal(await page.isDisabled("#play-resign"), true);
    const before = await shown(page);
    await page.clock.runFor(5_000);
    assert.equal(await shown(page), before, "the engine plays no more");
  });
});
