// A game against a level: whose turn it is, and how it ends.

import { Clock } from "./clock.js";
import { finalScore } from "./game_tree.js";
import { opponent } from "./rules.js";
import { colorText, t } from "./text.js";

/** @typedef {import("./rules.js").Color} Color */
/** @typedef {import("./clock.js").TimeControl} TimeControl */
/** @typedef {import("./game_tree.js").GameTree} GameTree */
/** @typedef {import("./engine.js").Level} Level */

export class Play {
  /** The color of the person; null while no game is played. @type {Color | null} */
  color = null;
  /** @type {Level} */
  level = { level: "1" };
  /** Decides the errors of a level with a name: another one for each game. */
  seed = 0;
  /** Null for a game without clocks. @type {Clock | null} */
  clock = null;
  /** The side that gave up. @type {Color | null} */
  resigned = null;
  /** The side whose time ran out. @type {Color | null} */
  late = null;

  /**
   * @param {Color} color
   * @param {Level} level
   * @param {TimeControl | null} control
   */
  begin(color, level, control) {
    this.color = color;
    this.level = level;
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.clock = control === null ? null : new Clock(control);
    this.resigned = this.late = null;
  }

  end() {
    this.color = this.resigned = this.late = this.clock = null;
  }

  /** Whether a game goes on. @param {GameTree} tree */
  isOn({ position }) {
    return this.color !== null && this.loser === null && !position.isOver;
  }

  /** The side that lost without a last move. */
  get loser() {
    return this.resigned ?? this.late;
  }

  /**
   * Whether the engine is to move: it is its turn, and the game has no move here yet.
   * @param {GameTree} tree
   */
  isEngineTurn(tree) {
    return this.isOn(tree) && tree.position.sideToMove !== this.color && !tree.hasNext;
  }

  /**
   * Lets the clock of the side to move at the end of the game run.
   * @param {GameTree} tree
   */
  follow(tree) {
    if (this.clock === null) return;
    const line = tree.line();
    const { position } = line[line.length - 1];
    if (position.isOver || this.loser !== null) this.clock.stop();
    else this.clock.follow(position.sideToMove, line.length - 1);
  }

  /** What the engine is told of its clock. */
  get engineClock() {
    if (this.clock === null || this.color === null) return undefined;
    const remainingMs = Math.floor(this.clock.left(opponent(this.color)));
    return { remainingMs, incrementMs: this.clock.incrementMs };
  }

  /** Ends the game if a side's time is up. Returns whether it did. */
  checkClock() {
    const late = this.clock?.flagged ?? null;
    if (late === null || this.loser !== null) return false;
    this.late = late;
    this.clock?.stop();
    return true;
  }

  /**
   * Takes the person's last move back, with the answer to it.
   * @param {GameTree} tree
   */
  undo(tree) {
    let node = tree.current;
    while (node.parent !== null && node.mover !== this.color) node = node.parent;
    if (node.parent === null) return false;
    tree.remove(node);
    tree.goTo(node.parent);
    return true;
  }

  /** The person gives up. */
  resign() {
    this.resigned = this.color;
  }

  /**
   * How the game ended, for the person; empty while it goes on.
   * @param {GameTree} tree
   */
  resultText({ position }) {
    if (this.color === null) return "";
    if (this.late !== null) return t("timeUp", { color: colorText(this.late) });
    if (this.resigned !== null) return t("resigned", { color: colorText(this.resigned) });
    if (!position.isOver) return "";
    const score = (finalScore(position) ?? 0) * (this.color === "black" ? 1 : -1);
    if (score === 0) return t("over", { result: t("draw") });
    return t(score > 0 ? "youWin" : "youLose", { discs: Math.abs(score) });
  }
}
