// What the tests share: the engine of wasm/dist, the fixed searches of the crates, the native binary.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export * from "../dist/index.js";

const root = new URL("../../", import.meta.url);

/** Returns a file of the repository. */
export function repositoryFile(path) {
  return readFileSync(new URL(path, root), "utf8");
}

/** The searches of `umigame bench`: positions and limits, from the file that has them. */
export function benchSearches() {
  const rows = repositoryFile("src/bench/signature.txt").trim().split("\n");
  return rows.map((row) => {
    const [squares, side, plies] = row.split(" ");
    const depth = Number(plies);
    const empties = squares.split("-").length - 1;
    const confidence = depth >= empties ? 100 : 73;
    return { position: `${squares} ${side}`, limits: { depth, confidence, exactFrom: depth } };
  });
}

/** The MB of the table in those searches. */
export function benchHashMb() {
  const source = repositoryFile("src/bench/signature.rs");
  return Number(/hash: Megabytes\((\d+)\)/.exec(source)[1]);
}

/** The signature that the repository holds. */
export function signature() {
  return Number(repositoryFile("bench.signature"));
}

/** The FFO endings of these numbers, with their scores. */
export function ffoEndings(from, to) {
  const source = repositoryFile("src/bench/ffo-40-59.obf");
  const rows = [...source.matchAll(/^([-XO]{64} [XO]); ([+-]\d+);/gm)];
  return rows
    .map(([, position, score], index) => ({ number: 40 + index, position, score: +score }))
    .filter(({ number }) => number >= from && number <= to);
}

/** The native binary that UMIGAME_BINARY names; undefined without it. */
export const binary = process.env.UMIGAME_BINARY;

/** Whether tests assert how long something takes: a busy machine may be late. */
export const assertsTimes = !process.env.UMIGAME_NO_TIMES;

/** Returns what the native binary prints. */
export function native(...args) {
  return execFileSync(binary, args, { encoding: "utf8", maxBuffer: 1 << 26 });
}

/** Random numbers below 1 that are the same in every run. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Resolves after so many milliseconds. */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Fails unless `round`, which returns its longest wait in milliseconds, stays below 50 once in three
 * times: a loaded machine may make any process wait.
 */
export async function inOneOfThreeRounds(round) {
  if (!assertsTimes) {
    await round();
    console.log("SKIPPED the bound of 50 ms: UMIGAME_NO_TIMES is set");
    return;
  }
  const longest = [];
  while (longest.length < 3) {
    longest.push(await round());
    if (longest.at(-1) < 50) return;
  }
  throw new Error(`longest waits of three rounds: ${longest.join(", ")} ms`);
}
