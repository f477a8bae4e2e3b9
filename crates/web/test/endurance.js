// 3,000 positions in a row: the page and the server do not grow, and the console stays silent. Some minutes:
// UMIGAME_BINARY=... node --test crates/web/test/endurance.js

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { browser, onLinux, onPage, real, startBrowser } from "./support.js";

startBrowser();

const POSITIONS = 3000;
/** The values of every tenth position are awaited; the others are left while their search runs. */
const AWAITED = 10;
/** Positions before the first measurement: caches are full then. */
const WARM_UP = 1000;
const MAX_GROWTH_MB = { page: 4, server: 8 };

/** Plays random legal moves through `count` positions; a game that is over is followed by a new one. */
const play = (page, count) =>
  page.evaluate(async ({ count, awaited }) => {
    const valued = () => document.querySelector(".square.valued");
    const until = async (condition) => {
      for (let waited = 0; !condition(); waited += 1) {
        if (waited > 2_000) throw new Error(`${condition} at ${location.hash}: ${document.querySelector("#engine-state").textContent}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    for (let shown = 0; shown < count; ) {
      const legal = [...document.querySelectorAll(".square.legal")];
      if (legal.length === 0) {
        document.querySelector("#new-game").click();
        await until(() => document.querySelectorAll(".square.legal").length === 4);
      } else {
        legal[Math.floor(legal.length * Math.random())].click();
      }
      shown += 1;
      const isOver = () => document.querySelector(".square.legal") === null;
      if (shown % awaited === 0) await until(() => valued() !== null || isOver());
      else await new Promise((resolve) => setTimeout(resolve));
    }
  }, { count, awaited: AWAITED });

const memoryOfServer = () => {
  const [, size] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${real.pid}/status`, "utf8"));
  return Number(size) / 1000;
};

async function memoryOfPage(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

test("3,000 positions leave page and server as large as they were", onLinux, async (t) => {
  await onPage(browser, real.address, async (page) => {
    const session = await page.context().newCDPSession(page);
    await play(page, WARM_UP);
    const before = { page: await memoryOfPage(session), server: memoryOfServer() };
    await play(page, POSITIONS - WARM_UP);
    const after = { page: await memoryOfPage(session), server: memoryOfServer() };
    for (const [name, most] of Object.entries(MAX_GROWTH_MB)) {
      const text = `${name}: ${before[name].toFixed(1)} MB after ${WARM_UP} positions, ${after[name].toFixed(1)} MB after ${POSITIONS}`;
      t.diagnostic(text);
      assert.ok(after[name] - before[name] < most, text);
    }
  });
});
