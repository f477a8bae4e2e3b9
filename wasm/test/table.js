// Prints what the package weighs and how fast it is, beside the native binary of UMIGAME_BINARY:
// node wasm/test/table.js [ROUNDS]

import { spawnSync } from "node:child_process";
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

/** M nodes per second of processor time of the native binary: other work on the machine hardly matters. */
function nativeProcessorSpeed() {
  const time = 'TIMEFORMAT="%U %S"; time "$0" bench --runs 20 >/dev/null';
  const { stderr } = spawnSync("bash", ["-c", time, binary], { encoding: "utf8" });
  const [user, system] = stderr.trim().split(" ").map(Number);
  return (20 * signature()) / 1e6 / (user + system);
}

/** The same of the module in node, once it is compiled in full. */
async function nodeProcessorSpeed() {
  const engine = await Engine.create({ hashMb });
  let before;
  for (let run = 0; run < 14; run++) {
    if (run === 4) before = process.cpuUsage();
    for (const { position, limits } of searches) {
      await engine.clear();
      await engine.search(Position.fromText(position), limits);
    }
  }
  const { user, system } = process.cpuUsage(before);
  engine.close();
  return (10 * signature()) / (user + system);
}

const processor = { native: [], node: [] };
const runs = { native: [], node: [], Chromium: [] };
const server = hasChromium ? await serve() : null;
const browser = hasChromium ? await launch() : null;
for (let round = 0; round < rounds; round++) {
  if (binary) runs.native.push(nativeBench());
  if (binary) processor.native.push(nativeProcessorSpeed());
  processor.node.push(await nodeProcessorSpeed());
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
const speed = ({ nodes, ms }) => nodes / ms / 1000;
console.log(`\nbench, medians of ${rounds}; M nodes a second, of clock and of processor time`);
console.log("             clock  of native  processor  of native  start ms  memory MB");
const base = { clock: runs.native.map(speed), processor: processor.native };
for (const [name, results] of Object.entries(runs)) {
  if (results.length === 0) {
    const why = name === "native" ? "UMIGAME_BINARY is not set" : "there is no Chromium";
    console.log(`${name.padEnd(8)}   SKIPPED: ${why}`);
    continue;
  }
  const wrong = results.find(({ nodes }) => nodes !== signature());
  if (wrong) throw new Error(`${name}: signature ${wrong.nodes}, expected ${signature()}`);
  const speeds = { clock: results.map(speed), processor: processor[name] ?? [] };
  const columns = ["clock", "processor"].flatMap((kind) => {
    if (speeds[kind].length === 0) return ["", ""];
    const own = median(speeds[kind]);
    return [own.toFixed(2), base[kind].length ? (own / median(base[kind])).toFixed(2) : ""];
  });
  const start = results[0].start === undefined ? "" : median(results.map((run) => run.start)).toFixed(0);
  columns.push(start, results[0].memoryMb?.toFixed(0) ?? "");
  console.log(name.padEnd(8) + columns.map((text, i) => text.padStart(i === 4 ? 10 : i ? 11 : 10)).join(""));
}
