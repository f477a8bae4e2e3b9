// The page's state and what can be done with it: a game, its values, one search at a time. The views
// are told after every change.

import { EngineError, isAbort } from "./engine.js";
import { GameTree } from "./game_tree.js";
import { nextMistake } from "./graph.js";
import { chosenMove } from "./opponent.js";
import { Play } from "./play.js";
import { whyIllegal } from "./rules.js";
import { mistakeText, moveText } from "./said.js";
import { OneSearch } from "./search.js";
import { saveSettings } from "./store.js";
import { colorText, t } from "./text.js";
import { Values } from "./values.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./rules.js").Color} Color */
/** @typedef {import("./store.js").Settings} Settings */

/** Where the search of values ends by itself, unless it is told to go deeper. */
const VALUES_DEPTH = 20;
const VALUES_MS = 20_000;

export class App {
  tree = new GameTree();
  values = new Values();
  one = new OneSearch();
  play = new Play();
  /** What was just done, for the line below the board. */
  message = "";
  /** Why the engine gives nothing. @type {string | null} */
  fault = null;
  /** The position whose search has no end. @type {string | null} */
  deep = null;
  /** A hint that is shown: the position and its move. @type {{position: string, move: string} | null} */
  hinted = null;
  /** Moves judged by the analysis that runs, and all of them. @type {{done: number, total: number} | null} */
  progress = null;
  /** The position whose values are searched or were searched to the end. */
  #followed = "";

  /**
   * @param {Engine} engine
   * @param {Settings} settings
   * @param {{onChange: () => void, onValues: () => void, onRefuse: (square: string) => void,
   *   pauseMs?: () => number}} views `pauseMs` is the shortest time in which the engine plays
   */
  constructor(engine, settings, views) {
    this.engine = engine;
    this.settings = settings;
    this.views = views;
  }

  /** Whether values are shown: the engine is on, and no game is played against it. */
  get showsValues() {
    return this.settings.engine && !this.play.isOn(this.tree);
  }

  /** The values of the current position that are shown, best first. */
  get shownValues() {
    const { position } = this.tree;
    if (this.showsValues) return this.values.of(position);
    if (this.hinted?.position !== position.text) return [];
    return this.values.of(position).filter(({ move }) => move === this.hinted?.move);
  }

  /** Tells the views, and lets the engine do what is to be done now. */
  update() {
    this.play.follow(this.tree);
    this.views.onChange();
    this.#serve();
  }

  /**
   * Plays on a square, if that is legal.
   * @param {string} square
   */
  playSquare(square) {
    const { position } = this.tree;
    const why = whyIllegal(position, square);
    if (this.play.isEngineTurn(this.tree)) this.message = t("notYourTurn");
    else if (why !== null) {
      const key = why === "over" ? "gameOver" : why;
      this.message = t(key, { square, color: colorText(position.sideToMove) });
    } else {
      this.tree.play(square);
      return this.#arrived();
    }
    this.views.onRefuse(square);
    this.update();
  }

