// The games that met a position, where the engine has an archive of games: how they ended, how they
// went on, and a table of the newest, by player, event and years.

import { byId, h, replace, setText } from "./dom.js";
import { GameTree } from "./game_tree.js";
import { Position } from "./rules.js";
import { colorText, currentLanguage, t } from "./text.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").ArchivedGame} ArchivedGame */
/** @typedef {import("./engine.js").FoundGames} FoundGames */

/** Games of the table at most, and moves that they went on with. */
const MAX_GAMES = 50;
const MAX_MOVES = 5;
/** Time after a key before the question, and before it is asked again while games are loading. */
const TYPING_MS = 250;
const LOADING_MS = 1000;

const FIELDS = /** @type {const} */ (["player", "event", "from", "to"]);

export class GamesPanel {
  #exists = false;
  /** @type {Position | null} */
  #position = null;
  /** The question whose answer is shown or awaited. */
  #asked = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ArchivedGame[]} */
  #found = [];

  /**
   * @param {Engine} engine
   * @param {{onOpen: (tree: GameTree, message: string) => void, onPlay: (move: string) => void}} events
   */
  constructor(engine, { onOpen, onPlay }) {
    this.engine = engine;
    this.state = byId("archive-state");
    this.moves = byId("archive-moves");
    this.rows = byId("archive-rows");
    this.fields = FIELDS.map((name) => /** @type {HTMLInputElement} */ (byId(`archive-${name}`)));
    for (const field of this.fields) field.addEventListener("input", () => this.#askSoon(TYPING_MS));
    this.moves.addEventListener("click", (event) => {
      const move = keyOf(event.target);
      if (move !== null) onPlay(move);
    });
    this.rows.addEventListener("click", ({ target }) => {
      const row = target instanceof Element ? target.closest("[data-row]") : null;
      const game = this.#found[Number(row?.getAttribute("data-row") ?? -1)];
      if (game !== undefined) onOpen(treeOf(game), titleOf(game));
    });
  }

  /**
   * Asks whether there are games.
   * @param {Position} position the first to show
   */
  async open(position) {
    this.#exists = await this.engine.hasGames().catch(() => false);
    this.show(position);
  }

  /** @param {Position} position */
  show(position) {
    this.#position = position;
    if (this.#exists) this.#ask();
  }

  /** @param {number} wait milliseconds */
  #askSoon(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // The same question may have another answer while games are loading.
      if (wait === LOADING_MS) this.#asked = "";
      this.#ask();
    }, wait);
  }

  async #ask() {
    const position = this.#position;
    if (position === null || document.hidden) return;
    const [player, event, fromYear, toYear] = this.fields.map(({ value }) => value.trim());
    const filter = { player, event, fromYear: yearOf(fromYear), toYear: yearOf(toYear), limit: MAX_GAMES };
    const asked = JSON.stringify([position.text, filter, currentLanguage()]);
    if (asked === this.#asked) return;
    clearTimeout(this.#timer);
    this.#asked = asked;
    try {
      const found = await this.engine.games(position.text, filter);
      // A newer question is asked by now.
      if (this.#asked === asked) this.#render(position, found);
    } catch (error) {
      if (this.#asked === asked) setText(this.state, error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * @param {Position} position
   * @param {FoundGames} found
   */
  #render(position, found) {
    byId("archive-card").hidden = false;
    this.#found = found.found;
    const { archive, games, wins, draws, losses } = found;
    const words = { games, wins, draws, losses, color: colorText(position.sideToMove) };
    const counts = games === 0 ? t("archiveNone") : t("archiveFound", words);
    setText(this.state, found.loading ? `${t("archiveLoading", { games: archive })} ${counts}` : counts);
    replace(this.moves, found.moves.slice(0, MAX_MOVES).map(moveOf));
    byId("archive-table").hidden = this.#found.length === 0;
    replace(this.rows, this.#found.map(rowOf));
    if (found.loading) this.#askSoon(LOADING_MS);
  }
}

/** @param {EventTarget | null} target */
function keyOf(target) {
  const key = target instanceof Element ? target.closest("[data-key]")?.getAttribute("data-key") : null;
  return key ?? null;
}

/** @param {string} text */
function yearOf(text) {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** @param {FoundGames["moves"][number]} found */
function moveOf({ move, games, win_rate: rate }) {
  return h(
    "li",
    {},
    move === "pass"
      ? h("b", {}, t("pass"))
      : h("button", { type: "button", class: "step", "data-key": move }, h("b", {}, move)),
    " ",
    h("span", { class: "soft" }, t("archiveMove", { games, percent: rate === null ? "?" : Math.round(100 * rate) })),
  );
}

/**
 * @param {ArchivedGame} game
 * @param {number} index
 */
function rowOf(game, index) {
  const { black, white, event, date, next } = game;
  const names = `${black || "?"} \u2013 ${white || "?"}`;
  return h(
    "tr",
    { "data-row": String(index) },
    h("td", {}, /\d{4}/.exec(date)?.[0] ?? ""),
    h(
      "td",
      {},
      h("button", { type: "button", class: "link", "data-key": `game-${index}` }, names),
      h("small", { class: "soft" }, event),
    ),
    h("td", { class: "score" }, resultText(game)),
    h("td", {}, next === "pass" ? t("pass") : (next ?? "")),
  );
}

/**
 * Discs of both sides at the end, the winner taking the empty squares.
 * @param {ArchivedGame} game
 */
function resultText({ result }) {
  return result === null ? "" : `${32 + result / 2}\u2013${32 - result / 2}`;
}

/** @param {ArchivedGame} game */
function titleOf(game) {
  const { black, white, event, date } = game;
  const parts = [`${black || "?"} \u2013 ${white || "?"}`, event, date, resultText(game)];
  return parts.filter((part) => part !== "").join(t("separator"));
}

/**
 * The game, at the position that was asked for.
 * @param {ArchivedGame} game
 */
function treeOf({ start, moves, ply, black, white }) {
  const tree = GameTree.fromMoves(Position.fromText(start), moves);
  tree.players = [black, white];
  tree.goToIndex(moves.slice(0, ply).filter((move) => move !== "pass").length);
  return tree;
}
