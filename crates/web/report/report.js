// The page of a judged game: the board with its values, the graph, and what leads from one to the
// other. It is one file; where a server of umigame sent it, the engine values variations, too.

import { App } from "../page/app.js";
import { byId, h, replace, setText } from "../page/dom.js";
import { GameTree } from "../page/game_tree.js";
import { Graph, valueForBlack } from "../page/graph.js";
import { httpEngine, serverToken } from "../page/http_engine.js";
import { listenToKeys, listenToWheel } from "../page/keys.js";
import { Position } from "../page/rules.js";
import { moveText } from "../page/said.js";
import { showDiscs, showPlace } from "../page/stage.js";
import { t } from "../page/text.js";
import { depthText, discsText, spreadText } from "../page/value_text.js";
import { Values } from "../page/values.js";
import { squareViews } from "../page/views.js";
import { Squares } from "../umigame/squares.js";

/** @typedef {import("../page/engine.js").Engine} Engine */
/** @typedef {import("../page/engine.js").Analysis} Analysis */
/** @typedef {import("../page/game_tree.js").Node} Node */

/** The analysis, and what there is to say of each position of the game.
 * @type {{analysis: Analysis, captions: string[]}} */
const { analysis, captions } = JSON.parse(byId("report").textContent ?? "");

/** Shows values at any time: nobody plays against the engine here. */
class Report extends App {
  get showsValues() {
    return true;
  }
}

/** What stands in for the engine where there is none. */
const nothing = { lines: [], kind: "depth", depth: 0, confidence: 100, label: "0", nodes: 0, ms: 0 };
const noEngine = /** @type {Engine} */ (/** @type {unknown} */ ({ values: async () => nothing }));

const token = serverToken();
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
const settings = { language: null, theme: null, engine: true, legal: true, numbers: false, level: "1" };
const app = new Report(token === "" ? noEngine : httpEngine(token, new URL("../", document.baseURI)), settings, {
  onChange: () => render(),
  onValues: () => render(),
  onRefuse: (square) => board.refuse(square),
});
// The values are those of the table: one of a later position changes none before it.
app.values = new Values({ improves: false });
app.values.addAnalysis(analysis);
app.tree = GameTree.fromMoves(
  Position.fromText(analysis.start),
  analysis.transcript.match(/[a-h][1-8]/g) ?? [],
);
/** The nodes of the game. */
const game = app.tree.line();

const board = new Squares(byId("board"), { onPress: (square) => app.playSquare(square), onPoint: () => {} });
board.grid.setAttribute("aria-labelledby", "board-title");
// The losses of both sides stand on the page already.
const graph = new Graph(byId("graph"), h("div"), (index) => app.goToIndex(index));

function render() {
  const { tree, values } = app;
  const shown = { values: app.shownValues, legal: true, numbers: false, layers: null, chosen: new Set() };
  const views = squareViews(tree, { ...shown, played: app.mistakeAhead?.move ?? null });
  board.render(tree.position, views, { animate: !stillness.matches });
  graph.render(tree.line(), tree.index, values);
  setText(byId("status"), app.fault ?? said(tree.current));
  showPlace(tree);
  showDiscs(tree.position);
  byId("to-game").hidden = tree.isMainLine;
  replace(byId("variations"), variations());
  for (const row of document.querySelectorAll("[data-n]")) {
    row.classList.toggle("now", tree.isMainLine && row.getAttribute("data-n") === String(tree.index));
  }
}

/**
 * What there is to say: of what was done, or of the position.
 * @param {Node} node
 */
function said(node) {
  if (app.message !== "" && app.message !== moveText(node)) return app.message;
  if (game[node.number] === node) return captions[node.number] ?? "";
  const value = valueForBlack(node, app.values);
  if (value === null) return moveText(node);
  const depth = value.exact ? "" : ` (${depthText(value)})`;
  const score = `${discsText(value.eval, value.exact)} ${spreadText(value)}${depth}`;
  return `${moveText(node)} ${t("forBlackIs", { score })}`;
}

/** The variations, a line each. @returns {HTMLElement[]} */
function variations() {
  /** @type {HTMLElement[]} */
  const lines = [];
  const collect = (/** @type {Node} */ first, /** @type {boolean} */ isGame) => {
    const steps = [];
    const others = [];
    for (let node = /** @type {Node | undefined} */ (first); node !== undefined; node = node.children[0]) {
      if (!isGame) steps.push(step(node, `${node === first ? `${node.number}. ` : ""}${node.move}`));
      others.push(...node.children.slice(1));
    }
    if (!isGame) lines.push(h("li", {}, ...steps));
    for (const other of others) collect(other, false);
  };
  collect(app.tree.root, true);
  return lines;
}

/** The nodes of buttons, and keys by which a button keeps the focus. @type {WeakMap<Element, Node>} */
const nodes = new WeakMap();
/** @type {Map<Node, string>} */
const keys = new Map();

/**
 * @param {Node} node
 * @param {string} text
 */
function step(node, text) {
  const current = node === app.tree.current ? "true" : null;
  const key = keys.get(node) ?? `step-${keys.size}`;
  keys.set(node, key);
  const button = h("button", { type: "button", class: "step", "data-key": key, "aria-current": current }, text);
  nodes.set(button, node);
  return button;
}

/** Goes to the place that the address names, `#37`. */
function goToHash() {
  const [, number] = /^#(\d+)$/.exec(location.hash) ?? [];
  if (number === undefined) return;
  // Forward leads along the game.
  app.tree.goTo(game[game.length - 1]);
  app.goTo(game[Math.min(Number(number), game.length - 1)]);
}

const jump = (/** @type {"first" | "last"} */ end) => app.goToIndex(end === "first" ? 0 : Infinity);
/** @type {Record<string, () => void>} */
const actions = {
  first: () => jump("first"),
  back: () => app.step(-1),
  forward: () => app.step(1),
  last: () => jump("last"),
  mistake: () => app.goToMistake(),
  "to-game": () => {
    let node = app.tree.current;
    while (game[node.number] !== node && node.parent !== null) node = node.parent;
    // Forward leads along the game again.
    app.tree.goTo(game[game.length - 1]);
    app.goTo(node);
  },
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
const place = /** @type {HTMLInputElement} */ (byId("place"));
place.addEventListener("input", () => app.goToIndex(Number(place.value)));
byId("variations").addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const node = button === null ? undefined : nodes.get(button);
  if (node !== undefined) app.goTo(node);
});
listenToWheel(byId("board"), (steps) => app.step(steps));
listenToKeys({
  step: (steps) => app.step(steps),
  jump,
  mistake: () => app.goToMistake(),
  board: () => board.focus(),
  engine: () => {},
  undo: () => {},
  hint: () => {},
});
// Rows and turning points are links; what is around them leads to the same place.
for (const row of document.querySelectorAll("[data-n]")) {
  row.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `#${row.getAttribute("data-n")}`);
    goToHash();
  });
}
addEventListener("hashchange", goToHash);
new ResizeObserver(() => render()).observe(byId("graph"));

document.documentElement.classList.add("js");
app.tree.goTo(game[0]);
app.goTo(game[0]);
goToHash();
