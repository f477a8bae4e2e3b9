// How games against the engine differ from each other: a start at random, and choices among moves
// that are about as good.

import { isAbort } from "./engine.js";
import { isNamed } from "./levels.js";
import { Position } from "./rules.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").Level} Level */

/** Moves that lose at most so many discs are as good as the best. */
const TOLERANCE = 1;
/** The first moves of a game that are chosen so, for both sides. */
const VARIED_PLIES = 10;
/** Deepest search for them. */
const VARIED_DEPTH = 10;
/** Moves of an XOT opening, which are random. */
const XOT_PLIES = 8;
/** Discs that one side may be ahead by after them. */
const XOT_MARGIN = 2.5;
const XOT_DEPTH = 8;
const XOT_TRIES = 100;

/**
 * @template T
 * @param {readonly T[]} items at least one
 */
function oneOf(items) {
  return items[Math.floor(Math.random() * items.length)];
}

/**
 * Returns a move of the opening that is about as good as the best; null where the game is beyond the
 * opening, or the level varies by itself.
 * @param {Engine} engine
 * @param {Position} position
 * @param {Level} level
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}
 */
export async function variedMove(engine, position, level, signal) {
  if (isNamed(level) || 60 - position.discs.empty >= VARIED_PLIES || (await engine.hasBook())) return null;
  const depth = Math.min(level.depth ?? VARIED_DEPTH, VARIED_DEPTH);
  const { lines } = await engine.values(position.text, { depth, lines: 6, signal });
  const best = lines[0]?.eval ?? 0;
  const good = lines.filter((line) => line.eval >= best - TOLERANCE);
  return good.length > 0 ? oneOf(good).move : null;
}

/** Plays random moves; null where a side would have to pass. */
function randomStart() {
  let position = Position.start();
  const moves = [];
  for (let ply = 0; ply < XOT_PLIES; ply++) {
    const legal = position.legalMoves();
    if (legal.length === 0) return null;
    moves.push(oneOf(legal));
    position = position.play(moves[ply]);
  }
  return position.mustPass || position.isOver ? null : { moves, position };
}

/**
 * Returns an opening as in XOT games: random moves to a position that the engine thinks even.
 * Without an engine it may be uneven.
 * @param {Engine} engine
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>}
 */
export async function xotStart(engine, signal) {
  let found = ["f5"];
  for (let tries = 0; tries < XOT_TRIES; tries++) {
    const start = randomStart();
    if (start === null) continue;
    found = start.moves;
    try {
      const { lines } = await engine.values(start.position.text, { depth: XOT_DEPTH, lines: 1, signal });
      if (Math.abs(lines[0].eval) <= XOT_MARGIN) return found;
    } catch (error) {
      if (isAbort(error)) throw error;
      return found;
    }
  }
  return found;
}
