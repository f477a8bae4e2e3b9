// The rules of the game: those of the npm package, served beside the page.

import { Game } from "../umigame/game.js";
import { Position } from "../umigame/position.js";

export { SQUARES } from "../umigame/squares.js";
export { Game, Position };

/** @typedef {"black" | "white"} Color */

/**
 * Returns the other color.
 * @param {Color} color
 * @returns {Color}
 */
export function opponent(color) {
  return color === "black" ? "white" : "black";
}

/**
 * Returns why a move to a square is illegal; null if it is legal.
 * @param {Position} position
 * @param {string} square
 * @returns {"over" | "occupied" | "flipsNothing" | null}
 */
export function whyIllegal(position, square) {
  if (position.isOver) return "over";
  if (position.at(square) !== null) return "occupied";
  return position.flips(square).length > 0 ? null : "flipsNothing";
}

/**
 * Plays the pass of a side that has no legal move.
 * @param {Position} position
 */
export function afterPass(position) {
  return position.mustPass ? position.play("pass") : position;
}
