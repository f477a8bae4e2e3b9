// Fetching the module and the weights, and starting the worker, in pages and in node.

/** An error of the engine: what it cannot do here, or what went wrong inside. */
export class UmigameError extends Error {
  name = "UmigameError";

  /** `line` and `column` are the place of a fault in a text, from 1. */
  constructor(message, { line, column } = {}) {
    super(message);
    if (line !== undefined) Object.assign(this, { line, column });
  }
}

export const isNode = typeof process === "object" && typeof process.versions?.node === "string";

/** A module of one function with two SIMD instructions. */
const SIMD_MODULE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
  10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Throws unless the module can run here. */
export function requireSimd() {
  if (typeof WebAssembly !== "object") {
    throw new UmigameError("this browser lacks WebAssembly, which umigame needs");
  }
  if (!WebAssembly.validate(SIMD_MODULE)) {
    throw new UmigameError(
      "this browser lacks WebAssembly SIMD, which umigame needs; " +
        "Chrome and Edge 91, Firefox 89, Safari 16.4 and node 16.4 have it",
    );
  }
}

/** What was received of several files, told to one listener. */
export class Progress {
  #onProgress;
  /** By file: bytes received, and bytes in all, null where the server does not say. */
  #files = new Map();

  /** `onProgress` may be undefined. */
  constructor(onProgress, files) {
    this.#onProgress = onProgress;
    for (const file of files) this.#files.set(file, { loaded: 0, total: null });
  }

  tell(file, loaded, total) {
    this.#files.set(file, { loaded, total });
    const files = [...this.#files.values()];
    const sum = (count) => files.reduce((sum, file) => sum + count(file), 0);
    const isKnown = files.every(({ total }) => total !== null);
    this.#onProgress?.({
      loaded: sum(({ loaded }) => loaded),
      total: isKnown ? sum(({ total }) => total) : null,
    });
  }

  /** Returns a response whose bytes are counted as they come. */
  counted(file, response) {
    if (this.#onProgress === undefined || response.body === null) return response;
    // Behind a compression the header counts other bytes than those that come out.
    const isPlain = !response.headers.get("content-encoding");
    const total = isPlain ? Number(response.headers.get("content-length")) || null : null;
    let loaded = 0;
    this.tell(file, 0, total);
    const count = new TransformStream({
      transform: (chunk, controller) => {
        this.tell(file, (loaded += chunk.length), total);
        controller.enqueue(chunk);
      },
      flush: () => this.tell(file, loaded, loaded),
    });
    return new Response(response.body.pipeThrough(count), { headers: response.headers });
  }
}

async function fetched(url, { progress, signal }) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new UmigameError(`${url} cannot be fetched: ${error.message}`);
  }
  if (!response.ok) throw new UmigameError(`${url} cannot be fetched: status ${response.status}`);
  return progress.counted(url.href, response);
}

async function readFile(url, { progress, signal }) {
  const { readFile } = await import("node:fs/promises");
  try {
    const bytes = await readFile(url, { signal });
    progress.tell(url.href, bytes.length, bytes.length);
    return bytes;
  } catch (error) {
    signal?.throwIfAborted();
    throw new UmigameError(`${url} cannot be read: ${error.message}`);
  }
}

/** Returns the bytes of a file. */
export async function loadBytes(url, options) {
  if (url.protocol === "file:" && isNode) return readFile(url, options);
  const response = await fetched(url, options);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new UmigameError(`${url} cannot be fetched: ${error.message}`);
  }
}

/** Compiles a module. */
export async function loadModule(url, options) {
  try {
    return await compile(url, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof UmigameError) throw error;
    throw new UmigameError(`${url} is no WebAssembly module: ${error.message}`);
  }
}

/** Compiles while the bytes come in, if the server names their type. */
async function compile(url, options) {
  if (url.protocol === "file:" && isNode) return WebAssembly.compile(await readFile(url, options));
  const response = await fetched(url, options);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Starts a worker. Returns how to post to it, to end it, and to keep node running for it. */
export async function startWorker(receive, fail) {
  const url = new URL("./worker.js", import.meta.url);
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    // Options of the process, such as --input-type, are not for the worker.
    const worker = new Worker(url, { execArgv: [] });
    worker.on("message", receive);
    worker.on("error", (error) => fail(error.message));
    return {
      post: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
      hold: (busy) => (busy ? worker.ref() : worker.unref()),
    };
  }
  // A worker's script must come from the page's origin, but may import from another.
  const foreign = url.origin !== location.origin;
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: "text/javascript" });
  const address = foreign ? URL.createObjectURL(script) : url;
  const worker = new Worker(address, { type: "module" });
  worker.onmessage = (event) => receive(event.data);
  worker.onerror = (event) => fail(event.message ?? "its script cannot be loaded");
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    hold: () => {},
  };
}
