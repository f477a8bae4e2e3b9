// What the tests of the page share: a server, the page in Chromium, and games.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromiumPath, hasChromium, launch } from "../../../wasm/test/browser.js";
import { Game } from "../umigame/game.js";
import { Position } from "../umigame/position.js";
import { serveStub } from "./stub.js";

export { Game, Position };
/** The binary whose server is tested, besides the stub; undefined without it. */
export const binary = process.env.UMIGAME_BINARY;

/** The npm package that an exported page needs. */
const dist = fileURLToPath(new URL("../../../wasm/dist/", import.meta.url));
/** Why there is no exported page to test; undefined if there is one. */
export const noExport =
  binary === undefined ? "UMIGAME_BINARY names no binary"
  : existsSync(join(dist, "umigame.wasm")) ? undefined : "there is no wasm/dist: run wasm/build";

/** Starts `umigame serve` on a free port, with more arguments. */
export async function serveBinary(...more) {
  return serveBy(binary, ["serve", "--port", "0", "--threads", "1", ...more]);
}

/** Exports the page into a folder below `root`. */
export function exportPage(root, name = "board") {
  execFileSync(binary, ["serve", "--export", join(root, name), "--wasm", dist], { stdio: "ignore" });
}

/** Exports the page, and serves the folder above it by the plainest of file servers. */
export async function serveExport() {
  const root = mkdtempSync(join(tmpdir(), "umigame-page-"));
  exportPage(root);
  const server = await serveFiles(root);
  const close = () => {
    server.close();
    rmSync(root, { recursive: true });
  };
  return { root, address: `${server.address}/board`, close };
}

/** Serves a folder's files by Python's module, on a free port or the one given. */
export function serveFiles(root, port = 0) {
  const args = ["-u", "-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", root];
  return serveBy("python3", args);
}

/** Starts a server that prints its address. */
async function serveBy(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const address = await new Promise((resolve, reject) => {
    const look = (chunk) => {
      output += chunk;
      const [found] = /http:\/\/[\w.[\]:]+:\d+/.exec(output) ?? [];
      if (found !== undefined && output.includes("\n")) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("error", reject);
    child.on("exit", (status) => reject(new Error(`${program} ended with ${status}: ${output}`)));
  });
  return { address, pid: child.pid, close: () => child.kill() };
}

/** Options of tests in Chromium: skipped without it. */
export const options = { skip: hasChromium ? false : `there is no ${chromiumPath}` };

/** Options of tests that read of the server's process what Linux tells: skipped without one of them. */
export const onLinux = {
  skip:
    binary === undefined ? "UMIGAME_BINARY names no binary"
    : process.platform !== "linux" ? "memory and processor time are read from Linux" : options.skip,
};

/** Chromium, the stub, and where there is a binary `umigame serve` and the exported page, while tests run. */
export let browser;
export let stub;
export let real;
export let site;

/** Starts them before the tests of a file, and ends them after it. */
export function startBrowser() {
  before(async () => {
    if (!hasChromium) return;
    browser = await launch();
    stub = await serveStub();
    real = binary === undefined ? null : await serveBinary();
    site = noExport === undefined ? await serveExport() : null;
  });
  after(async () => {
    await browser?.close();
    stub?.close();
    real?.close();
    site?.close();
  });
}

/** Each test runs before the stub, and before both engines where they are there. */
export function everywhere(name, run) {
  test(`${name} (stub)`, options, (t) => run(stub, t));
  const missing = binary === undefined ? "UMIGAME_BINARY names no binary" : options.skip;
  test(`${name} (umigame serve)`, { skip: missing }, (t) => run(real, t));
  test(`${name} (exported page)`, { skip: noExport ?? options.skip }, (t) => run(site, t));
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
