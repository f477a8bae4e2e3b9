// The controls of a game against the engine.

import { clockText } from "./clock.js";
import { byId, h, replace, setText } from "./dom.js";
import { levelName } from "./levels.js";
import { colorText, t } from "./text.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./game_tree.js").GameTree} GameTree */

export class PlayPanel {
  /** @param {{onHint: () => void, onUndo: () => void, onResign: () => void, onEnd: () => void}} events */
  constructor({ onHint, onUndo, onResign, onEnd }) {
    this.panel = byId("play-panel");
    byId("play-hint").addEventListener("click", onHint);
    byId("play-undo").addEventListener("click", onUndo);
    byId("play-resign").addEventListener("click", onResign);
    byId("play-end").addEventListener("click", onEnd);
  }

  /**
   * @param {Play} play
   * @param {GameTree} tree
   * @param {boolean} isThinking
   */
  render(play, tree, isThinking) {
    this.panel.hidden = play.color === null;
    if (play.color === null) return;
    const words = { color: colorText(play.color), level: levelName(play.level) };
    const state = play.resultText(tree) || (isThinking ? t("thinking") : "");
    replace(byId("play-state"), [h("span", {}, t("youPlay", words)), h("b", {}, state)]);
    this.showClocks(play);
    const isOn = play.isOn(tree);
    for (const [id, enabled] of /** @type {const} */ ([
      ["play-hint", isOn && !isThinking && tree.position.sideToMove === play.color],
      ["play-undo", tree.index > 0],
      ["play-resign", isOn],
    ])) {
      /** @type {HTMLButtonElement} */ (byId(id)).disabled = !enabled;
    }
  }

  /** @param {Play} play */
  showClocks({ clock }) {
    byId("clocks").hidden = clock === null;
    if (clock === null) return;
    for (const color of /** @type {const} */ (["black", "white"])) {
      setText(byId(`clock-${color}`), clockText(clock.left(color)));
    }
  }
}
