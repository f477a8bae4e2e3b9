// The engine behind `umigame serve`, over HTTP: JSON, and server-sent events for what grows.

import { EngineError } from "./engine.js";

/** @typedef {import("./engine.js").Engine} Engine */

/** Returns the token that `umigame serve` wrote into this page; empty where the page came from elsewhere. */
export function serverToken() {
  return document.querySelector('meta[name="umigame-token"]')?.getAttribute("content") ?? "";
}

/**
 * Returns the engine of the server that this page came from.
 * @param {string} token
 * @param {string | URL} [root] where its paths begin
 * @returns {Engine}
 */
export function httpEngine(token, root = document.baseURI) {
  const fetched = (/** @type {string} */ path, /** @type {RequestInit} */ options = {}) =>
    fetchedFrom(new URL(path, root), options);
  const api = new Api(token, fetched);
  /** The levels, and whether there are a book and games; asked for until there is an answer.
   * @type {Promise<any> | null} */
  let listing = null;
  const list = async () => answer(await fetched("api/v1/levels"));
  const listed = () =>
    (listing ??= list().catch((error) => {
      listing = null;
      throw error;
    }));
  return {
    async values(position, { lines, focus, depth, timeMs, signal, onReport }) {
      // A search ends with its connection. A name would not do: the server may read an older request
      // after a newer one, and would end the newer one.
      return api.stream("hint", { position, lines, focus, depth, timeMs }, signal, onReport);
    },
    async move(position, { level, seed, clock, signal }) {
      return api.post("play", { position, level, seed, clock }, signal);
    },
    async analyze(game, { level, depth, signal, onReport }) {
      return api.stream("analyze", { game, level, depth }, signal, onReport);
    },
    read: (text) => api.post("read", { text }),
    layers: (position) => api.post("layers", { position }),
    diagram: async ({ board, ...options }) =>
      (await api.post("diagram", { board: board || "start", ...options })).svg,
    hasBook: async () => (await listed()).book === true,
    book: async (position) => (await api.post("book", { position })).moves ?? [],
    hasGames: async () => (await listed()).games === true,
    games: (position, filter) => api.post("games", { position, ...filter }),
    levels: async () => (await listed()).levels,
    onLoading: () => {},
  };
}

class Api {
  /** @type {string} */
  #token;
  #fetched;

  /**
   * @param {string} token
   * @param {(path: string, options: RequestInit) => Promise<Response>} fetched
   */
  constructor(token, fetched) {
    this.#token = token;
    this.#fetched = fetched;
  }

  /**
   * Posts JSON and returns the response, whatever its status.
   * @param {string} path
   * @param {object} body
   * @param {{accept: string, signal?: AbortSignal}} options
   */
  send(path, body, { accept, signal }) {
    return this.#fetched(`api/v1/${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: accept,
        "X-Umigame-Token": this.#token,
      },
      body: JSON.stringify(body),
      signal,
    });
  }

  /**
   * Posts JSON and returns the answer.
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal} [signal]
   */
  async post(path, body, signal) {
    return answer(await this.send(path, body, { accept: "application/json", signal }));
  }

  /**
   * Posts JSON, hands over the reports of an event stream, and returns the data of its end.
   * @template T
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal | undefined} signal
   * @param {((report: T) => void) | undefined} onReport
   */
  async stream(path, body, signal, onReport) {
    const response = await this.send(path, body, { accept: "text/event-stream", signal });
    if (!response.ok || response.body === null) return answer(response);
    for await (const { event, data } of events(response.body)) {
      const value = parsed(data);
      if (event === "report") onReport?.(value);
      if (event === "end") return value;
      if (event === "error") throw faultOf(value, response.status);
    }
    throw new EngineError("the engine ended its answer too early", { unreachable: true });
  }
}

/**
 * @param {URL} url
 * @param {RequestInit} options
 */
async function fetchedFrom(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new EngineError("the engine does not answer", { unreachable: true });
  }
}

/**
 * Returns the JSON of a response; throws its error.
 * @param {Response} response
 */
async function answer(response) {
  const value = parsed(await response.text());
  if (response.ok) return value;
  throw faultOf(value, response.status);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * @param {any} value
 * @param {number} status
 */
function faultOf(value, status) {
  const { message = `the engine answered with status ${status}`, line, column } = value.error ?? {};
  return new EngineError(message, { line: line ?? undefined, column: column ?? undefined });
}

/**
 * Reads server-sent events.
 * @param {ReadableStream<Uint8Array>} body
 */
export async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = { event: "message", data: "" };
        for (const line of block.split(/\r?\n/)) {
          const [, field, content] = /^(event|data): ?(.*)$/.exec(line) ?? [];
          if (field === "event") found.event = content;
          if (field === "data") found.data += found.data === "" ? content : `\n${content}`;
        }
        if (found.data !== "") yield found;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
