// What the line below the board says, and a screen reader reads out.

import { finalScore, winner } from "./game_tree.js";
import { colorText, t } from "./text.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./values.js").Values} Values */

/**
 * Says what the move to a node was, and who is to move.
 * @param {Node} node
 */
export function moveText(node) {
  const parts = [];
  if (node.mover !== null) {
    parts.push(t("played", { color: colorText(node.mover), move: node.move ?? "" }));
  }
  if (node.passed !== null) parts.push(t("passes", { color: colorText(node.passed) }));
  parts.push(standing(node));
  return parts.join(" ");
}

/**
 * Who is to move, or how the game ended.
 * @param {Node} node
 */
export function standing({ position }) {
  if (!position.isOver) return t("toMove", { color: colorText(position.sideToMove) });
  const color = winner(position);
  const discs = Math.abs(finalScore(position) ?? 0);
  const result = color === null ? t("draw") : t("wins", { color: colorText(color), discs });
  return t("over", { result });
}

/**
 * Says what a mistake lost, and what was better.
 * @param {Node} node the position after it
 * @param {Values} values
 */
export function mistakeText({ number, mover, move, parent }, values) {
  const found = parent === null ? null : values.loss(parent.position, move ?? "");
  const loss = (found?.loss ?? 0).toFixed(1);
  const color = colorText(mover ?? "black");
  return t("mistake", { number, color, move: move ?? "", loss, better: found?.better ?? "" });
}
