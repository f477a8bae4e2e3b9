// The engine as pages see it: arguments checked, requests made, results handed out.

import { Client } from "./client.js";
import { Game } from "./game.js";
import { checkedLimits, checkedPlay, requireFunction, requireKeys, requireWhole } from "./limits.js";
import { UmigameError, isNode, loadBytes, loadModule, requireSimd } from "./load.js";
import { Position, quote } from "./position.js";

export { UmigameError };

/** The largest table: one allocation of a module ends at 2 GB. */
const MAX_HASH_MB = 2000;
const DEFAULT_HASH_MB = 16;
/** Moves of `hints` unless its limits say otherwise. */
const DEFAULT_HINTS = 4;
/** Deepest perft: it cannot be stopped. */
const MAX_PERFT_DEPTH = 12;
const STOP_WAYS = ["flag", "turns", "restart"];
const PRIVATE = Symbol("made by Engine.create");

/** The ways to stop a search that work here, the best first. */
function stopWays() {
  const isolated = isNode || globalThis.crossOriginIsolated === true;
  const ways = [];
  if (isolated && typeof SharedArrayBuffer === "function") ways.push("flag");
  if (typeof WebAssembly === "object" && "Suspending" in WebAssembly) ways.push("turns");
  return [...ways, "restart"];
}

function checkedUrl(name, value) {
  try {
    return new URL(value, isNode ? import.meta.url : document.baseURI);
  } catch {
    throw new TypeError(`${name} of ${quote(value)}: expected a URL`);
  }
}

function checkedStopBy(value) {
  const here = stopWays();
  if (value === undefined) return here[0];
  if (!STOP_WAYS.includes(value)) {
    throw new RangeError(`stopBy of ${quote(value)}: expected ${STOP_WAYS.join(", ")}`);
  }
  if (!here.includes(value)) {
    throw new UmigameError(`stopBy of ${quote(value)} does not work here: ${here.join(", ")} do`);
  }
  return value;
}

/** A copy of the bytes of a buffer or a view; undefined if none are given. */
function checkedWeights(value) {
  if (value === undefined) return undefined;
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  throw new TypeError(`weights of ${quote(value)}: expected an ArrayBuffer or a Uint8Array`);
}

function positionText(value) {
  if (value instanceof Position) return value.text;
  if (value instanceof Game) return value.position.text;
  throw new TypeError(`${quote(value)} is no position: expected a Position or a Game`);
}

export class Engine {
  #client;

  static async create(options = {}) {
    requireKeys("options", options, ["hashMb", "weights", "weightsUrl", "moduleUrl", "stopBy"]);
    const { hashMb = DEFAULT_HASH_MB, weightsUrl, moduleUrl } = options;
    requireWhole("hashMb", hashMb, 1, MAX_HASH_MB);
    const given = checkedWeights(options.weights);
    const stopBy = checkedStopBy(options.stopBy);
    requireSimd();
    const ownModule = new URL("./umigame.wasm", import.meta.url);
    const ownWeights = new URL("./umigame.weights", import.meta.url);
    const [module, weights] = await Promise.all([
      loadModule(checkedUrl("moduleUrl", moduleUrl ?? ownModule)),
      given ?? loadBytes(checkedUrl("weightsUrl", weightsUrl ?? ownWeights)),
    ]);
    const client = new Client({ module, weights, hashMb, stopBy });
    await client.open();
    return new Engine(PRIVATE, client);
  }

  constructor(key, client) {
    if (key !== PRIVATE) throw new TypeError("an engine is made by await Engine.create()");
    this.#client = client;
  }

  get info() {
    return this.#client.info;
  }

  async search(position, limits = {}, onReport = undefined) {
    requireFunction("onReport", onReport);
    const body = { position: positionText(position), limits: checkedLimits(limits) };
    return this.#client.ask({ search: body }, onReport).done;
  }

  async play(position, options = {}) {
    const { seed, ...rest } = checkedPlay(options);
    const body = { position: positionText(position), seed, ...rest };
    return { ...(await this.#client.ask({ play: body }).done), seed };
  }

  async levels() {
    return this.#client.ask({ levels: {} }).done;
  }

  async solve(position, options = {}, onReport = undefined) {
    requireKeys("options", options, ["goal", "lines"]);
    return this.search(position, { ...options, depth: 60, confidence: 100, exactFrom: 60 }, onReport);
  }

  async analyze(game, limits = {}, onProgress = undefined) {
    requireFunction("onProgress", onProgress);
    if (!(game instanceof Game)) throw new TypeError(`${quote(game)} is no game: expected a Game`);
    const body = { game: game.toString(), limits: checkedLimits(limits) };
    return this.#client.ask({ analyze: body }, onProgress).done;
  }

  async evaluate(position) {
    return this.#client.ask({ evaluate: { position: positionText(position) } }).done;
  }

  async perft(position, depth) {
    requireWhole("depth", depth, 0, MAX_PERFT_DEPTH);
    return this.#client.ask({ perft: { position: positionText(position), depth } }).done;
  }

  async clear() {
    await this.#client.ask({ clear: {} }).done;
  }

  async checkKernels(rounds = 10_000, seed = 1) {
    requireWhole("rounds", rounds, 1, 1_000_000);
    requireWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    return (await this.#client.ask({ checkKernels: { rounds, seed } }).done).kernels;
  }

  hints(position, limits = {}) {
    const text = positionText(position);
    const checked = { lines: DEFAULT_HINTS, ...checkedLimits(limits) };
    return this.#hints({ search: { position: text, limits: checked } });
  }

  async *#hints(request) {
    let latest = null;
    let isOver = false;
    let wake = () => {};
    const job = this.#client.ask(request, (report) => {
      latest = report;
      wake();
    });
    const over = job.done.finally(() => {
      isOver = true;
      wake();
    });
    over.catch(() => {});
    try {
      while (!isOver || latest !== null) {
        if (latest === null) await new Promise((resolve) => (wake = resolve));
        if (latest === null) continue;
        const report = latest;
        latest = null;
        yield report;
      }
      await over;
    } finally {
      this.#client.halt(job);
    }
  }

  async stop() {
    await this.#client.stop();
  }

  close() {
    this.#client.close();
  }
}