  /** Says what the move to the current position was. */
  #arrived() {
    this.message = moveText(this.tree.current);
    this.update();
  }

  /** @param {Node} node */
  goTo(node) {
    this.tree.goTo(node);
    this.#arrived();
  }

  /** @param {number} index of the current line */
  goToIndex(index) {
    this.tree.goToIndex(index);
    this.#arrived();
  }

  /** @param {number} steps */
  step(steps) {
    this.goToIndex(this.tree.index + steps);
  }

  /**
   * Plays a line from the current position.
   * @param {string[]} moves
   */
  playLine(moves) {
    for (const move of moves) if (move !== "pass") this.tree.play(move);
    this.#arrived();
  }

  /**
   * Puts a game on the board.
   * @param {GameTree} tree
   * @param {string} message
   */
  load(tree, message) {
    this.stop();
    this.play.end();
    this.tree = tree;
    this.message = message;
    this.update();
  }

  /** @param {boolean} on */
  setEngine(on) {
    this.settings.engine = on;
    this.deep = null;
    saveSettings(this.settings);
    this.fault = null;
    this.update();
  }

  /** Searches the values once more: another engine has come, which knows better. */
  searchAgain() {
    if (this.one.kind === "values") this.one.stop();
    this.#followed = "";
    this.update();
  }

  goDeeper() {
    this.deep = this.tree.position.text;
    this.#followed = "";
    this.update();
  }

  /** Goes to the position before the next mistake of the line. */
  goToMistake() {
    const line = this.tree.line();
    const node = nextMistake(line, this.tree.index + 1, this.values);
    if (node?.parent === null || node === null) {
      this.message = t("noMistake");
      return this.update();
    }
    this.tree.goTo(node);
    this.tree.goTo(/** @type {Node} */ (node.parent));
    this.message = mistakeText(node, this.values);
    this.update();
  }

  /**
   * The mistake that the game goes on with here; null if the next move is none.
   * @returns {Node | null}
   */
  get mistakeAhead() {
    const { index } = this.tree;
    const following = this.tree.line()[index + 1];
    if (following === undefined) return null;
    return nextMistake([following], index, this.values);
  }

  /** Ends the game where a side's time is up. */
  checkClock() {
    if (!this.play.checkClock()) return;
    this.stop();
    this.message = this.play.resultText(this.tree);
    this.update();
  }

  undo() {
    this.stop();
    if (this.play.color === null) return this.step(-1);
    this.play.resigned = null;
    if (this.play.undo(this.tree)) this.#arrived();
  }

  resign() {
    this.stop();
    this.play.resign();
    this.message = this.play.resultText(this.tree);
    this.update();
  }

  endPlay() {
    this.stop();
    this.play.end();
    this.update();
  }

  /** Lets the engine move, search the values, or stop: whatever is to be done in this position. */
  #serve() {
    if (this.play.isEngineTurn(this.tree)) {
      if (this.one.kind !== "move") this.#move();
      return;
    }
    this.one.stop("move");
    const { position } = this.tree;
    if (!this.showsValues || position.isOver) {
      this.one.stop("values");
      this.#followed = "";
      return;
    }
    const isBusy = this.one.kind === "analysis" || this.one.kind === "hint";
    if (isBusy || document.hidden || this.#followed === position.text) return;
    this.#search();
  }

  /** Searches the values of the current position. */
  #search() {
    const { position } = this.tree;
    const isDeep = this.deep === position.text;
    if (!isDeep) this.deep = null;
    this.#followed = position.text;
    const bounds = isDeep ? {} : { depth: VALUES_DEPTH, timeMs: VALUES_MS };
    const lines = position.legalMoves().length;
    this.run("values", async (signal) => {
      const onReport = (/** @type {import("./engine.js").Report} */ report) => {
        if (!signal.aborted && this.values.add(position, report)) this.views.onValues();
      };
      onReport(await this.engine.values(position.text, { ...bounds, lines, focus: true, signal, onReport }));
    });
  }

  /** Ends the search that runs; {@link update} begins the next. */
  stop() {
    this.#followed = "";
    this.one.stop();
  }

  /** Lets the engine play its move. */
  #move() {
    const { tree } = this;
    const node = tree.current;
    this.run("move", async (signal) => {
      const move = await chosenMove(this, signal);
      if (this.tree !== tree || tree.current !== node || signal.aborted) return;
      if (move !== "pass") tree.play(move);
      this.message = moveText(tree.current);
    });
  }

  /**
   * Runs a search, and says what went wrong.
   * @param {import("./search.js").SearchKind} kind
   * @param {(signal: AbortSignal) => Promise<void>} search
   */
  async run(kind, search) {
    if (kind !== "values") this.#followed = "";
    const done = this.one.run(kind, search);
    this.views.onValues();
    try {
      await done;
      this.fault = null;
    } catch (error) {
      if (isAbort(error)) return;
      const isGone = error instanceof EngineError && error.unreachable;
      this.fault = isGone ? t("noEngine") : error instanceof Error ? error.message : String(error);
      if (kind !== "values") this.message = this.fault;
      // A move that failed is not tried again by itself.
      if (kind === "move") this.play.end();
    } finally {
      if (kind === "analysis") this.progress = null;
      if (this.one.kind === null) this.update();
    }
  }
}
