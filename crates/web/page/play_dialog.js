// The dialog that begins a game against the engine.

import { byId, h, setText } from "./dom.js";
import { isNamed, levelName, levelText } from "./levels.js";
import { currentLanguage, t } from "./text.js";

/** @typedef {import("./rules.js").Color} Color */
/** @typedef {import("./engine.js").Level} Level */
/** @typedef {import("./clock.js").TimeControl} TimeControl */
/** @typedef {import("./openings.js").Openings} Openings */

/**
 * Where a game begins: the start position, the one on the board, moves of an opening, or a random even
 * position.
 * @typedef {"start" | "here" | "xot" | string[]} Beginning
 */

/** Clocks to choose from. @type {TimeControl[]} */
const CONTROLS = [
  { minutes: 1, seconds: 0 },
  { minutes: 3, seconds: 2 },
  { minutes: 5, seconds: 0 },
  { minutes: 10, seconds: 5 },
  { minutes: 25, seconds: 0 },
];

/** @param {string} id */
function select(id) {
  return /** @type {HTMLSelectElement} */ (byId(id));
}

export class PlayDialog {
  /** @param {(color: Color, level: Level, beginning: Beginning, control: TimeControl | null) => void} onBegin */
  constructor(onBegin) {
    this.dialog = /** @type {HTMLDialogElement} */ (byId("play-dialog"));
    this.level = select("play-level");
    this.beginning = select("play-beginning");
    this.opening = /** @type {HTMLInputElement} */ (byId("play-opening"));
    this.time = select("play-time");
    /** @type {Level[]} */
    this.levels = [];
    /** Moves of openings by their name. @type {Map<string, string[]>} */
    this.openings = new Map();
    this.level.addEventListener("change", () => this.#describe());
    this.beginning.addEventListener("change", () => this.#showOpening());
    this.opening.addEventListener("input", () => this.#checkOpening());
    this.dialog.addEventListener("close", () => {
      if (this.dialog.returnValue !== "begin") return;
      const level = this.#chosenLevel();
      if (level !== undefined) onBegin(this.#color(), level, this.#chosenBeginning(), this.#control());
    });
  }

  /**
   * Asks for a color, a level, a beginning and clocks.
   * @param {Level[]} levels
   * @param {string} level
   * @param {Color} toMove
   * @param {Openings | null} openings
   */
  ask(levels, level, toMove, openings) {
    this.levels = levels;
    const option = (/** @type {Level} */ each) =>
      h("option", { value: each.level, selected: each.level === level }, levelName(each));
    const named = levels.filter(isNamed);
    const numbered = levels.filter((each) => !isNamed(each));
    this.level.replaceChildren(
      ...(named.length > 0 ? [h("optgroup", { label: t("levelsNamed") }, ...named.map(option))] : []),
      h("optgroup", { label: t("levelsNumbered") }, ...numbered.map(option)),
    );
    this.#fillTimes();
    this.openings = openings?.named(currentLanguage()) ?? new Map();
    byId("play-openings").replaceChildren(
      ...[...this.openings.keys()].map((name) => h("option", { value: name })),
    );
    this.#describe();
    this.#showOpening();
    const choice = this.dialog.querySelector(`[name=color][value=${toMove}]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  #fillTimes() {
    const chosen = this.time.value;
    const none = h("option", { value: "none", selected: true }, t("noClock"));
    const options = CONTROLS.map(({ minutes, seconds }, index) => {
      const text = seconds === 0 ? t("minutes", { minutes }) : t("minutesAnd", { minutes, seconds });
      return h("option", { value: String(index), selected: chosen === String(index) }, text);
    });
    this.time.replaceChildren(none, ...options);
  }

  #chosenLevel() {
    return this.levels.find((each) => each.level === this.level.value);
  }

  #color() {
    const white = this.dialog.querySelector("[name=color][value=white]");
    return white instanceof HTMLInputElement && white.checked ? "white" : "black";
  }

  /** @returns {Beginning} */
  #chosenBeginning() {
    const chosen = this.beginning.value;
    if (chosen === "opening") return this.openings.get(this.opening.value.trim()) ?? "start";
    return chosen === "here" || chosen === "xot" ? chosen : "start";
  }

  /** @returns {TimeControl | null} */
  #control() {
    return CONTROLS[Number(this.time.value)] ?? null;
  }

  #describe() {
    const level = this.#chosenLevel();
    setText(byId("play-about"), level === undefined ? "" : levelText(level));
  }

  #showOpening() {
    const isNamed = this.beginning.value === "opening";
    byId("play-opening-field").hidden = !isNamed;
    this.opening.required = isNamed;
    this.#checkOpening();
  }

  /** A name that is no opening keeps the dialog open, and says so. */
  #checkOpening() {
    const isKnown = !this.opening.required || this.openings.has(this.opening.value.trim());
    this.opening.setCustomValidity(isKnown ? "" : t("noOpening"));
  }
}
