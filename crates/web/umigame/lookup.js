// What needs no search and no weights, answered at once by an instance of the module in this thread.

import { Instance } from "./instance.js";
import { UmigameError } from "./load.js";

const imports = { now: () => performance.now(), go_on: () => 1, give_way() {}, report() {} };

export class Lookup {
  #module;
  /** Starts with the first request. */
  #starting = null;

  constructor(module) {
    this.#module = module;
  }

  /** Returns the result of a request. */
  async ask(request) {
    this.#starting ??= Instance.of(this.#module, imports);
    const instance = await this.#starting;
    let reply;
    try {
      reply = await instance.call(JSON.stringify(request));
    } catch (error) {
      this.#starting = null;
      throw new UmigameError(`a fault in the engine: ${instance.panic ?? error}`);
    }
    const result = JSON.parse(reply);
    if (typeof result?.error === "string") throw new UmigameError(result.error, result);
    return result;
  }
}
