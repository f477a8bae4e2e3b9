// What each square shows and is called.

import { SQUARES } from "./rules.js";
import { colorText, t } from "./text.js";
import { depthText, spreadText, toExactText, valueText } from "./value_text.js";

/** @typedef {import("../umigame/board.js").SquareView} SquareView */
/** @typedef {import("./game_tree.js").GameTree} GameTree */
/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./engine.js").Layers} Layers */
/** @typedef {"stable" | "frontier" | "regions" | "openness"} LayerName */

/**
 * @typedef {object} Shown
 * @property {{move: string, value: Value}[]} values best first; none if they are hidden
 * @property {boolean} legal
 * @property {boolean} numbers
 * @property {Layers | null} layers
 * @property {Set<LayerName>} chosen layers to show
 * @property {string | null} played the move that the game goes on with, where it is a mistake
 */

/**
 * The squares of the current position of a game.
 * @param {GameTree} tree
 * @param {Shown} shown
 * @returns {Map<string, SquareView>}
 */
export function squareViews(tree, shown) {
  const { position, current } = tree;
  const legal = new Set(position.legalMoves());
  const values = new Map(shown.values.map(({ move, value }) => [move, value]));
  const best = shown.values[0]?.value.eval;
  const numbers = shown.numbers ? moveNumbers(tree) : new Map();
  const layers = layerViews(position, shown);
  return new Map(
    SQUARES.map((square) => {
      const value = values.get(square);
      /** @type {SquareView} */
      const view = {
        legal: shown.legal && legal.has(square),
        last: square === current.move,
        best: value !== undefined && value.eval === best,
        played: square === shown.played,
        number: numbers.get(square),
        ...(value === undefined ? {} : valueView(value)),
        ...layers.get(square),
        label: "",
      };
      view.label = labelOf(square, position, legal.has(square), view, value);
      return [square, view];
    }),
  );
}

/** @param {Value} value */
function valueView(value) {
  return {
    value: valueText(value),
    spread: spreadText(value),
    title: toExactText(value),
    depth: value.exact ? "" : depthText(value).replace(/^(\d+)@.*/, "$1"),
  };
}

/**
 * The numbers of the moves up to the current position, by square.
 * @param {GameTree} tree
 */
function moveNumbers(tree) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  for (const { move, number } of tree.line().slice(0, tree.index + 1)) {
    if (move !== null) numbers.set(move, number);
  }
  return numbers;
}

/**
 * @param {Position} position
 * @param {Shown} shown
 * @returns {Map<string, Partial<SquareView>>}
 */
function layerViews(position, { layers, chosen }) {
  /** @type {Map<string, Partial<SquareView>>} */
  const views = new Map();
  const add = (/** @type {string} */ square, /** @type {Partial<SquareView>} */ view) =>
    views.set(square, { ...views.get(square), ...view });
  if (layers === null) return views;
  for (const color of /** @type {const} */ (["black", "white"])) {
    if (chosen.has("frontier")) for (const square of layers.frontier[color]) add(square, { frontier: " " });
    if (chosen.has("stable")) for (const square of layers.stable[color]) add(square, { stable: "\u25c6" });
  }
  if (chosen.has("regions")) {
    layers.regions.forEach((squares, index) => {
      const name = String.fromCharCode(65 + (index % 26)) + squares.length;
      for (const square of squares) add(square, { region: name });
    });
  }
  if (chosen.has("openness")) {
    for (const square of position.legalMoves()) {
      const openness = layers.openness[square];
      if (openness !== undefined) add(square, { openness: `\u25cb${openness}` });
    }
  }
  return views;
}

/**
 * The name of a square for screen readers.
 * @param {string} square
 * @param {Position} position
 * @param {boolean} isLegal
 * @param {SquareView} view
 * @param {Value | undefined} value
 */
function labelOf(square, position, isLegal, view, value) {
  const color = position.at(square);
  const parts = [];
  if (color !== null) parts.push(t("squareDisc", { square, color: colorText(color) }));
  else parts.push(t(isLegal ? "squareLegal" : "squareEmpty", { square }));
  if (view.last) parts.push(t("lastMove"));
  if (value !== undefined) {
    parts.push(t("valueOf", { value: valueText(value) }));
    if (value.exact) parts.push(t("exact"));
    else {
      if (value.std_dev !== null) parts.push(t("spreadOf", { spread: value.std_dev.toFixed(1) }));
      parts.push(t("depthOf", { depth: depthText(value) }));
      if (toExactText(value) !== "") parts.push(toExactText(value));
    }
    if (view.best) parts.push(t("bestMove"));
  }
  if (view.stable) parts.push(t("stableDisc"));
  if (view.frontier) parts.push(t("frontierDisc"));
  if (view.region) parts.push(t("regionOf", { region: view.region }));
  if (view.openness) parts.push(t("opennessOf", { openness: view.openness.slice(1) }));
  return parts.join(t("separator"));
}
