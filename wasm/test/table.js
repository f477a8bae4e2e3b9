// Prints what the package weighs and how fast it is, beside the native binary of UMIGAME_BINARY:
// node wasm/test/table.js [ROUNDS]

import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { hasChromium, launch, serve } from "./browser.js";
import { Engine, Position, benchHashMb, benchSearches, binary, native, signature } from "./support.js";

const rounds = Number(process.argv[2] ?? 5);
const searches = benchSearches();
const hashMb = benchHashMb();

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

/** The bench in a new engine: milliseconds to make it, of all searches (median of 3), memory in MB. */
async function bench({ Engine, Position }, { searches, hashMb }) {
  const begun = performance.now();
  const engine = await Engine.create({ hashMb });
  const start = performance.now() - begun;
  const times = [];
  let nodes;
  for (let run = 0; run < 3; run++) {
    nodes = 0;
    let time = 0;
    for (const { position, limits } of searches) {
      await engine.clear();
      const result = await engine.search(Position.fromText(position), limits);
      nodes += result.nodes;
      time += result.ms;
    }
    times.push(time);
  }
  const { memoryMb } = engine.info;
  engine.close();
  const [ms] = times.sort((a, b) => a - b).slice(1);
  return { start, nodes, ms, memoryMb };
}

function nativeBench() {
  const out = native("bench", "--runs", "3");
  const [, nodes] = /^signature (\d+)/m.exec(out);
  const [, seconds] = /([\d.]+) s\b/.exec(out);
  return { nodes: +nodes, ms: 1000 * seconds };
}

const runs = { native: [], node: [], Chromium: [] };
const server = hasChromium ? await serve() : null;
const browser = hasChromium ? await launch() : null;
for (let round = 0; round < rounds; round++) {
  if (binary) runs.native.push(nativeBench());
  runs.node.push(await bench({ Engine, Position }, { searches, hashMb }));
  if (!browser) continue;
  const page = await browser.newPage();
  await page.goto(`${server.address}/empty.html`);
  const source = `async (input) => (${bench})(await import("./umigame/index.js"), input)`;
  runs.Chromium.push(await page.evaluate(`(${source})(${JSON.stringify({ searches, hashMb })})`));
  await page.close();
}
await browser?.close();
server?.close();

console.log("file                    bytes       gzip");
const dist = new URL("../dist/", import.meta.url);
for (const name of readdirSync(dist).filter((name) => /\.(wasm|weights|js)$/.test(name))) {
  const bytes = readFileSync(new URL(name, dist));
  const columns = [bytes.length, gzipSync(bytes).length].map((size) => String(size).padStart(10));
  console.log(`${name.padEnd(18)} ${columns.join(" ")}`);
}
console.log(`\nbench, medians of ${rounds}     M nodes/s  of native  start ms  memory MB`);
const speed = ({ nodes, ms }) => nodes / ms / 1000;
const base = binary ? median(runs.native.map(speed)) : NaN;
for (const [name, results] of Object.entries(runs)) {
  if (results.length === 0) {
    console.log(`${name.padEnd(26)} SKIPPED: ${name === "native" ? "UMIGAME_BINARY is not set" : "not there"}`);
    continue;
  }
  const wrong = results.find(({ nodes }) => nodes !== signature());
  if (wrong) throw new Error(`${name}: signature ${wrong.nodes}, expected ${signature()}`);
  const own = median(results.map(speed));
  const start = results[0].start === undefined ? "" : median(results.map((run) => run.start)).toFixed(0);
  const memory = results[0].memoryMb?.toFixed(0) ?? "";
  console.log(
    `${name.padEnd(26)} ${own.toFixed(2).padStart(9)} ${(own / base).toFixed(2).padStart(10)}` +
      `${start.padStart(10)}${memory.padStart(11)}`,
  );
}
