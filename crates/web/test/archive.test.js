// The table of the games that met a position, before `umigame serve` with games.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { binary, browser, onPage, options, serveBinary, shown, startBrowser, stub, until } from "./support.js";

startBrowser();

const skip = binary === undefined ? "UMIGAME_BINARY names no binary" : options.skip;
const GAMES = [
  ["Anna", "Bo", "Paris", "2001", "6", "f5d6c3d3c4"],
  ["Cy", "Anna", "London", "2003", "0", "d3c5f6f5e6"],
  ["Bo", "Cy", "Paris", "1999", "-2", "f5f6e6f4"],
].map(([black, white, place, date, result, moves]) => {
  const played = moves.match(/../g).map((move, index) => `${"BW"[index % 2]}[${move.toUpperCase()}]`);
  const board = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
  return `(;GM[Othello]PC[${place}]DT[${date}]PB[${black}]PW[${white}]RE[${result}.00]TY[8]${board}${played.join("")};)\n`;
});

let folder;
let server;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "umigame-games-"));
  writeFileSync(join(folder, "games.ggf"), GAMES.join(""));
  server = await serveBinary("--games", folder);
});
after(() => {
  server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const rows = async (page) =>
  (await page.locator("#archive-rows button").allTextContents()).map((names) => names.replace(" \u2013 ", "-"));

test("the games of a position are listed, filtered, and opened as the board lies", { skip }, async () => {
  await onPage(browser, server.address, async (page) => {
    await until(async () => (await rows(page)).length === 3);
    assert.deepEqual(await rows(page), ["Cy-Anna", "Anna-Bo", "Bo-Cy"], "newest first");
    assert.equal(await page.locator("#archive-state").textContent(), "3 games. White won 1, drew 1, lost 1.");
    assert.match(await page.locator("#archive-rows tr").nth(1).textContent(), /^2001.*Paris35\u201329/);
    const moves = await page.locator("#archive-moves li").allTextContents();
    assert.deepEqual(moves.map((text) => text.slice(0, 2)).sort(), ["c3", "c5"]);
    await page.fill("#archive-player", "ANNA");
    await until(async () => (await rows(page)).length === 2);
    await page.fill("#archive-to", "2001");
    await until(async () => (await rows(page)).length === 1);
    await page.fill("#archive-event", "london");
    await until(async () => (await page.locator("#archive-state").textContent()) === "No game met this position.");
    assert.equal(await page.locator("#archive-table").isVisible(), false);
    for (const name of ["player", "to", "event"]) await page.fill(`#archive-${name}`, "");
    await until(async () => (await rows(page)).length === 3);
    const before = await shown(page);
    await page.click("[data-key=game-0]");
    await until(async () => (await page.locator("#moves .move").count()) === 5);
    assert.equal(await shown(page), before, "the board lies as it did");
    assert.equal(await page.locator("#status").textContent(), "Cy \u2013 Anna, London, 2003, 32\u201332");
    assert.equal(await page.inputValue("#place"), "1");
    await page.keyboard.press("ArrowRight");
    await until(async () => (await rows(page)).length === 2);
    await page.goBack();
    await until(async () => (await page.locator("#moves .move").count()) === 1);
    await page.click("#language");
    await until(async () => /^3局。白の1勝1分1敗。$/.test(await page.locator("#archive-state").textContent()));
  }, { hash: "#d3" });
});

test("without games there is no table", options, async () => {
  await onPage(browser, stub.address, async (page) => {
    await until(async () => stub.state.log.some(({ name }) => name === "levels"));
    await page.click("[data-square=f5]");
    assert.equal(await page.locator("#archive-card").isVisible(), false);
    assert.ok(stub.state.log.every(({ name }) => name !== "games"));
  });
});
