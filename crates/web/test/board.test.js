// The page in Chromium, before the stub and before `umigame serve`: clicks, keys, and what is shown.

import assert from "node:assert/strict";
import {
  asShown, browser, everywhere, gameWithPass, onPage, positionsToShow, shown, startBrowser, status,
} from "./support.js";

startBrowser();

const game = gameWithPass();
const shownPositions = positionsToShow(game).map(asShown);
const moves = game.moves.filter((move) => move !== "pass");

everywhere("60 moves with a pass by clicks show the positions of the record", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    let passes = 0;
    for (const [index, move] of moves.entries()) {
      assert.equal(await shown(page), shownPositions[index]);
      await page.click(`[data-square=${move}]`);
      if (/passes/.test(await status(page))) passes++;
    }
    assert.equal(await shown(page), shownPositions[60]);
    assert.equal(passes, game.moves.length - 60, "passes are announced");
    assert.match(await status(page), /^(Black|White) \w\d\. Game over: /);
    // Back to the start, and forward again.
    await page.keyboard.press("Home");
    assert.equal(await shown(page), shownPositions[0]);
    for (let index = 1; index <= 60; index++) {
      await page.keyboard.press("ArrowRight");
      assert.equal(await shown(page), shownPositions[index]);
    }
  });
});

everywhere("the same game by keyboard alone", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    const names = [];
    await page.keyboard.press("b");
    const cursor = () => page.evaluate(() => document.activeElement.dataset.square);
    for (const [index, move] of moves.entries()) {
      for (let at = await cursor(); at !== move; at = await cursor()) {
        const key =
          at[0] < move[0] ? "ArrowRight" : at[0] > move[0] ? "ArrowLeft" : at[1] < move[1] ? "ArrowDown" : "ArrowUp";
        await page.keyboard.press(key);
      }
      names.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label")));
      await page.keyboard.press("Enter");
      assert.equal(await shown(page), shownPositions[index + 1]);
    }
    for (const [index, name] of names.entries()) {
      assert.match(name, new RegExp(`^${moves[index]}, legal move`), "a screen reader is told of the square");
    }
  });
});

everywhere("an illegal square refuses and says why", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    const start = await shown(page);
    await page.click("[data-square=a1]");
    assert.equal(await status(page), "a1 is illegal: Black would flip no disc there.");
    await page.click("[data-square=d4]");
    assert.equal(await status(page), "d4 is illegal: there is a disc on it.");
    assert.equal(await shown(page), start);
  });
});

everywhere("wheel, slider, buttons and keys step through the game", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await page.hover("#board");
    await page.mouse.wheel(0, -120);
    await page.waitForFunction(() => document.querySelector("#place").value === "59");
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => document.querySelector("#place").value === "60");
    await page.click("#first");
    assert.equal(await shown(page), shownPositions[0]);
    await page.click("#forward");
    await page.keyboard.press(".");
    await page.keyboard.press(",");
    assert.equal(await shown(page), shownPositions[1]);
    await page.locator("#place").fill("30");
    assert.equal(await shown(page), shownPositions[30]);
    await page.click("#back");
    assert.equal(await shown(page), shownPositions[29]);
    await page.keyboard.press("End");
    assert.equal(await shown(page), shownPositions[60]);
  }, { hash: `#${moves.join("")}` });
});

everywhere("the address holds the game and its place, and a damaged one is said to be so", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    assert.equal(await shown(page), shownPositions[7]);
    const kept = new URL(page.url()).hash;
    assert.equal(kept, `#${moves.join("")}@7`);
    await page.reload();
    await page.waitForSelector("[data-square=a1][aria-label]");
    assert.equal(await shown(page), shownPositions[7]);
  }, { hash: `#${moves.join("")}@7` });
  await onPage(browser, address, async (page) => {
    assert.match(await status(page), /^The link is damaged: .*`z9`/);
    assert.equal(await shown(page), shownPositions[0]);
  }, { hash: "#f5z9" });
});

everywhere("a position of one's own is in the address, too", async ({ address }) => {
  const board = shownPositions[20].replace(" ", "");
  await onPage(browser, address, async (page) => {
    assert.equal(await shown(page), shownPositions[20]);
    await page.click(`[data-square=${moves[20]}]`);
    assert.equal(new URL(page.url()).hash, `#board=${board};${moves[20]}`);
    await page.reload();
    await page.waitForSelector("[data-square=a1][aria-label]");
    assert.equal(await shown(page), shownPositions[21]);
  }, { hash: `#board=${board};` });
});

everywhere("variations are a tree", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    for (const move of ["f5", "d6", "c3"]) await page.click(`[data-square=${move}]`);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.click("[data-square=f4]");
    assert.equal(await page.locator("#moves .variation").textContent(), "2 f4");
    await page.click("#promote");
    assert.equal(await page.locator("#moves .variation").textContent(), "2 d6c3");
    await page.reload();
    await page.waitForSelector("[data-square=a1][aria-label]");
    assert.equal(await page.locator("#moves .move").count(), 2, "the address has one line");
  });
});

everywhere("a position is set up by hand", async ({ address }) => {
  await onPage(browser, address, async (page) => {
    await page.click("[data-square=f5]");
    await page.click("#edit");
    await page.click("#edit-clear");
    await page.check("#edit-black");
    await page.click("[data-square=c1]");
    for (let clicks = 0; clicks < 2; clicks++) await page.click("[data-square=b1]");
    await page.click("#edit-done");
    assert.equal(await shown(page), `-OX${"-".repeat(61)} X`);
    await page.click("[data-square=a1]");
    assert.match(await status(page), /^Black a1\. Game over: Black wins by 64\.$/);
    await page.goBack();
    await page.waitForFunction(() => /black disc/i.test(document.querySelector("[data-square=f5]").getAttribute("aria-label")));
  });
});
