// The engine in a worker of the page: that of the npm package, beside the page.

import { EngineError, isAbort } from "./engine.js";
import { isNamed } from "./levels.js";
import { Game, Position } from "./rules.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").Loading} Loading */
/** @typedef {import("../umigame/index.js").Engine} WorkerEngine */

/** Size of the transposition table. */
const HASH_MB = 32;
/** Limits of a search until every value is exact.
 * @type {import("../umigame/index.js").Limits} */
const TO_THE_END = { depth: 60, exactFrom: 60, confidence: 100 };

/**
 * Returns the engine in a worker, which is fetched at once.
 * @returns {Engine}
 */
export function wasmEngine() {
  const workers = new Workers();
  const ask = workers.ask.bind(workers);
  return {
    values: (position, { lines, focus, depth, timeMs, signal, onReport }) =>
      ask((engine) => {
        const at = Position.fromText(position);
        const isBounded = depth !== undefined || timeMs !== undefined;
        const bounds = isBounded ? { depth, timeMs } : TO_THE_END;
        return engine.search(at, { ...bounds, lines, focus, signal }, onReport);
      }),
    move: (position, { level, ...options }) =>
      ask(async (engine) => {
        const { lines } = await engine.play(Position.fromText(position), { level: levelOf(level), ...options });
        return { move: lines[0].move };
      }),
    analyze: (game, { level, depth, signal, onReport }) =>
      ask((engine) => {
        const limits = { level: level === undefined ? undefined : Number(level), depth, signal };
        return engine.analyze(Game.fromText(game), limits, onReport);
      }),
    read: (text) => ask((engine) => engine.read(text)),
    layers: (position) => ask((engine) => engine.layers(Position.fromText(position))),
    diagram: ({ board, ...options }) => ask((engine) => engine.svg(Game.fromText(board), options)),
    hasBook: async () => false,
    book: async () => [],
    hasGames: async () => false,
    games: async () => {
      throw new EngineError("there are no games");
    },
    levels: () => ask((engine) => engine.levels()),
    onLoading: (listener) => {
      workers.listener = listener;
    },
  };
}

/**
 * The engine of a worker: first one with a small set of weights, which is there soon, then one with
 * all of them.
 */
class Workers {
  /** @type {(loading: Loading) => void} */
  listener = () => {};
  /** @type {Promise<WorkerEngine> | null} */
  #opening = null;
  /** Requests that run, by engine. @type {Map<WorkerEngine, number>} */
  #running = new Map();

  constructor() {
    this.#open().catch(() => {});
  }

  #open() {
    this.#opening ??= this.#create().catch((error) => {
      this.listener({ stage: "failed", share: null });
      // The next request tries again.
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #create() {
    const { Engine } = await import("../umigame/index.js");
    const weightsUrl = new URL("../umigame/small.weights", import.meta.url);
    const onProgress = this.#progressOf("first");
    const small = await Engine.create({ hashMb: HASH_MB, weightsUrl, onProgress });
    const { module } = small;
    Engine.create({ hashMb: HASH_MB, module, onProgress: this.#progressOf("full") }).then(
      (full) => {
        this.#opening = Promise.resolve(full);
        this.listener({ stage: "done", share: 1 });
        this.#retire(small);
      },
      () => this.listener({ stage: "failed", share: null }),
    );
    return small;
  }

  /**
   * Ends an engine that another one has followed, once nothing runs in it.
   * @param {WorkerEngine} engine
   */
  async #retire(engine) {
    if ((this.#running.get(engine) ?? 0) > 0 || (await this.#open()) === engine) return;
    this.#running.delete(engine);
    engine.close();
  }

  /**
   * Asks the engine, once it is there.
   * @template T
   * @param {(engine: WorkerEngine) => Promise<T>} request
   */
  async ask(request) {
    try {
      const engine = await this.#open();
      const count = (/** @type {number} */ change) =>
        this.#running.set(engine, (this.#running.get(engine) ?? 0) + change);
      count(1);
      try {
        return await request(engine);
      } finally {
        count(-1);
        this.#retire(engine).catch(() => {});
      }
    } catch (error) {
      throw isAbort(error) ? error : faultOf(error);
    }
  }

  /**
   * Returns what passes on the progress of a stage.
   * @param {Loading["stage"]} stage
   */
  #progressOf(stage) {
    return (/** @type {import("../umigame/index.js").LoadingProgress} */ { loaded, total }) =>
      this.listener({ stage, share: total === null ? null : loaded / total });
  }
}

/**
 * A level as the package takes it: a number, or the name of a weaker one.
 * @param {string | undefined} level
 */
function levelOf(level) {
  return level === undefined || isNamed({ level }) ? level : Number(level);
}

/** @param {unknown} error */
function faultOf(error) {
  const { message, line, column } = /** @type {import("../umigame/index.js").UmigameError} */ (error);
  return new EngineError(message, { line, column });
}
