// The squares of a board: a grid of 64 buttons. It shows what it is given and tells of squares that
// are pointed at or pressed; what is legal is decided elsewhere.

import { h, setText } from "./elements.js";

/** @typedef {import("./index.js").Position} Position */

/** The 64 squares, a1 to h8, row by row. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => "abcdefgh"[i % 8] + (1 + (i >> 3)));

/** @typedef {import("./board.js").SquareView} SquareView */

/** Steps of the arrow keys. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Squares {
  /** @type {HTMLButtonElement[]} */
  #squares = [];
  /** Colors shown. @type {(string | null)[]} */
  #shown = SQUARES.map(() => null);
  #cursor = SQUARES.indexOf("f5");
  /** Letters, then digits. @type {HTMLElement[]} */
  #coordinates = [];
  /** White sits below. */
  #isTurned = false;

  /**
   * @param {HTMLElement} element
   * @param {{onPress: (square: string) => void, onPoint: (square: string | null) => void}} events
   */
  constructor(element, { onPress, onPoint }) {
    this.#coordinates = [..."abcdefgh12345678"].map(coordinate);
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const cells = SQUARES.slice(8 * row, 8 * row + 8).map((square) => this.#square(square));
      rows.push(h("div", { role: "row" }, ...cells));
    }
    this.grid = h("div", { role: "grid" }, ...rows);
    element.append(...this.#coordinates, this.grid);
    this.#place();
    element.addEventListener("click", (event) => {
      const square = squareOf(event.target);
      if (square !== null) onPress(square);
    });
    // A click leaves the focus where it is: the arrow keys go on to step through the game.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    element.addEventListener("keydown", (event) => this.#onKey(event));
    element.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") onPoint(squareOf(event.target));
    });
    element.addEventListener("pointerleave", () => onPoint(null));
    element.addEventListener("focusin", (event) => {
      const square = squareOf(event.target);
      if (square === null) return;
      this.#moveCursor(SQUARES.indexOf(square), false);
      onPoint(square);
    });
    element.addEventListener("focusout", () => onPoint(null));
  }

  /** @param {string} square */
  #square(square) {
    const index = SQUARES.indexOf(square);
    const button = h("button", {
      class: "square",
      type: "button",
      "data-square": square,
      tabindex: index === this.#cursor ? 0 : -1,
    });
    button.append(
      h("span", { class: "disc" }),
      h("span", { class: "value", "aria-hidden": true }, h("b"), h("small"), h("i")),
      h("span", { class: "mark", "aria-hidden": true }),
      h("span", { class: "region", "aria-hidden": true }),
    );
    this.#squares.push(/** @type {HTMLButtonElement} */ (button));
    return h("div", { role: "gridcell", class: "cell" }, button);
  }

  /**
   * Turns the board, so that White sits below, or back.
   * @param {boolean} isTurned
   */
  turn(isTurned) {
    if (this.#isTurned === isTurned) return;
    this.#isTurned = isTurned;
    this.#place();
  }

  /** Puts squares and coordinates where they are seen: rows and columns of the grid, from 1. */
  #place() {
    const at = (/** @type {number} */ place) => 2 + (this.#isTurned ? 7 - place : place);
    this.#squares.forEach((button, index) => {
      button.style.gridArea = `${at(index >> 3)}/${at(index % 8)}`;
    });
    this.#coordinates.forEach((element, index) => {
      element.style.gridArea = index < 8 ? `1/${at(index)}` : `${at(index - 8)}/1`;
    });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const way = this.#isTurned ? -1 : 1;
    const x = Math.max(0, Math.min(7, (this.#cursor % 8) + way * step[0]));
    const y = Math.max(0, Math.min(7, (this.#cursor >> 3) + way * step[1]));
    this.#moveCursor(8 * y + x, true);
  }

  /**
   * @param {number} index
   * @param {boolean} focus
   */
  #moveCursor(index, focus) {
    this.#squares[this.#cursor].tabIndex = -1;
    this.#cursor = index;
    this.#squares[index].tabIndex = 0;
    if (focus) this.#squares[index].focus();
  }

  /** Puts the keyboard on the square of the cursor. */
  focus() {
    this.#squares[this.#cursor].focus();
  }

  /**
   * @param {Position} position
   * @param {Map<string, SquareView>} views
   * @param {{animate: boolean}} options
   */
  render(position, views, { animate }) {
    this.#squares.forEach((button, index) => {
      const color = position.at(SQUARES[index]);
      const before = this.#shown[index];
      this.#shown[index] = color;
      const [disc, value, mark, region] = /** @type {HTMLElement[]} */ ([...button.children]);
      if (color !== before) {
        const way = before === null ? "placed" : "flipped";
        disc.className = `disc ${color ?? ""} ${animate && color !== null ? way : ""}`;
      }
      const view = views.get(SQUARES[index]);
      if (view === undefined) return;
      const isShown = color === null && view.value !== undefined;
      for (const [name, on] of Object.entries({
        legal: view.legal && color === null,
        last: view.last,
        best: view.best && isShown,
        played: view.played && color === null,
        valued: isShown,
        layered: isShown && (view.openness ?? view.region) !== undefined,
      })) {
        button.classList.toggle(name, on === true);
      }
      const [main, spread, depth] = value.children;
      setText(main, isShown ? (view.value ?? "") : "");
      setText(spread, isShown ? (view.spread ?? "") : "");
      // Openness takes the place of the depth: both would be too much for a square.
      const third = view.openness ?? (view.region === undefined ? view.depth : undefined);
      setText(depth, isShown ? (third ?? "") : "");
      setText(disc, color !== null && view.number !== undefined ? String(view.number) : "");
      setText(mark, (isShown ? undefined : view.openness) ?? view.stable ?? view.frontier ?? "");
      mark.className = `mark${view.stable ? " stable" : ""}${view.frontier ? " frontier" : ""}`;
      setText(region, view.region ?? "");
      if (button.getAttribute("aria-label") !== view.label) {
        button.setAttribute("aria-label", view.label);
      }
      if (button.title !== (view.title ?? "")) button.title = view.title ?? "";
    });
  }

  /**
   * Shows that a square cannot be played.
   * @param {string} square
   */
  refuse(square) {
    const button = this.#squares[SQUARES.indexOf(square)];
    button.classList.remove("refused");
    // Reading the size starts the animation again.
    void button.offsetWidth;
    button.classList.add("refused");
    button.addEventListener("animationend", () => button.classList.remove("refused"), { once: true });
  }
}

/** @param {string} text */
function coordinate(text) {
  return h("span", { class: "coordinate", "aria-hidden": true }, text);
}

/** @param {EventTarget | null} target */
function squareOf(target) {
  if (!(target instanceof Element)) return null;
  return target.closest("[data-square]")?.getAttribute("data-square") ?? null;
}
