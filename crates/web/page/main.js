// Puts the page together: the parts of the page, and what happens where.

import "../umigame/board.js";
import { App } from "./app.js";
import { BookPanel } from "./book.js";
import { wireControls } from "./controls.js";
import { GamesDialog, PasteDialog, ShareDialog } from "./dialogs.js";
import { byId, setText } from "./dom.js";
import { Editor } from "./editor.js";
import { EnginePanel } from "./engine_panel.js";
import { GameTree } from "./game_tree.js";
import { GamesPanel } from "./games.js";
import { Graph } from "./graph.js";
import { keepPage } from "./install.js";
import { LayerChoice } from "./layers.js";
import { plainLevels } from "./levels.js";
import { hashOf, treeOfHash } from "./link.js";
import { showLanguage, showTheme } from "./looks.js";
import { MoveList } from "./moves.js";
import { openEngine } from "./open_engine.js";
import { fetchOpenings } from "./openings.js";
import { beginGame } from "./opponent.js";
import { PlayDialog } from "./play_dialog.js";
import { PlayPanel } from "./play_panel.js";
import { Preview } from "./preview.js";
import { hint } from "./requests.js";
import { standing } from "./said.js";
import { showDiscs, showPlace } from "./stage.js";
import { loadCurrent, loadSettings, saveCurrent } from "./store.js";
import { currentLanguage, preferredLanguage, t } from "./text.js";
import { Values } from "./values.js";
import { squareViews } from "./views.js";

/** The engine's answer to a move does not come before the eye has seen the move. */
const MOVE_PAUSE_MS = 400;
/** Time from one showing of the clocks to the next. */
const CLOCK_PAUSE_MS = 100;

const settings = loadSettings();
const engine = openEngine();
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {import("./openings.js").Openings | null} */
let openings = null;

const app = new App(engine, settings, {
  onChange: () => render(),
  onValues: () => renderSoon(),
  onRefuse: (square) => board.refuse(square),
  pauseMs: () => (stillness.matches ? 0 : MOVE_PAUSE_MS),
});

/**
 * Does something to the game, which is shown again.
 * @param {() => void} action
 */
function withGame(action) {
  preview.stop();
  if (editor.position !== null) editor.close();
  action();
}

/**
 * Puts a game on the board; the browser's way back leads to the one before.
 * @param {GameTree} tree
 * @param {string} message
 */
function openGame(tree, message) {
  history.pushState(null, "", `#${hashOf(tree)}`);
  withGame(() => app.load(tree, message));
}

const editor = new Editor({
  onChange: () => render(),
  onDone: (position) => {
    const tree = new GameTree(position);
    openGame(tree, position.isOver ? t("editNobody") : standing(tree.current));
  },
});
const board = /** @type {import("../umigame/board.js").UmigameBoard} */ (byId("board"));
board.addEventListener("press", (event) => {
  event.preventDefault();
  const { square } = event.detail;
  preview.stop();
  if (editor.position !== null) editor.click(square);
  else app.playSquare(square);
});
board.addEventListener("point", ({ detail }) => playOut(detail.square));
const preview = new Preview((shown) => {
  if (shown === null) return renderBoard();
  const tree = new GameTree(shown.position);
  const layers = { layers: null, chosen: layerChoice.chosen, played: null };
  const views = squareViews(tree, { values: [], legal: false, numbers: false, ...layers });
  const names = boardViews();
  for (const [square, view] of views) {
    view.number = shown.numbers.get(square);
    // What a screen reader is told stays that of the game.
    view.label = names.get(square)?.label ?? view.label;
  }
  board.classList.add("preview");
  board.show(shown.position, views, { animate: !stillness.matches });
});
const layerChoice = new LayerChoice(engine, () => render());
const panel = new EnginePanel({
  onSwitch: (on) => app.setEngine(on),
  onDeeper: () => app.goDeeper(),
  onLine: (moves) => withGame(() => app.playLine(moves)),
  onPoint: (move) => playOut(move),
});
const graph = new Graph(byId("graph"), byId("losses"), (index) => withGame(() => app.goToIndex(index)));
const moves = new MoveList(byId("moves"), (node) => withGame(() => app.goTo(node)));
const bookPanel = new BookPanel(engine, (move) => withGame(() => app.playSquare(move)));
const gamesPanel = new GamesPanel(engine, {
  onOpen: openGame,
  onPlay: (move) => withGame(() => app.playSquare(move)),
});
const pasteDialog = new PasteDialog(engine, openGame);
const shareDialog = new ShareDialog(engine);
const gamesDialog = new GamesDialog({
  tree: () => app.tree,
  onOpen: openGame,
});
const playDialog = new PlayDialog((...chosen) => withGame(() => beginGame(app, ...chosen)));
const playPanel = new PlayPanel({
  onHint: () => hint(app),
  onUndo: () => withGame(() => app.undo()),
  onResign: () => app.resign(),
  onEnd: () => app.endPlay(),
});

