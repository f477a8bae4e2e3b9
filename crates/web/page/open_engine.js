// Which engine answers the page.

import { httpEngine, serverToken } from "./http_engine.js";
import { wasmEngine } from "./wasm_engine.js";

/**
 * Returns the engine of the server that wrote its token into the page; without one, that of a worker.
 * @returns {import("./engine.js").Engine}
 */
export function openEngine() {
  const token = serverToken();
  return token === "" ? wasmEngine() : httpEngine(token);
}
