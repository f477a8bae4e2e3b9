// From a click to the first values of all moves at depth 10 or more, in the page of `umigame serve`, and
// how soon the server is idle after the engine is turned off and after the page is closed:
// UMIGAME_BINARY=... node --test crates/web/test/latency.js

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { browser, onLinux, onPage, real, startBrowser } from "./support.js";

startBrowser();

const CLICKS = 40;
const DEPTH = 10;
const MAX_MEDIAN_MS = 100;
/** When the server must be idle, and for how long it is watched then, in milliseconds. */
const IDLE_AFTER = 200;
const WATCHED = 600;
/** Ticks of 10 ms of processor time that it may use while it is watched: its timers run on. */
const MAX_TICKS = 1;

/** Clicks a random legal square; returns the milliseconds until every legal move has a value so deep. */
const click = (page) =>
  page.evaluate(async (depth) => {
    const legal = [...document.querySelectorAll(".square.legal")];
    if (legal.length === 0) {
      document.querySelector("#new-game").click();
      return null;
    }
    const begun = performance.now();
    legal[Math.floor(legal.length * Math.random())].click();
    const isValued = (square) => {
      const label = square.getAttribute("aria-label");
      return /, (exact|end)/.test(label) || Number(/depth (\d+)/.exec(label)?.[1] ?? 0) >= depth;
    };
    for (;;) {
      const squares = [...document.querySelectorAll(".square.legal")];
      if (squares.length === 0) return null;
      if (squares.every(isValued)) return performance.now() - begun;
      if (performance.now() - begun > 10_000) throw new Error(squares.map((it) => it.getAttribute("aria-label")).join("; "));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }, DEPTH);

/** Processor time of the server so far, in ticks of 10 ms. */
function ticks() {
  const fields = readFileSync(`/proc/${real.pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ticksWhenIdle() {
  await wait(IDLE_AFTER);
  const before = ticks();
  await wait(WATCHED);
  return ticks() - before;
}

/** Has the engine search on without an end. */
async function goOn(page) {
  await page.waitForSelector("#deeper:not([disabled])");
  await page.click("#deeper");
  const before = ticks();
  await wait(300);
  assert.ok(ticks() - before >= 5, "the engine searches");
}

test("values of all moves come soon after a click", onLinux, async (t) => {
  const times = [];
  await onPage(browser, real.address, async (page) => {
    while (times.length < CLICKS) {
      const time = await click(page);
      if (time !== null) times.push(time);
    }
  });
  times.sort((a, b) => a - b);
  const [median, tenth, worst] = [0.5, 0.9, 1].map((part) => times[Math.ceil(part * CLICKS) - 1].toFixed(0));
  t.diagnostic(`depth ${DEPTH} of all moves: median ${median} ms, nine of ten within ${tenth} ms, longest ${worst} ms`);
  assert.ok(Number(median) <= MAX_MEDIAN_MS, `median ${median} ms`);
});

test("the server is idle once the engine is turned off", onLinux, async (t) => {
  await onPage(browser, real.address, async (page) => {
    await goOn(page);
    await page.keyboard.press("e");
    const used = await ticksWhenIdle();
    t.diagnostic(`${10 * used} ms of processor time in ${WATCHED} ms, ${IDLE_AFTER} ms after`);
    assert.ok(used <= MAX_TICKS, `${used} ticks`);
  });
});

test("the server is idle once the page is closed", onLinux, async (t) => {
  await onPage(browser, real.address, goOn);
  const used = await ticksWhenIdle();
  t.diagnostic(`${10 * used} ms of processor time in ${WATCHED} ms, ${IDLE_AFTER} ms after`);
  assert.ok(used <= MAX_TICKS, `${used} ticks`);
});
