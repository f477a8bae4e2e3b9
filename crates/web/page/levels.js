// The levels as the page names them.

import { currentLanguage, t } from "./text.js";
import { ENGLISH_LEVELS } from "./english.js";
import { JAPANESE_LEVELS } from "./japanese.js";

/** @typedef {import("./engine.js").Level} Level */

/** Names and descriptions of the levels that err. @type {Record<string, Record<string, {name: string, text: string}>>} */
const NAMED = { en: ENGLISH_LEVELS, ja: JAPANESE_LEVELS };

/** @param {Level} level */
function named({ level }) {
  return NAMED[currentLanguage()][level];
}

/** Whether a level has a name: it errs as people do. @param {Level} level */
export function isNamed({ level }) {
  return !/^\d+$/.test(level);
}

/** @param {Level} level */
export function levelName(level) {
  return named(level)?.name ?? (isNamed(level) ? level.level : t("levelPlain", { level: level.level }));
}

/**
 * How a level plays, with its rating where that was measured.
 * @param {Level} level
 */
export function levelText(level) {
  const { depth, exact_from, rating, text = "" } = level;
  const plain = depth === undefined ? text : t("levelText", { depth, exact: exact_from ?? 0 });
  const about = named(level)?.text ?? (isNamed(level) ? text : plain);
  return [about, rating ? t("rating", { rating: Math.round(rating) }) : ""].filter((part) => part !== "").join(" \u2013 ");
}

/**
 * The levels where the engine names none.
 * @returns {Level[]}
 */
export function plainLevels() {
  return Array.from({ length: 16 }, (_, index) => ({ level: String(index + 1) }));
}
