// What stands below a board: the discs of both sides, and the slider with its buttons.

import { byId, setText } from "./dom.js";
import { t } from "./text.js";

/**
 * Shows how many discs each side has, and whose turn it is.
 * @param {import("./rules.js").Position} position
 */
export function showDiscs(position) {
  for (const color of /** @type {const} */ (["black", "white"])) {
    const element = byId(`discs-${color}`);
    const count = position.discs[color];
    setText(/** @type {Element} */ (element.querySelector("b")), String(count));
    element.classList.toggle("turn", !position.isOver && position.sideToMove === color);
    element.setAttribute("aria-label", `${t(color)} ${count}`);
  }
}

/**
 * Shows the place in the game on the slider and by its buttons.
 * @param {import("./game_tree.js").GameTree} tree
 */
export function showPlace(tree) {
  const total = tree.line().length - 1;
  const place = /** @type {HTMLInputElement} */ (byId("place"));
  place.max = String(total);
  place.value = String(tree.index);
  place.setAttribute("aria-valuetext", t("moveOf", { number: tree.index, total }));
  for (const [id, enabled] of /** @type {const} */ ([
    ["first", tree.index > 0],
    ["back", tree.index > 0],
    ["forward", tree.hasNext],
    ["last", tree.hasNext],
  ])) {
    /** @type {HTMLButtonElement} */ (byId(id)).disabled = !enabled;
  }
}
