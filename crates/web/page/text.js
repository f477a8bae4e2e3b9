// The texts of the page: english.js and japanese.js.

import { ENGLISH } from "./english.js";
import { JAPANESE } from "./japanese.js";

/** @typedef {import("./english.js").TextKey} TextKey */
/** @typedef {"en" | "ja"} Language */

export const LANGUAGES = { en: ENGLISH, ja: JAPANESE };

/** @type {Language} */
let language = "en";

/** The language that the page shows. */
export function currentLanguage() {
  return language;
}

/**
 * The language that a browser asks for.
 * @param {readonly string[]} wanted
 * @returns {Language}
 */
export function preferredLanguage(wanted) {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return /** @type {Language} */ (known.find((tag) => tag === "en" || tag === "ja") ?? "en");
}

/** @param {Language} wanted */
export function setLanguage(wanted) {
  language = wanted;
}

/**
 * Returns a text, with values for its names in braces.
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return LANGUAGES[language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * The name of a color.
 * @param {"black" | "white"} color
 */
export function colorText(color) {
  return t(color);
}

/**
 * Writes the texts of elements that name one: `data-text`, `data-title`, `data-label`, `data-placeholder`.
 * @param {Document} document
 */
export function writeTexts(document) {
  document.documentElement.lang = language;
  for (const [attribute, write] of /** @type {const} */ ([
    ["data-text", (/** @type {Element} */ element, /** @type {string} */ text) => {
      element.textContent = text;
    }],
    ["data-title", (/** @type {Element} */ element, /** @type {string} */ text) => {
      element.setAttribute("title", text);
    }],
    ["data-label", (/** @type {Element} */ element, /** @type {string} */ text) => {
      element.setAttribute("aria-label", text);
    }],
    ["data-placeholder", (/** @type {Element} */ element, /** @type {string} */ text) => {
      element.setAttribute("placeholder", text);
    }],
  ])) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const key = /** @type {TextKey} */ (element.getAttribute(attribute));
      write(element, t(key));
    }
  }
}

/** Whether the browser can draw Japanese: without a font, every character is the same box. */
export function hasJapaneseFont() {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (context === null) return true;
  const drawn = ["\u9ed2", "\u767d"].map((character) => {
    context.clearRect(0, 0, 40, 40);
    context.font = "24px sans-serif";
    context.fillText(character, 4, 30);
    return context.getImageData(0, 0, 40, 40).data.join();
  });
  return drawn[0] !== drawn[1];
}
