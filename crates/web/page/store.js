// What the browser keeps: settings, the game on the board, and games by name. Where it keeps
// nothing, the page goes on without.

const SETTINGS = "umigame.settings";
const CURRENT = "umigame.current";
const GAMES = "umigame.games";
/** Games kept at most; the oldest go first. */
const MAX_GAMES = 500;

/**
 * @typedef {object} Settings
 * @property {"en" | "ja" | null} language null as the browser asks
 * @property {"light" | "dark" | null} theme null as the system asks
 * @property {boolean} engine the live values are on
 * @property {boolean} legal
 * @property {boolean} numbers
 * @property {string} level of a game: a name, or a number
 */

/** @type {Settings} */
const DEFAULTS = {
  language: null,
  theme: null,
  engine: true,
  legal: true,
  numbers: false,
  level: "beginner",
};

/**
 * @typedef {object} SavedGame
 * @property {string} id
 * @property {string} name
 * @property {string} date
 * @property {string} tree as `GameTree.toText` writes it
 */

/**
 * @param {string} key
 * @returns {any}
 */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @returns {Settings} */
export function loadSettings() {
  return { ...DEFAULTS, ...read(SETTINGS) };
}

/** @param {Settings} settings */
export function saveSettings(settings) {
  return write(SETTINGS, settings);
}

/** The game that was on the board. @returns {{tree: string, index: number} | null} */
export function loadCurrent() {
  const found = read(CURRENT);
  return typeof found?.tree === "string" ? { tree: found.tree, index: Number(found.index) } : null;
}

/**
 * @param {string} tree
 * @param {number} index
 */
export function saveCurrent(tree, index) {
  return write(CURRENT, { tree, index });
}

/** The games, newest first. @returns {SavedGame[]} */
export function savedGames() {
  const found = read(GAMES);
  return Array.isArray(found) ? found.filter((game) => typeof game?.tree === "string") : [];
}

/**
 * Saves a game before the others. Returns whether the browser took it.
 * @param {string} name
 * @param {string} tree
 */
export function saveGame(name, tree) {
  const date = new Date().toISOString();
  const others = savedGames().filter((game) => game.tree !== tree || game.name !== name);
  return write(GAMES, [{ id: date, name, date, tree }, ...others].slice(0, MAX_GAMES));
}

/** @param {string} id */
export function deleteGame(id) {
  return write(GAMES, savedGames().filter((game) => game.id !== id));
}