/**
 * Shows the line expected after a move; the game again without one.
 * @param {string | null} move
 */
function playOut(move) {
  const found = app.shownValues.find((each) => each.move === move);
  const isIdle = editor.position === null && app.showsValues;
  if (found === undefined || !isIdle || found.value.line[0] !== move) return preview.stop();
  preview.start(app.tree.position, found.value.line, stillness.matches);
}

function boardViews() {
  const ahead = app.mistakeAhead;
  return squareViews(app.tree, {
    values: app.shownValues,
    legal: settings.legal,
    numbers: settings.numbers,
    layers: layerChoice.of(app.tree.position),
    chosen: layerChoice.chosen,
    played: ahead?.move ?? null,
  });
}

function renderBoard() {
  const edited = editor.position;
  board.classList.toggle("preview", false);
  board.classList.toggle("editing", edited !== null);
  if (edited === null) {
    board.show(app.tree.position, boardViews(), { animate: !stillness.matches });
    return;
  }
  const none = { values: [], legal: false, numbers: false, layers: null, played: null };
  const views = squareViews(new GameTree(edited), { ...none, chosen: new Set() });
  board.show(edited, views, { animate: false });
}

const nothing = new Values();

/** Time from one showing of values that come in to the next, in milliseconds: faster is unreadable. */
const VALUES_PAUSE_MS = 90;
/** The same in the first moments of a position, of which nothing has been read yet, and how long they last. */
const FIRST_PAUSE_MS = 25;
const FIRST_MS = 100;
let isDue = false;
let shownAt = 0;
let valued = "";
let valuedSince = 0;
function renderSoon() {
  if (isDue) return;
  isDue = true;
  const now = performance.now();
  if (valued !== app.tree.position.text) [valued, valuedSince] = [app.tree.position.text, now];
  const pause = now - valuedSince < FIRST_MS ? FIRST_PAUSE_MS : VALUES_PAUSE_MS;
  const show = () => {
    isDue = false;
    shownAt = performance.now();
    renderValues();
  };
  setTimeout(show, Math.max(0, shownAt + pause - now));
}

function renderValues() {
  const { tree, values, one } = app;
  if (!preview.active) renderBoard();
  panel.render({
    position: tree.position,
    values: app.showsValues ? values.of(tree.position) : [],
    isOn: settings.engine,
    isSearching: one.kind === "values",
    isBusy: one.kind !== null && one.kind !== "values",
    isDeep: app.deep === tree.position.text,
    fault: app.fault,
  });
  const line = tree.line();
  // While a game is played, what the engine thinks of it is not shown.
  const isPlaying = app.play.isOn(tree);
  byId("values-card").hidden = byId("graph-card").hidden = isPlaying;
  if (!isPlaying) graph.render(line, tree.index, values);
  moves.render(tree, isPlaying ? nothing : values);
  playPanel.render(app.play, tree, one.kind === "move");
  setText(byId("analysis-state"), app.progress === null ? "" : t("analyzing", app.progress));
  setText(byId("analyze"), t(app.progress === null ? "analyze" : "stop"));
  for (const id of ["analyze", "mistake"]) {
    /** @type {HTMLButtonElement} */ (byId(id)).disabled = line.length < 2;
  }
}

