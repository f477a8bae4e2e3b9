// Seconds from the address of the exported page to the first value on its board, and to the full
// engine, at 10 Mbit/s and 40 ms, the page's thread four times slower: with small weights first, and with
// the full ones first. Prints a line for each round: node crates/web/test/first_value.js [ROUNDS]

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../../../wasm/test/browser.js";
import { noExport, serveExport } from "./support.js";

const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const SLOWER = 4;

if (noExport !== undefined) throw new Error(noExport);

/** Slows the page down. Chromium leaves its workers, which search, at their speed. */
async function slowDown(session) {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
}

async function measured(address) {
  const browser = await launch();
  const page = await browser.newPage();
  await slowDown(await page.context().newCDPSession(page));
  const begun = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  const options = { timeout: 120_000, polling: 50 };
  await page.waitForFunction(() => document.querySelector("[data-square=a1][aria-label]"), null, options);
  const board = seconds();
  await page.waitForFunction(() => document.querySelector(".square.valued"), null, options);
  const first = seconds();
  await page.waitForFunction(() => document.querySelector("#loading").hidden, null, options);
  const full = seconds();
  await browser.close();
  return `board ${board} s, first value ${first} s, full engine ${full} s`;
}

const site = await serveExport();
for (const order of ["small weights first", "full weights first"]) {
  if (order === "full weights first") {
    const folder = join(site.root, "board", "umigame");
    copyFileSync(join(folder, "umigame.weights"), join(folder, "small.weights"));
  }
  for (let round = 0; round < Number(process.argv[2] ?? 3); round++) {
    console.log(`${order}: ${await measured(`${site.address}/`)}`);
  }
}
site.close();
