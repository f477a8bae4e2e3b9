// A game against a level: whose turn it is, and how it ends.

import { byId, h, replace, setText } from "./dom.js";
import { finalScore } from "./game_tree.js";
import { colorText, t } from "./text.js";

/** @typedef {import("./rules.js").Color} Color */
/** @typedef {import("./game_tree.js").GameTree} GameTree */
/** @typedef {import("./engine.js").Level} Level */

export class Play {
  constructor() {
    /** The color of the person; null while no game is played. @type {Color | null} */
    this.color = null;
    this.level = "1";
    /** The side that gave up. @type {Color | null} */
    this.resigned = null;
  }

  /**
   * @param {Color} color
   * @param {string} level
   */
  begin(color, level) {
    this.color = color;
    this.level = level;
    this.resigned = null;
  }

  end() {
    this.color = null;
    this.resigned = null;
  }

  /** Whether a game goes on. @param {GameTree} tree */
  isOn({ position }) {
    return this.color !== null && this.resigned === null && !position.isOver;
  }

  /**
   * Whether the engine is to move: it is its turn, and the game has no move here yet.
   * @param {GameTree} tree
   */
  isEngineTurn(tree) {
    return this.isOn(tree) && tree.position.sideToMove !== this.color && !tree.hasNext;
  }

  /**
   * Takes the person's last move back, with the answer to it.
   * @param {GameTree} tree
   */
  undo(tree) {
    let node = tree.current;
    while (node.parent !== null && node.mover !== this.color) node = node.parent;
    if (node.parent === null) return false;
    tree.remove(node);
    tree.goTo(node.parent);
    return true;
  }

  /** The person gives up. */
  resign() {
    this.resigned = this.color;
  }

  /**
   * How the game ended, for the person; empty while it goes on.
   * @param {GameTree} tree
   */
  resultText({ position }) {
    if (this.color === null) return "";
    if (this.resigned !== null) {
      return t("resigned", { color: colorText(this.resigned) });
    }
    if (!position.isOver) return "";
    const score = (finalScore(position) ?? 0) * (this.color === "black" ? 1 : -1);
    if (score === 0) return t("over", { result: t("draw") });
    return t(score > 0 ? "youWin" : "youLose", { discs: Math.abs(score) });
  }
}

/** The controls of a game, and the dialog that begins one. */
export class PlayPanel {
  /**
   * @param {{onBegin: (color: Color, level: string, fromHere: boolean) => void,
   *   onHint: () => void, onUndo: () => void, onResign: () => void, onEnd: () => void}} events
   */
  constructor({ onBegin, onHint, onUndo, onResign, onEnd }) {
    this.panel = byId("play-panel");
    this.dialog = /** @type {HTMLDialogElement} */ (byId("play-dialog"));
    this.levels = /** @type {HTMLSelectElement} */ (byId("play-level"));
    this.about = byId("play-about");
    /** @type {Level[]} */
    this.known = [];
    byId("play-hint").addEventListener("click", onHint);
    byId("play-undo").addEventListener("click", onUndo);
    byId("play-resign").addEventListener("click", onResign);
    byId("play-end").addEventListener("click", onEnd);
    this.levels.addEventListener("change", () => this.#describe());
    this.dialog.addEventListener("close", () => {
      if (this.dialog.returnValue !== "begin") return;
      const form = /** @type {HTMLFormElement} */ (this.dialog.querySelector("form"));
      const data = new FormData(form);
      const chosen = data.get("color");
      /** @type {Color[]} */
      const colors = ["black", "white"];
      const color = colors.find((each) => each === chosen) ?? "black";
      onBegin(color, String(data.get("level")), data.get("from-here") !== null);
    });
  }

  /**
   * Asks for a color and a level.
   * @param {Level[]} levels
   * @param {string} level
   * @param {Color} toMove
   */
  ask(levels, level, toMove) {
    this.known = levels;
    const options = levels.map((each) => {
      const named = t("levelNamed", { level: each.level, name: each.name ?? "" });
      const isNamed = each.name && each.name !== each.level && each.name !== `Level ${each.level}`;
      const text = isNamed ? named : t("levelPlain", { level: each.level });
      return h("option", { value: each.level, selected: each.level === level }, text);
    });
    this.levels.replaceChildren(...options);
    this.#describe();
    const choice = this.dialog.querySelector(`[name=color][value=${toMove}]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  #describe() {
    const level = this.known.find((each) => each.level === this.levels.value);
    const rating = level?.rating ? t("rating", { rating: Math.round(level.rating) }) : "";
    setText(this.about, [level?.text ?? "", rating].filter((part) => part !== "").join(" \u2013 "));
  }

  /**
   * @param {Play} play
   * @param {GameTree} tree
   * @param {boolean} isThinking
   */
  render(play, tree, isThinking) {
    this.panel.hidden = play.color === null;
    if (play.color === null) return;
    const who = t("youPlay", { color: colorText(play.color), level: play.level });
    const state = play.resultText(tree) || (isThinking ? t("thinking") : "");
    replace(byId("play-state"), [h("span", {}, who), h("b", {}, state)]);
    const isOn = play.isOn(tree);
    for (const [id, enabled] of /** @type {const} */ ([
      ["play-hint", isOn && !isThinking && tree.position.sideToMove === play.color],
      ["play-undo", tree.index > 0],
      ["play-resign", isOn],
    ])) {
      /** @type {HTMLButtonElement} */ (byId(id)).disabled = !enabled;
    }
  }
}

/**
 * The levels where the engine names none.
 * @returns {Level[]}
 */
export function plainLevels() {
  return Array.from({ length: 16 }, (_, index) => ({ level: String(index + 1) }));
}