/** Shows the clocks of a game while they run. */
let ticking = 0;
function keepTime() {
  const isRunning = app.play.clock !== null && app.play.isOn(app.tree);
  if (isRunning === ticking > 0) return;
  clearInterval(ticking);
  ticking = 0;
  if (!isRunning) return;
  ticking = setInterval(() => {
    playPanel.showClocks(app.play);
    app.checkClock();
  }, CLOCK_PAUSE_MS);
}

function render() {
  const { tree } = app;
  keepTime();
  preview.keepIn(editor.position === null && app.showsValues ? tree.position : null);
  renderValues();
  showDiscs(editor.position ?? tree.position);
  const result = app.play.resultText(tree);
  const message = app.message || standing(tree.current);
  setText(byId("status"), result !== "" && !message.includes(result) ? `${message} ${result}` : message);
  showPlace(tree);
  setText(byId("opening"), openings?.nameOf(tree.current, currentLanguage()) ?? "");
  byId("line-tools").hidden = tree.index === 0;
  /** @type {HTMLButtonElement} */ (byId("promote")).disabled = tree.isMainLine;
  bookPanel.show(tree.position);
  gamesPanel.show(tree.position);
  saveCurrent(tree.toText(), tree.index);
  const hash = hashOf(tree);
  if (location.hash.replace("#", "") !== hash) history.replaceState(null, "", `#${hash}`);
}

/** @param {"en" | "ja"} language */
function changeLanguage(language) {
  const canShow = showLanguage(language);
  layerChoice.writeHelp();
  app.message = canShow ? "" : "No Japanese font is installed; the button reading English goes back.";
}

/** @param {string} [message] */
function loadGame(message) {
  try {
    const linked = treeOfHash(location.hash);
    if (linked !== null) return app.load(linked, message || standing(linked.current));
  } catch (error) {
    app.message = t("badLink", { message: error instanceof Error ? error.message : String(error) });
  }
  const kept = loadCurrent();
  try {
    if (kept !== null) {
      app.tree = GameTree.read(kept.tree);
      app.tree.goToIndex(kept.index);
    }
  } catch {
    // What was kept is damaged: a new game begins.
  }
  app.update();
}

engine.onLoading((loading) => {
  panel.showLoading(loading);
  if (loading.stage !== "done") return;
  app.searchAgain();
  keepPage();
});
wireControls({
  app,
  board,
  settings,
  withGame,
  render,
  changeLanguage,
  open: {
    "new-game": () => openGame(new GameTree(), standing(new GameTree().root)),
    "play-game": async () => {
      const levels = await engine.levels().catch(plainLevels);
      playDialog.ask(levels, settings.level, app.tree.position.sideToMove, openings);
    },
    paste: () => pasteDialog.ask(),
    share: () => shareDialog.show(app.tree, app.shownValues, settings.numbers),
    games: () => gamesDialog.show(),
    edit: () => editor.open(app.tree.position),
  },
});
addEventListener("hashchange", () => {
  if (location.hash.replace("#", "") !== hashOf(app.tree)) loadGame();
});
// A page that is not seen does not search.
document.addEventListener("visibilitychange", () => {
  if (document.hidden && app.one.kind === "values") app.stop();
  else app.update();
});
new ResizeObserver(() => renderSoon()).observe(byId("graph"));

showTheme(settings.theme);
changeLanguage(settings.language ?? preferredLanguage(navigator.languages));
loadGame(app.message);
bookPanel.open(app.tree.position);
gamesPanel.open(app.tree.position);
fetchOpenings().then(
  (found) => {
    openings = found;
    render();
  },
  () => {},
);
