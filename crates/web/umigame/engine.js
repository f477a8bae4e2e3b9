// The engine as pages see it: arguments checked, requests made, results handed out.

import { Client } from "./client.js";
import { Game } from "./game.js";
import {
  checkedLimits, checkedPlay, requireFunction, requireKeys, requireSignal, requireText, requireWhole,
} from "./limits.js";
import { Progress, UmigameError, isNode, loadBytes, loadModule, requireSimd } from "./load.js";
import { Lookup } from "./lookup.js";
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

function checkedModule(value) {
  if (value === undefined || value instanceof WebAssembly.Module) return value;
  throw new TypeError(`module of ${quote(value)}: expected a WebAssembly.Module`);
}

function positionText(value) {
  if (value instanceof Position) return value.text;
  if (value instanceof Game) return value.position.text;
  throw new TypeError(`${quote(value)} is no position: expected a Position or a Game`);
}

/** Splits what is said of a search into its limits and the signal that may end it. */
function split(what, options) {
  requireKeys(what, options);
  const { signal, ...rest } = options;
  requireSignal(signal);
  return { signal, rest };
}

export class Engine {
  #client;
  #module;
  #lookup;

  static async create(options = {}) {
    const known = ["hashMb", "weights", "weightsUrl", "module", "moduleUrl", "stopBy", "onProgress", "signal"];
    requireKeys("options", options, known);
    const { hashMb = DEFAULT_HASH_MB, weightsUrl, moduleUrl, onProgress, signal } = options;
    requireWhole("hashMb", hashMb, 1, MAX_HASH_MB);
    requireFunction("onProgress", onProgress);
    requireSignal(signal);
    const given = { weights: checkedWeights(options.weights), module: checkedModule(options.module) };
    const stopBy = checkedStopBy(options.stopBy);
    requireSimd();
    const ofModule = checkedUrl("moduleUrl", moduleUrl ?? new URL("./umigame.wasm", import.meta.url));
    const ofWeights = checkedUrl("weightsUrl", weightsUrl ?? new URL("./umigame.weights", import.meta.url));
    const urls = [...(given.module ? [] : [ofModule.href]), ...(given.weights ? [] : [ofWeights.href])];
    const loading = { signal, progress: new Progress(onProgress, urls) };
    const [module, weights] = await Promise.all([
      given.module ?? loadModule(ofModule, loading),
      given.weights ?? loadBytes(ofWeights, loading),
    ]);
    signal?.throwIfAborted();
    const client = new Client({ module, weights, hashMb, stopBy });
    await client.open();
    return new Engine(PRIVATE, client, module);
  }

  constructor(key, client, module) {
    if (key !== PRIVATE) throw new TypeError("an engine is made by await Engine.create()");
    this.#client = client;
    this.#module = module;
    this.#lookup = new Lookup(module);
  }

  get info() {
    return this.#client.info;
  }

  get module() {
    return this.#module;
  }

  /** The result of a request. A signal that ends it rejects at once, and frees the worker. */
  #ask(request, { onReport, signal } = {}) {
    const job = this.#client.ask(request, onReport);
    if (signal === undefined) return job.done;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#client.halt(job);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      job.done.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
  }

  async search(position, limits = {}, onReport = undefined) {
    requireFunction("onReport", onReport);
    const { signal, rest } = split("limits", limits);
    const body = { position: positionText(position), limits: checkedLimits(rest) };
    return this.#ask({ search: body }, { onReport, signal });
  }

  async play(position, options = {}) {
    const { signal, rest } = split("options", options);
    const { seed, ...checked } = checkedPlay(rest);
    const body = { position: positionText(position), seed, ...checked };
    return { ...(await this.#ask({ play: body }, { signal })), seed };
  }

  async levels() {
    return this.#lookup.ask({ levels: {} });
  }

  async read(text) {
    requireText("text", text);
    return this.#lookup.ask({ read: { text } });
  }

  async layers(position) {
    return this.#lookup.ask({ layers: { position: positionText(position) } });
  }

  async svg(board, options = {}) {
    requireKeys("options", options, ["size", "legal", "lastMove", "numbers", "values"]);
    // A game has its moves, a position has none.
    const text = board instanceof Game ? board.toString() || "start" : positionText(board);
    return this.#lookup.ask({ diagram: { board: text, ...options } });
  }

  async solve(position, options = {}, onReport = undefined) {
    requireKeys("options", options, ["goal", "lines", "signal"]);
    return this.search(position, { ...options, depth: 60, confidence: 100, exactFrom: 60 }, onReport);
  }

  async analyze(game, limits = {}, onProgress = undefined) {
    requireFunction("onProgress", onProgress);
    if (!(game instanceof Game)) throw new TypeError(`${quote(game)} is no game: expected a Game`);
    const { signal, rest } = split("limits", limits);
    const body = { game: game.toString(), limits: checkedLimits(rest) };
    return this.#ask({ analyze: body }, { onReport: onProgress, signal });
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
    const { signal, rest } = split("limits", limits);
    const checked = { lines: DEFAULT_HINTS, ...checkedLimits(rest) };
    return this.#hints({ search: { position: text, limits: checked } }, signal);
  }

  async *#hints(request, signal) {
    signal?.throwIfAborted();
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
    const abort = () => wake();
    signal?.addEventListener("abort", abort);
    try {
      while (!isOver || latest !== null) {
        if (latest === null) await new Promise((resolve) => (wake = resolve));
        signal?.throwIfAborted();
        if (latest === null) continue;
        const report = latest;
        latest = null;
        yield report;
        signal?.throwIfAborted();
      }
      await over;
    } finally {
      signal?.removeEventListener("abort", abort);
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
