// What a person asks the engine for once: a hint, and the analysis of the game.

import { t } from "./text.js";
import { valueText } from "./value_text.js";

/** @typedef {import("./app.js").App} App */

/** A hint is the best move of a search this deep. */
const HINT_DEPTH = 12;

/**
 * Shows the best move of the current position.
 * @param {App} app
 */
export async function hint(app) {
  const { position } = app.tree;
  if (position.isOver || app.play.isEngineTurn(app.tree)) return;
  await app.run("hint", async (signal) => {
    const lines = position.legalMoves().length;
    const report = await app.engine.values(position.text, { depth: HINT_DEPTH, lines, signal });
    app.values.add(position, report);
    const [best] = app.values.of(position);
    if (best === undefined || position !== app.tree.position) return;
    app.hinted = { position: position.text, move: best.move };
    app.message = t("hintIs", { move: best.move, value: valueText(best.value) });
  });
}

/**
 * Judges the moves of the current line.
 * @param {App} app
 */
export async function analyze(app) {
  const total = app.tree.line().length - 1;
  if (total === 0) return;
  app.progress = { done: 0, total };
  await app.run("analysis", async (signal) => {
    const onReport = (/** @type {import("./engine.js").Analysis} */ analysis) => {
      app.values.addAnalysis(analysis);
      app.progress = { done: analysis.moves.length, total };
      app.views.onValues();
    };
    onReport(await app.engine.analyze(app.tree.transcript, { signal, onReport }));
  });
}
