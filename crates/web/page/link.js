// The game in the address of the page: `#f5d6c3` for moves from the start, with `@2` for the place
// shown, or `#board=<64 squares><side>;moves`.

import { GameTree } from "./game_tree.js";
import { Position } from "./rules.js";

/**
 * Returns the part of the address after `#`; empty for an untouched start.
 * @param {GameTree} tree
 */
export function hashOf(tree) {
  const moves = tree.line().flatMap(({ move }) => move ?? []).join("");
  const isStart = tree.start.equals(Position.start());
  const board = isStart ? "" : `board=${tree.start.text.replace(" ", "")};`;
  const place = tree.hasNext ? `@${tree.index}` : "";
  return board + moves + place;
}

/**
 * Reads what {@link hashOf} wrote; null if there is nothing.
 * @param {string} hash with or without its `#`
 */
export function treeOfHash(hash) {
  const text = decodeURIComponent(hash.replace(/^#/, "")).trim();
  if (text === "") return null;
  const [, board, moves, place] = /^(?:board=([^;]*);)?(.*?)(?:@(\d+))?$/s.exec(text) ?? [];
  const tree = GameTree.fromText(board === undefined ? moves : `${board};${moves}`);
  if (place !== undefined) tree.goToIndex(Number(place));
  return tree;
}

/**
 * The address of the page with the game.
 * @param {GameTree} tree
 */
export function linkOf(tree) {
  const url = new URL(location.href);
  url.hash = hashOf(tree);
  return url.href;
}

/**
 * Reads a link to a page like this one; null if the text is none.
 * @param {string} text
 */
export function treeOfLink(text) {
  const [, hash] = /^\s*https?:\/\/[^\s#]*#(\S+)\s*$/.exec(text) ?? [];
  return hash === undefined ? null : treeOfHash(hash);
}
