// The engine as an opponent: the beginning of a game, and its moves.

import { GameTree } from "./game_tree.js";
import { levelName } from "./levels.js";
import { Position } from "./rules.js";
import { saveSettings } from "./store.js";
import { colorText, t } from "./text.js";
import { variedMove, xotStart } from "./variety.js";

/** @typedef {import("./app.js").App} App */

/** @param {string[]} moves from the start */
function treeOf(moves) {
  return GameTree.fromMoves(Position.start(), moves);
}

/**
 * Begins a game against the engine.
 * @param {App} app
 * @param {import("./rules.js").Color} color of the person
 * @param {import("./engine.js").Level} level
 * @param {import("./play_dialog.js").Beginning} beginning
 * @param {import("./clock.js").TimeControl | null} control
 */
export async function beginGame(app, color, level, beginning, control) {
  app.stop();
  app.play.end();
  app.settings.level = level.level;
  saveSettings(app.settings);
  const begin = (/** @type {GameTree} */ tree) => {
    app.tree = tree;
    app.play.begin(color, level, control);
    app.message = t("youPlay", { color: colorText(color), level: levelName(level) });
  };
  if (beginning === "xot") {
    // What is to be done next is done after this search.
    return app.run("hint", async (signal) => begin(treeOf(await xotStart(app.engine, signal))));
  }
  if (beginning === "here") begin(app.tree.hasNext ? new GameTree(app.tree.position) : app.tree);
  else begin(treeOf(beginning === "start" ? [] : beginning));
  app.update();
}

/**
 * Returns the engine's move in the current position.
 * @param {App} app
 * @param {AbortSignal} signal
 */
export async function chosenMove({ engine, play, tree, views }, signal) {
  const { position } = tree;
  const { level, seed, engineClock: clock } = play;
  const pause = new Promise((resolve) => setTimeout(resolve, views.pauseMs?.() ?? 0));
  const varied = await variedMove(engine, position, level, signal);
  const options = { level: level.level, seed, clock, signal };
  const move = varied ?? (await engine.move(position.text, options)).move;
  await pause;
  return move;
}
