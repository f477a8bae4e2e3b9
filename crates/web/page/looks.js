// Language and theme of the page.

import { byId } from "./dom.js";
import { hasJapaneseFont, setLanguage, writeTexts } from "./text.js";

/**
 * Shows the page in a language. Returns whether the browser can.
 * @param {"en" | "ja"} language
 */
export function showLanguage(language) {
  setLanguage(language);
  writeTexts(document);
  const button = byId("language");
  button.lang = language === "en" ? "ja" : "en";
  const canShow = hasJapaneseFont();
  if (language === "en" && !canShow) button.textContent = "Japanese";
  return language === "en" || canShow;
}

/** @param {"light" | "dark" | null} theme null as the system asks */
export function showTheme(theme) {
  if (theme === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
