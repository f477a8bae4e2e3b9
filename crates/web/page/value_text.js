// Values as people read them.

import { t } from "./text.js";

/** @typedef {import("./values.js").Value} Value */

/**
 * Writes discs with a sign: `+3.2`, `-1.0`, `0.0`; whole where exact.
 * @param {number} discs
 * @param {boolean} [exact]
 */
export function discsText(discs, exact = false) {
  const text = Math.abs(discs).toFixed(exact ? 0 : 1);
  if (Number(text) === 0) return text;
  return (discs < 0 ? "\u2212" : "+") + text;
}

/**
 * Writes a value with the sign of its bound.
 * @param {Value} value
 */
export function valueText(value) {
  const sign = { exact: "", lower: "\u2265", upper: "\u2264" }[value.bound];
  return sign + discsText(value.eval, value.exact);
}

/**
 * Writes how deep a value was searched: `20@73%`, `end@73%`.
 * @param {Value} value
 */
export function depthText({ depth }) {
  return /^\d+%$/.test(depth) ? t("toEnd", { confidence: depth }) : depth;
}

/**
 * Three whole percentages that add up to 100.
 * @param {{win: number, draw: number, loss: number}} wdl
 */
export function percentages({ win, draw, loss }) {
  const parts = [win, draw, loss].map((part) => 100 * part);
  const whole = parts.map(Math.floor);
  const order = [0, 1, 2].sort((a, b) => parts[b] - whole[b] - (parts[a] - whole[a]));
  for (let rest = 100 - whole[0] - whole[1] - whole[2], i = 0; rest > 0 && i < 3; rest--, i++) {
    whole[order[i]]++;
  }
  return { win: whole[0], draw: whole[1], loss: whole[2] };
}

/**
 * The mark of a move that loses so much, as in `umigame analyze`.
 * @param {number} loss
 */
export function markOf(loss) {
  if (loss >= 10) return "??";
  if (loss >= 4) return "?";
  return loss >= 2 ? "?!" : "";
}

/**
 * Writes how sure a value is: its standard deviation, or that it is exact.
 * @param {Value} value
 */
export function spreadText({ exact, std_dev }) {
  if (exact) return t("exact");
  return std_dev === null ? "" : `\u00b1${std_dev.toFixed(1)}`;
}

/** Units of a duration: how many milliseconds each has, and its text. */
const UNITS = /** @type {const} */ ([
  [365 * 86_400_000, "yearsLeft"],
  [86_400_000, "daysLeft"],
  [3_600_000, "hoursLeft"],
  [60_000, "minutesLeft"],
  [1000, "secondsLeft"],
]);
/** From here on a prediction says only that it takes too long. */
const MAX_MS = 100 * 365 * 86_400_000;

/**
 * Writes how long a search on this machine would still need for an exact value; empty where it is
 * exact, or nothing is known.
 * @param {Value} value
 */
export function toExactText({ exact, msToExact }) {
  if (exact || msToExact === null) return "";
  if (msToExact >= MAX_MS) return t("exactNever");
  const [ms, unit] = UNITS.find(([length]) => msToExact >= length) ?? UNITS[UNITS.length - 1];
  const count = Math.max(1, Math.round(msToExact / ms));
  return t("exactIn", { time: t(unit, { count }) });
}
