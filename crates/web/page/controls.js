// The buttons, keys, wheel and slider: which does what.

import { byId } from "./dom.js";
import { listenToKeys, listenToWheel } from "./keys.js";
import { showTheme } from "./looks.js";
import { analyze, hint } from "./requests.js";
import { saveSettings } from "./store.js";
import { currentLanguage } from "./text.js";

/**
 * @typedef {object} Controls
 * @property {import("./app.js").App} app
 * @property {import("../umigame/board.js").UmigameBoard} board
 * @property {import("./store.js").Settings} settings
 * @property {(action: () => void) => void} withGame
 * @property {() => void} render
 * @property {(language: "en" | "ja") => void} changeLanguage
 * @property {Record<string, () => void>} open what buttons open, by their id
 */

/** @param {Controls} controls */
export function wireControls(controls) {
  wireSteps(controls);
  wireButtons(controls);
  wireSettings(controls);
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
}

/** @param {Controls} controls */
function wireSteps({ app, board, settings, withGame }) {
  const step = (/** @type {number} */ steps) => withGame(() => app.step(steps));
  const jump = (/** @type {"first" | "last"} */ end) =>
    withGame(() => app.goToIndex(end === "first" ? 0 : Infinity));
  byId("back").addEventListener("click", () => step(-1));
  byId("forward").addEventListener("click", () => step(1));
  byId("first").addEventListener("click", () => jump("first"));
  byId("last").addEventListener("click", () => jump("last"));
  const place = /** @type {HTMLInputElement} */ (byId("place"));
  place.addEventListener("input", () => withGame(() => app.goToIndex(Number(place.value))));
  listenToWheel(board, step);
  listenToKeys({
    step,
    jump,
    mistake: () => withGame(() => app.goToMistake()),
    engine: () => app.setEngine(!settings.engine),
    board: () => board.focusSquare(),
    undo: () => withGame(() => app.undo()),
    hint: () => hint(app),
  });
}

/** @param {Controls} controls */
function wireButtons({ app, withGame, open }) {
  /** @type {Record<string, () => void>} */
  const actions = {
    ...open,
    help: () => /** @type {HTMLDialogElement} */ (byId("help-dialog")).showModal(),
    mistake: () => withGame(() => app.goToMistake()),
    analyze: () => (app.progress === null ? analyze(app) : app.stop()),
    promote: () => {
      app.tree.promote(app.tree.current);
      app.update();
    },
    remove: () =>
      withGame(() => {
        app.tree.remove(app.tree.current);
        app.goTo(app.tree.current);
      }),
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
}

/** @param {Controls} controls */
function wireSettings({ app, settings, render, changeLanguage }) {
  byId("theme").addEventListener("click", () => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const shown = settings.theme ?? (isDark ? "dark" : "light");
    settings.theme = shown === "dark" ? "light" : "dark";
    saveSettings(settings);
    showTheme(settings.theme);
  });
  byId("language").addEventListener("click", () => {
    settings.language = currentLanguage() === "en" ? "ja" : "en";
    saveSettings(settings);
    changeLanguage(settings.language);
    app.update();
  });
  for (const name of /** @type {const} */ (["legal", "numbers"])) {
    const input = /** @type {HTMLInputElement} */ (byId(`layer-${name}`));
    input.checked = settings[name];
    input.addEventListener("change", () => {
      settings[name] = input.checked;
      saveSettings(settings);
      render();
    });
  }
}
