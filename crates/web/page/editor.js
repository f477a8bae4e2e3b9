// A position set up by hand: each click makes a square empty, Black, White.

import { byId } from "./dom.js";
import { Position, SQUARES } from "./rules.js";

/** @typedef {import("./rules.js").Color} Color */

const NEXT = { "-": "X", X: "O", O: "-" };

export class Editor {
  /** The position that is set up; null while the game is shown. @type {Position | null} */
  position = null;

  /** @param {{onChange: () => void, onDone: (position: Position) => void}} events */
  constructor({ onChange, onDone }) {
    this.onChange = onChange;
    this.panel = byId("edit-panel");
    for (const color of /** @type {const} */ (["black", "white"])) {
      byId(`edit-${color}`).addEventListener("change", () => this.#set(this.#cells(), color));
    }
    byId("edit-clear").addEventListener("click", () => this.#set("-".repeat(64), this.#side()));
    byId("edit-start").addEventListener("click", () => this.open(Position.start()));
    byId("edit-cancel").addEventListener("click", () => this.close());
    byId("edit-done").addEventListener("click", () => {
      const { position } = this;
      this.close();
      if (position !== null) onDone(position);
    });
  }

  /** @param {Position} position */
  open(position) {
    this.#set(position.text.slice(0, 64), position.sideToMove);
    this.panel.hidden = false;
  }

  close() {
    this.position = null;
    this.panel.hidden = true;
    this.onChange();
  }

  /**
   * Changes what is on a square.
   * @param {string} square
   */
  click(square) {
    const cells = [...this.#cells()];
    const index = SQUARES.indexOf(square);
    cells[index] = NEXT[/** @type {keyof typeof NEXT} */ (cells[index])];
    this.#set(cells.join(""), this.#side());
  }

  #cells() {
    return (this.position ?? Position.start()).text.slice(0, 64);
  }

  #side() {
    return (this.position ?? Position.start()).sideToMove;
  }

  /**
   * @param {string} cells
   * @param {Color} side
   */
  #set(cells, side) {
    this.position = Position.fromText(`${cells} ${side === "black" ? "X" : "O"}`);
    /** @type {HTMLInputElement} */ (byId(`edit-${side}`)).checked = true;
    this.onChange();
  }
}
