// What the book knows of the moves of a position, where the engine has a book.

import { byId, h, replace } from "./dom.js";
import { discsText } from "./value_text.js";
import { t } from "./text.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").BookMove} BookMove */
/** @typedef {import("./rules.js").Position} Position */

/** Moves shown at most. */
const MAX_MOVES = 8;

export class BookPanel {
  #shown = "";
  #exists = false;

  /**
   * @param {Engine} engine
   * @param {(move: string) => void} onPlay
   */
  constructor(engine, onPlay) {
    this.engine = engine;
    this.card = byId("book-card");
    this.list = byId("book");
    this.list.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest("[data-key]") : null;
      const move = target?.getAttribute("data-key");
      if (move) onPlay(move);
    });
  }

  /**
   * Asks whether there is a book.
   * @param {Position} position the first to show
   */
  async open(position) {
    this.#exists = await this.engine.hasBook().catch(() => false);
    await this.show(position);
  }

  /** @param {Position} position */
  async show({ text }) {
    if (!this.#exists || text === this.#shown) return;
    this.#shown = text;
    const moves = await this.engine.book(text).catch(() => []);
    // A newer position is shown by now.
    if (this.#shown !== text) return;
    this.card.hidden = false;
    const rows = moves.filter(({ value, games }) => value !== null || games > 0).slice(0, MAX_MOVES);
    replace(this.list, rows.length > 0 ? rows.map(rowOf) : [h("li", { class: "hint" }, t("noBook"))]);
  }
}

/** @param {BookMove} found */
function rowOf({ move, value, games, win_rate: rate }) {
  return h(
    "li",
    {},
    h("button", { type: "button", class: "step", "data-key": move }, h("b", {}, move)),
    h("span", {}, value === null ? "" : discsText(value)),
    h("span", { class: "soft" }, games === 0 ? "" : t("gamesOf", { games })),
    h("span", { class: "soft" }, rate === null ? "" : t("winRate", { percent: Math.round(100 * rate) })),
  );
}
