// Fetching the module and the weights, and starting the worker, in pages and in node.

/** An error of the engine: what it cannot do here, or what went wrong inside. */
export class UmigameError extends Error {
  name = "UmigameError";
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

async function fetched(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new UmigameError(`${url} cannot be fetched: ${error.message}`);
  }
  if (!response.ok) throw new UmigameError(`${url} cannot be fetched: status ${response.status}`);
  return response;
}

async function readFile(url) {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(url);
  } catch (error) {
    throw new UmigameError(`${url} cannot be read: ${error.message}`);
  }
}

/** Returns the bytes of a file. */
export async function loadBytes(url) {
  if (url.protocol === "file:" && isNode) return readFile(url);
  return new Uint8Array(await (await fetched(url)).arrayBuffer());
}

/** Compiles a module. */
export async function loadModule(url) {
  try {
    return await compile(url);
  } catch (error) {
    if (error instanceof UmigameError) throw error;
    throw new UmigameError(`${url} is no WebAssembly module: ${error.message}`);
  }
}

/** Compiles while the bytes come in, if the server names their type. */
async function compile(url) {
  if (url.protocol === "file:" && isNode) return WebAssembly.compile(await readFile(url));
  const response = await fetched(url);
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
