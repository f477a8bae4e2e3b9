// What the tests of the page share: a server, the page in Chromium, and games.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before } from "node:test";
import { chromiumPath, hasChromium, launch } from "../../../wasm/test/browser.js";
import { Game } from "../umigame/game.js";
import { Position } from "../umigame/position.js";
import { serveStub } from "./stub.js";

export { Game, Position };
/** The binary whose server is tested, besides the stub; undefined without it. */
export const binary = process.env.UMIGAME_BINARY;

/** Starts `umigame serve` on a free port, with more arguments. */
export async function serveBinary(...more) {
  const child = spawn(binary, ["serve", "--port", "0", "--threads", "1", ...more], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const address = await new Promise((resolve, reject) => {
    const look = (chunk) => {
      output += chunk;
      const [found] = /http:\/\/[\w.[\]:]+:\d+/.exec(output) ?? [];
      if (found !== undefined && output.includes("\n")) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", (status) => reject(new Error(`umigame serve ended with ${status}: ${output}`)));
  });
  return { address, close: () => child.kill() };
}

/** Options of tests in Chromium: skipped without it. */
export const options = { skip: hasChromium ? false : `there is no ${chromiumPath}` };

/** Chromium, the stub, and `umigame serve` where there is a binary, while tests run. */
export let browser;
export let stub;
export let real;

/** Starts them before the tests of a file, and ends them after it. */
export function startBrowser() {
  before(async () => {
    if (!hasChromium) return;
    browser = await launch();
    stub = await serveStub();
    real = binary === undefined ? null : await serveBinary();
  });
  after(async () => {
    await browser?.close();
    stub?.close();
    real?.close();
  });
}

/**
 * Opens the page, hands it to `use`, and checks that its console stayed silent but for what `allowed`
 * names.
 */
export async function onPage(chromium, address, use, { hash = "", allowed = null, ...options } = {}) {
  const context = await chromium.newContext({ locale: "en-US", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const messages = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.stack));
  await page.goto(`${address}/${hash}`);
  await page.waitForSelector("[data-square=a1][aria-label]");
  try {
    return await use(page);
  } finally {
    await context.close();
    assert.deepEqual(messages.filter((text) => !allowed?.test(text)), []);
  }
}

/** The 64 squares that a screen reader is told of, and the side to move. */
export async function shown(page) {
  return page.evaluate(() => {
    const letters = [...document.querySelectorAll("[data-square]")].map((button) => {
      const label = button.getAttribute("aria-label");
      return /black disc/i.test(label) ? "X" : /white disc/i.test(label) ? "O" : "-";
    });
    const side = document.querySelector("#discs-black.turn") ? " X" : document.querySelector("#discs-white.turn") ? " O" : "";
    return letters.join("") + side;
  });
}

export const status = (page) => page.locator("#status").textContent();

/** A game of 60 moves with a pass, of random moves. */
export function gameWithPass() {
  for (let seed = 1; ; seed++) {
    let state = seed;
    const game = new Game();
    while (!game.position.isOver) {
      state = (state * 48271) % 2147483647;
      const moves = game.position.legalMoves();
      game.play(moves[state % moves.length]);
    }
    const passes = game.moves.filter((move) => move === "pass").length;
    if (passes > 0 && game.moves.length - passes === 60) return game;
  }
}

/** The positions in which a side may move, and the end: those that the page shows. */
export function positionsToShow(game) {
  return game.positions.filter((position) => !position.mustPass);
}

/** A position as {@link shown} writes it: without a side where the game is over. */
export function asShown(position) {
  return position.isOver ? position.text.slice(0, 64) : position.text;
}

/** Waits until `condition` holds, for 10 seconds at most. */
export async function until(condition) {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`it did not become true: ${condition}`);
}
