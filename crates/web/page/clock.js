// The clocks of a game: time left of each side.

import { opponent } from "./rules.js";

/** @typedef {import("./rules.js").Color} Color */

/**
 * @typedef {object} TimeControl
 * @property {number} minutes for the whole game
 * @property {number} seconds added after each move
 */

export class Clock {
  /** Milliseconds when the clock of the side was last stopped. @type {Record<Color, number>} */
  #left;
  /** The side whose clock runs, and since when. @type {{color: Color, since: number} | null} */
  #running = null;
  #plies = 0;

  /**
   * @param {TimeControl} control
   * @param {() => number} now milliseconds
   */
  constructor({ minutes, seconds }, now = () => performance.now()) {
    this.incrementMs = 1000 * seconds;
    this.#left = { black: 60_000 * minutes, white: 60_000 * minutes };
    this.now = now;
  }

  /** Milliseconds left, at least 0. @param {Color} color */
  left(color) {
    const spent = this.#running?.color === color ? this.now() - this.#running.since : 0;
    return Math.max(0, this.#left[color] - spent);
  }

  /** The side whose time is up. @returns {Color | null} */
  get flagged() {
    const color = this.#running?.color;
    return color !== undefined && this.left(color) === 0 ? color : null;
  }

  /**
   * Lets the clock of the side to move run, after so many moves. Whoever made the last one gets the
   * increment; nobody does where moves were taken back.
   * @param {Color} color
   * @param {number} plies
   */
  follow(color, plies) {
    if (this.#running !== null && plies === this.#plies) return;
    const mover = this.#running?.color ?? opponent(color);
    const hasMoved = this.#running !== null && plies > this.#plies;
    this.stop();
    if (hasMoved) this.#left[mover] += this.incrementMs;
    this.#plies = plies;
    this.#running = { color, since: this.now() };
  }

  /** Stops both clocks. */
  stop() {
    if (this.#running === null) return;
    const { color } = this.#running;
    this.#left[color] = this.left(color);
    this.#running = null;
  }
}

/**
 * Time as a clock shows it: `4:07`, and tenths in the last ten seconds.
 * @param {number} ms
 */
export function clockText(ms) {
  if (ms < 10_000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
