// <umigame-board>: a board to play on, with the values of moves where an engine is wanted.
// board.d.ts describes its attributes, properties and events.

import { h, setText } from "./elements.js";
import { Game } from "./game.js";
import { UmigameError } from "./load.js";
import { Position, quote } from "./position.js";
import { SQUARES, Squares } from "./squares.js";

const STYLE_ID = "umigame-board-style";
const NAMES = { black: "Black", white: "White" };
const MAX_DEPTH = 60;

/** Lays the style sheet into the page, unless it is there. */
function addStyle() {
  if (document.getElementById(STYLE_ID) !== null) return;
  const href = new URL("./board.css", import.meta.url).href;
  document.head.prepend(h("link", { id: STYLE_ID, rel: "stylesheet", href }));
}

export class UmigameBoard extends HTMLElement {
  static observedAttributes = ["position", "game", "orientation", "engine", "label", "labelled-by"];

  #squares = null;
  #status = h("span", { role: "status", style: "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)" });
  #game = new Game();
  #values = [];
  /** The engine that the attribute asks for; null until it is needed. */
  #opening = null;
  #search = new AbortController();
  /** Whether another program draws the squares, by `show`. */
  #isShown = false;

  connectedCallback() {
    addStyle();
    if (this.#squares === null) {
      this.#squares = new Squares(this, {
        onPress: (square) => this.#press(square),
        onPoint: (square) => this.dispatchEvent(new CustomEvent("point", { detail: { square } })),
      });
      this.append(this.#status);
    }
    this.#name();
    this.#squares.turn(this.orientation === "white");
    if (!this.#isShown) this.#changed();
  }

  disconnectedCallback() {
    this.#search.abort();
    this.#opening?.then((engine) => engine.close()).catch(() => {});
    this.#opening = null;
  }

  attributeChangedCallback(name, before, now) {
    if (name === "position") this.position = now ?? Position.start();
    else if (name === "game") this.game = now ?? new Game();
    else if (name === "engine") this.#changed();
    else if (name === "orientation") this.#squares?.turn(now === "white");
    else this.#name();
  }

  get position() {
    return this.#game.position;
  }

  set position(value) {
    this.game = new Game(typeof value === "string" ? Position.fromText(value) : value);
  }

  get game() {
    return this.#game;
  }

  set game(value) {
    const game = typeof value === "string" ? Game.fromText(value) : value;
    if (!(game instanceof Game)) throw new TypeError(`${quote(value)} is no game: expected a Game or its text`);
    this.#game = game;
    this.#isShown = false;
    this.#changed();
  }

  get orientation() {
    return this.getAttribute("orientation") === "white" ? "white" : "black";
  }

  set orientation(value) {
    this.setAttribute("orientation", value);
  }

  get values() {
    return this.#values;
  }

  set values(lines) {
    this.#values = [...(lines ?? [])];
    this.#draw();
  }

  /** Plays a move of the game that is shown, and tells of it. */
  play(move) {
    this.#game.play(move);
    this.#changed();
    const { position } = this.#game;
    setText(this.#status, `${move}. ${standing(position)}`);
    const detail = { move, position, game: this.#game };
    this.dispatchEvent(new CustomEvent("move", { bubbles: true, detail }));
  }

  undo() {
    const move = this.#game.undo();
    this.#changed();
    return move;
  }

  show(position, views, { animate = true } = {}) {
    this.#isShown = true;
    this.#squares?.render(position, views, { animate });
  }

  refuse(square) {
    this.#squares?.refuse(square);
  }

  focusSquare() {
    this.#squares?.focus();
  }

  #name() {
    const grid = this.#squares?.grid;
    if (grid === undefined) return;
    const other = this.getAttribute("labelled-by");
    if (other !== null) grid.setAttribute("aria-labelledby", other);
    else grid.setAttribute("aria-label", this.getAttribute("label") ?? "Othello board");
  }

  #press(square) {
    const event = new CustomEvent("press", { bubbles: true, cancelable: true, detail: { square } });
    if (!this.dispatchEvent(event)) return;
    const { position } = this.#game;
    if (position.mustPass) this.#game.play("pass");
    if (this.#game.position.isLegal(square)) return this.play(square);
    this.refuse(square);
    setText(this.#status, `${square} is illegal. ${standing(this.#game.position)}`);
  }

  /** Draws another position, and lets the engine look at it. */
  #changed() {
    this.#search.abort();
    this.#values = [];
    if (!this.isConnected || this.#squares === null) return;
    this.#draw();
    if (this.hasAttribute("engine") && !this.#game.position.isOver) this.#ask();
  }

  async #ask() {
    const { signal } = (this.#search = new AbortController());
    const { position } = this.#game;
    const depth = Math.min(Number(this.getAttribute("engine")) || 16, MAX_DEPTH);
    const tell = (report) => {
      if (signal.aborted) return;
      this.values = report.lines;
      this.dispatchEvent(new CustomEvent("values", { bubbles: true, detail: { ...report, position } }));
    };
    try {
      this.#opening ??= import("./engine.js").then(({ Engine }) => Engine.create());
      const engine = await this.#opening;
      const lines = position.legalMoves().length;
      tell(await engine.search(position, { depth, lines, signal }, tell));
    } catch (error) {
      if (signal.aborted) return;
      this.#opening = null;
      const message = error instanceof UmigameError ? error.message : String(error);
      this.dispatchEvent(new CustomEvent("fault", { bubbles: true, detail: { message } }));
    }
  }

  #draw() {
    if (this.#squares === null || this.#isShown) return;
    const { position, moves } = this.#game;
    const last = moves.findLast((move) => move !== "pass");
    const animate = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#squares.render(position, views(position, last, this.#values), { animate });
  }
}

/** Who is to move, or how the game ended. */
function standing(position) {
  if (!position.isOver) return `${NAMES[position.sideToMove]} to move`;
  const score = position.score("black");
  if (score === 0) return "Game over: a draw";
  return `Game over: ${NAMES[score > 0 ? "black" : "white"]} wins by ${Math.abs(score)}`;
}

/** What each square shows and is called. */
function views(position, last, values) {
  const legal = new Set(position.legalMoves());
  const known = new Map(values.map((line) => [line.move, line]));
  const best = Math.max(...values.map((line) => line.eval));
  return new Map(SQUARES.map((square) => {
    const line = known.get(square);
    const color = position.at(square);
    const view = { legal: legal.has(square), last: square === last, ...valueOf(line, best) };
    const name = color === null ? (view.legal ? "legal move" : "empty") : `${color} disc`;
    const parts = [square, name, view.last && "last move", line && `value ${view.value}`, view.spread, view.best && "best move"];
    return [square, { ...view, label: parts.filter(Boolean).join(", ") }];
  }));
}

function valueOf(line, best) {
  if (line === undefined) return {};
  const isExact = line.std_dev === 0;
  const size = Math.abs(line.eval).toFixed(isExact ? 0 : 1);
  const sign = Number(size) === 0 ? "" : line.eval < 0 ? "\u2212" : "+";
  const spread = line.std_dev === null || line.std_dev === undefined ? "" : `\u00b1${line.std_dev.toFixed(1)}`;
  return {
    value: sign + size,
    spread: isExact ? "exact" : spread,
    depth: isExact ? "" : (line.label ?? "").replace(/@.*/, ""),
    best: line.eval === best,
  };
}

if (customElements.get("umigame-board") === undefined) customElements.define("umigame-board", UmigameBoard);
