// A line of play shown on the board while a move is pointed at; the game stays where it is.

import { afterPass } from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */

/** Time before the first move is shown, and from one to the next, in milliseconds. */
const WAIT_MS = 500;
const STEP_MS = 420;
/** Moves shown at most. */
const MAX_MOVES = 12;

export class Preview {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #key = "";
  /** The position that the line begins in. @type {Position | null} */
  #from = null;

  /**
   * @param {(shown: {position: Position, numbers: Map<string, number>} | null) => void} onShow
   * receives the position to show, or null for that of the game
   */
  constructor(onShow) {
    this.onShow = onShow;
    this.active = false;
  }

  /**
   * Plays out a line from a position, one move after the other, or at once where motion is unwanted.
   * @param {Position} from
   * @param {string[]} line
   * @param {boolean} still
   */
  start(from, line, still) {
    const key = `${from.text} ${line[0]}`;
    if (key === this.#key) return;
    this.stop();
    this.#key = key;
    this.#from = from;
    const numbers = new Map();
    let position = from;
    let at = 0;
    const step = () => {
      while (at < line.length && line[at] === "pass") at++;
      if (at >= line.length || numbers.size >= MAX_MOVES) return;
      const move = line[at++];
      if (!position.isLegal(move)) return;
      position = afterPass(position.play(move));
      numbers.set(move, numbers.size + 1);
      if (still) return step();
      this.#show(position, numbers);
      this.#timer = setTimeout(step, STEP_MS);
    };
    this.#timer = setTimeout(() => {
      step();
      if (still) this.#show(position, numbers);
    }, WAIT_MS);
  }

  /**
   * @param {Position} position
   * @param {Map<string, number>} numbers
   */
  #show(position, numbers) {
    this.active = true;
    this.onShow({ position, numbers });
  }

  /**
   * Stops unless the line begins in a position: what else is new there leaves it as it is.
   * @param {Position | null} position
   */
  keepIn(position) {
    if (this.#from !== position) this.stop();
  }

  /** Shows the game again. */
  stop() {
    clearTimeout(this.#timer);
    this.#key = "";
    this.#from = null;
    if (!this.active) return;
    this.active = false;
    this.onShow(null);
  }
}
