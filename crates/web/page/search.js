// One search at a time: a new one ends the one before, and begins after its end.

/** @typedef {"values" | "move" | "analysis" | "hint"} SearchKind */

export class OneSearch {
  /** @type {{kind: SearchKind, controller: AbortController, done: Promise<unknown>} | null} */
  #running = null;

  /** What runs now. @returns {SearchKind | null} */
  get kind() {
    return this.#running?.kind ?? null;
  }

  /**
   * Runs a search. Its promise is rejected with an `AbortError` if another one ends it.
   * @template T
   * @param {SearchKind} kind
   * @param {(signal: AbortSignal) => Promise<T>} search
   * @returns {Promise<T>}
   */
  async run(kind, search) {
    const before = this.#running;
    before?.controller.abort();
    const controller = new AbortController();
    const { signal } = controller;
    const done = (async () => {
      await before?.done.catch(() => {});
      signal.throwIfAborted();
      return search(signal);
    })();
    const running = { kind, controller, done };
    this.#running = running;
    try {
      return await done;
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * Ends the search that runs, if it is of this kind.
   * @param {SearchKind} [kind]
   */
  stop(kind) {
    if (kind === undefined || kind === this.kind) this.#running?.controller.abort();
  }
}
