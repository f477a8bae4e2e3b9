// The panel of values: the engine's switch, how deep it has searched, the chances of the side to
// move, and the best lines.

import { byId, h, replace, setText } from "./dom.js";
import { colorText, t } from "./text.js";
import { depthText, percentages, spreadText, toExactText, valueText } from "./value_text.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./rules.js").Position} Position */

/** Best lines shown, and their moves. */
const LINES = 3;
const LINE_MOVES = 10;

/** @type {Record<import("./engine.js").Loading["stage"], import("./text.js").TextKey>} */
const LOADING_TEXTS = {
  first: "loadingFirst",
  full: "loadingFull",
  done: "loadingFull",
  failed: "loadingFailed",
};

/**
 * @typedef {object} PanelView
 * @property {Position} position
 * @property {{move: string, value: Value}[]} values best first
 * @property {boolean} isOn
 * @property {boolean} isSearching
 * @property {boolean} isBusy another search runs
 * @property {boolean} isDeep the search has no end
 * @property {string | null} fault
 */

export class EnginePanel {
  /**
   * @param {{onSwitch: (on: boolean) => void, onDeeper: () => void,
   *   onLine: (moves: string[]) => void, onPoint: (move: string | null) => void}} events
   */
  constructor({ onSwitch, onDeeper, onLine, onPoint }) {
    this.toggle = /** @type {HTMLInputElement} */ (byId("engine-switch"));
    this.state = byId("engine-state");
    this.deeper = /** @type {HTMLButtonElement} */ (byId("deeper"));
    this.wdl = byId("wdl");
    this.lines = byId("lines");
    this.toggle.addEventListener("change", () => onSwitch(this.toggle.checked));
    this.deeper.addEventListener("click", onDeeper);
    /** @type {string[][]} */
    this.shown = [];
    this.lines.addEventListener("click", (event) => {
      const found = placeOf(event.target);
      if (found !== null) onLine(this.shown[found.line].slice(0, found.move + 1));
    });
    const point = (/** @type {Event} */ event) => {
      const found = placeOf(event.target);
      onPoint(found === null ? null : this.shown[found.line][0]);
    };
    this.lines.addEventListener("pointerover", point);
    this.lines.addEventListener("pointerleave", () => onPoint(null));
    this.lines.addEventListener("focusin", point);
    this.lines.addEventListener("focusout", () => onPoint(null));
  }

  /** @param {import("./engine.js").Loading} loading */
  showLoading({ stage, share }) {
    byId("loading").hidden = stage === "done";
    setText(byId("loading-text"), t(LOADING_TEXTS[stage]));
    const bar = /** @type {HTMLProgressElement} */ (byId("loading-bar"));
    bar.hidden = stage === "failed";
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  }

  /** @param {PanelView} view */
  render(view) {
    const { position, values, isOn, isSearching, isDeep } = view;
    this.toggle.checked = isOn;
    const best = values[0]?.value;
    setText(this.state, stateText(view));
    this.deeper.disabled = !isOn || isDeep || position.isOver || best?.exact === true;
    this.deeper.classList.toggle("running", isSearching && isDeep);
    replace(this.wdl, isOn && best?.wdl ? chances(best.wdl, position) : []);
    this.shown = isOn ? values.slice(0, LINES).map(({ move, value }) => lineOf(move, value)) : [];
    const rows = this.shown.map((moves, line) => {
      const { value } = values[line];
      return h(
        "li",
        { title: toExactText(value) || null },
        h("b", {}, valueText(value)),
        h("small", {}, spreadText(value)),
        h("span", { class: "line" }, ...moves.map((move, index) => step(move, line, index))),
      );
    });
    replace(this.lines, rows);
  }
}

/** @param {PanelView} view */
function stateText({ position, values, isOn, isSearching, isBusy, fault }) {
  if (!isOn) return t("engineOff");
  if (fault !== null) return fault;
  if (position.isOver) return "";
  if (isBusy) return t("engineBusy");
  const best = values[0]?.value;
  if (best === undefined) return isSearching ? "\u2026" : t("noValues");
  if (best.exact && values.every(({ value }) => value.exact)) return t("solved");
  const reached = t(isSearching ? "searching" : "reached", { depth: depthText(best) });
  return [reached, toExactText(best)].filter((text) => text !== "").join(t("separator"));
}

/**
 * @param {string} move
 * @param {Value} value
 */
function lineOf(move, value) {
  return value.line[0] === move ? value.line.slice(0, LINE_MOVES) : [move];
}

/**
 * @param {string} move
 * @param {number} line
 * @param {number} index
 */
function step(move, line, index) {
  const text = move === "pass" ? t("pass") : move;
  return h("button", { type: "button", class: "step", "data-key": `${line}.${index}` }, text);
}

/** @param {EventTarget | null} target */
function placeOf(target) {
  if (!(target instanceof Element)) return null;
  const key = target.closest("[data-key]")?.getAttribute("data-key");
  if (key === null || key === undefined) return null;
  const [line, move] = key.split(".").map(Number);
  return { line, move };
}

/**
 * Win, draw and loss, always all three and in that order.
 * @param {{win: number, draw: number, loss: number}} wdl
 * @param {Position} position
 */
function chances(wdl, position) {
  const shares = percentages(wdl);
  const bar = h(
    "div",
    { class: "bar", "aria-hidden": true },
    .../** @type {const} */ (["win", "draw", "loss"]).map((part) =>
      h("span", { class: part, style: `flex-grow:${Math.max(0.001, wdl[part])}` }),
    ),
  );
  const words = { color: colorText(position.sideToMove), ...shares };
  return [bar, h("p", {}, t("wdlFor", words))];
}
