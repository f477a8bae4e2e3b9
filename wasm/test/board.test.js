// <umigame-board> on pages of others, in Chromium.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromiumPath, hasChromium, launch, serve } from "./browser.js";

const options = { skip: hasChromium ? false : `there is no ${chromiumPath}` };
let browser;
let server;
before(async () => {
  if (!hasChromium) return;
  browser = await launch();
  server = await serve();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page whose console must stay silent. */
async function onPage(path, use) {
  const page = await browser.newPage({ viewport: { width: 600, height: 700 } });
  const messages = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto(`${server.address}/${path}`);
  await use(page);
  await page.close();
  assert.deepEqual(messages, []);
}

/** Puts a board into an empty page. */
const putBoard = (page, attributes) =>
  page.evaluate(async (attributes) => {
    await import("./umigame/board.js");
    document.body.innerHTML = `<umigame-board ${attributes}></umigame-board>`;
  }, attributes);

test("the board of the README works as it stands", options, async () => {
  await onPage("board.html", async (page) => {
    await page.waitForFunction(() => /^[a-h][1-8] /.test(document.querySelector("#best").textContent), null, { timeout: 60_000 });
    await page.waitForFunction(() => document.querySelectorAll(".square.valued").length > 3);
    const square = page.locator("[data-square=d3]");
    assert.equal((await square.boundingBox()).width > 30, true, "its style sheet is there");
    await page.click(".square.valued.best");
    await page.waitForFunction(() => document.title.startsWith("f5d6c3") && document.title.length === 8);
  });
});

test("it is played by keyboard, names its squares, and tells of moves", options, async () => {
  await onPage("empty.html", async (page) => {
    await putBoard(page, 'label="My board"');
    await page.evaluate(() => {
      globalThis.heard = [];
      document.addEventListener("move", ({ detail }) => heard.push(detail.move));
    });
    assert.equal(await page.locator("[role=grid]").getAttribute("aria-label"), "My board");
    await page.keyboard.press("Tab");
    const active = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.equal(await active(), "f5, legal move");
    await page.keyboard.press("Enter");
    assert.equal(await active(), "f5, black disc, last move");
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(), "f6, legal move");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("umigame-board [role=status]").textContent(), /^f6 is illegal\. Black to move/);
    assert.deepEqual(await page.evaluate(() => heard), ["f5", "f6"]);
    const undone = await page.evaluate(() => {
      const board = document.querySelector("umigame-board");
      return [board.undo(), board.game.toString()];
    });
    assert.deepEqual(undone, ["f6", "f5"]);
  });
});

test("orientation turns it, values are shown, and what is damaged is refused", options, async () => {
  await onPage("empty.html", async (page) => {
    await putBoard(page, 'orientation="white"');
    const place = async (square) => (await page.locator(`[data-square=${square}]`).boundingBox()).y;
    assert.ok((await place("a1")) > (await place("a8")), "a1 is below");
    const found = await page.evaluate(async () => {
      const board = document.querySelector("umigame-board");
      board.game = "f5";
      board.values = [{ move: "d6", eval: 1.25, std_dev: 2, moves: ["d6"], label: "12@73%" }, { move: "f4", eval: -3, std_dev: 0, moves: ["f4"] }];
      const errors = [];
      for (const [name, value] of [["game", "f5z9"], ["position", "X"], ["game", 7]]) {
        try {
          board[name] = value;
        } catch (error) {
          errors.push(`${error.name}: ${error.message}`);
        }
      }
      const label = (square) => board.querySelector(`[data-square=${square}]`).getAttribute("aria-label");
      return { errors, labels: [label("d6"), label("f4")], game: board.game.toString() };
    });
    assert.deepEqual(found.labels, ["d6, legal move, value +1.3, \u00b12.0, best move", "f4, legal move, value \u22123, exact"]);
    assert.equal(found.errors.length, 3, found.errors.join("; "));
    assert.equal(found.game, "f5", "the game on it stays");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "f6");
  });
});
