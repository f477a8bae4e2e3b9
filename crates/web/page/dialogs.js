// The dialogs: paste, share, games in the browser, and the keys.

import { byId, h, setText } from "./dom.js";
import { EngineError } from "./engine.js";
import { GameTree } from "./game_tree.js";
import { linkOf, treeOfLink } from "./link.js";
import { pictureOf, pngOf, saveFile } from "./picture.js";
import { Game, Position } from "./rules.js";
import { deleteGame, saveGame, savedGames } from "./store.js";
import { t } from "./text.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./values.js").Value} Value */

/** Largest file read, in bytes. */
const MAX_FILE_BYTES = 200_000;

/** @param {string} id */
function dialogOf(id) {
  return /** @type {HTMLDialogElement} */ (byId(id));
}

export class PasteDialog {
  /**
   * @param {Engine} engine
   * @param {(tree: GameTree, message: string) => void} onOpen
   */
  constructor(engine, onOpen) {
    this.engine = engine;
    this.onOpen = onOpen;
    this.dialog = dialogOf("paste-dialog");
    this.text = /** @type {HTMLTextAreaElement} */ (byId("paste-text"));
    this.fault = byId("paste-fault");
    byId("paste-open").addEventListener("click", () => this.read(this.text.value));
    document.addEventListener("paste", (event) => {
      const target = event.target;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() !== "") this.read(text);
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      const text = file ? await file.slice(0, MAX_FILE_BYTES).text() : event.dataTransfer?.getData("text/plain");
      if (text) this.read(text);
    });
  }

  ask() {
    this.fault.textContent = "";
    if (!this.dialog.open) this.dialog.showModal();
    this.text.select();
  }

  /**
   * Reads a game or a position and opens it; or shows the text with what is wrong with it. The game
   * on the board stays until then.
   * @param {string} text
   */
  async read(text) {
    try {
      const { tree, form } = await this.#parsed(text);
      const moves = tree.line().length - 1;
      this.dialog.close();
      this.onOpen(tree, t("opened", { form, moves }));
    } catch (error) {
      this.text.value = text;
      this.ask();
      this.#showFault(error);
    }
  }

  /**
   * @param {string} text
   * @returns {Promise<{tree: GameTree, form: string}>}
   */
  async #parsed(text) {
    const linked = treeOfLink(text);
    if (linked !== null) return { tree: linked, form: t("link") };
    try {
      const { form, start, moves, players } = await this.engine.read(text);
      const tree = GameTree.fromMoves(Position.fromText(start), moves);
      tree.players = players ?? null;
      return { tree, form };
    } catch (error) {
      if (!(error instanceof EngineError && error.unreachable)) throw error;
      // Without an engine, transcripts can still be read.
      const game = Game.fromText(text);
      return { tree: GameTree.fromMoves(game.start, game.moves), form: t("transcript") };
    }
  }

  /** @param {unknown} error */
  #showFault(error) {
    const message = error instanceof Error ? error.message : String(error);
    const { line, column } = error instanceof EngineError ? error : {};
    const place = line === undefined ? "" : t("readFault", { line, column: column ?? 1, message });
    setText(this.fault, place || message);
    if (line === undefined) return;
    const before = this.text.value.split("\n").slice(0, line - 1);
    const start = before.reduce((sum, each) => sum + each.length + 1, 0) + (column ?? 1) - 1;
    this.text.focus();
    this.text.setSelectionRange(start, start + 1);
  }
}

export class ShareDialog {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    /** Draws the board as it is when the dialog opens. @type {() => Promise<string>} */
    this.draw = async () => "";
    this.dialog = dialogOf("share-dialog");
    this.state = byId("share-state");
    for (const button of this.dialog.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => this.#copy(button.getAttribute("data-copy") ?? ""));
    }
    byId("save-svg").addEventListener("click", () =>
      this.#save("umigame.svg", async (svg) => new Blob([svg], { type: "image/svg+xml" })),
    );
    byId("save-png").addEventListener("click", () => this.#save("umigame.png", pngOf));
  }

  /**
   * @param {GameTree} tree
   * @param {{move: string, value: Value}[]} values that the board shows
   * @param {boolean} numbers whether the moves are numbered
   */
  show(tree, values, numbers) {
    const fields = { transcript: tree.transcript, link: linkOf(tree), position: tree.position.text };
    for (const [name, text] of Object.entries(fields)) {
      /** @type {HTMLInputElement} */ (byId(`share-${name}`)).value = text;
    }
    const request = pictureOf(tree.transcriptToHere, values, numbers);
    this.draw = () => this.engine.diagram(request);
    this.state.textContent = "";
    this.dialog.showModal();
  }

  /**
   * Saves the picture of the board.
   * @param {string} name
   * @param {(svg: string) => Promise<Blob>} made
   */
  async #save(name, made) {
    try {
      saveFile(name, await made(await this.draw()));
    } catch (error) {
      setText(this.state, error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} id */
  async #copy(id) {
    const field = /** @type {HTMLInputElement} */ (byId(id));
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    setText(this.state, t("copied"));
  }
}

export class GamesDialog {
  /** @param {{tree: () => GameTree, onOpen: (tree: GameTree, message: string) => void}} game */
  constructor({ tree, onOpen }) {
    this.onOpen = onOpen;
    this.dialog = dialogOf("games-dialog");
    this.list = byId("games-list");
    this.name = /** @type {HTMLInputElement} */ (byId("games-name"));
    this.state = byId("games-state");
    const save = () => {
      const name = this.name.value.trim() || this.#plainName();
      const saved = saveGame(name, tree().toText());
      setText(this.state, saved ? t("saved", { name }) : t("notSaved"));
      this.#fill();
    };
    byId("games-save").addEventListener("click", save);
    // The key Enter in the name saves, too.
    this.dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      save();
    });
  }

  show() {
    this.name.value = this.#plainName();
    this.state.textContent = "";
    this.#fill();
    this.dialog.showModal();
  }

  #plainName() {
    const date = new Date().toLocaleString(document.documentElement.lang, {
      dateStyle: "medium",
      timeStyle: "short",
    });
    return t("gameNamed", { date });
  }

  #fill() {
    const rows = savedGames().map(({ id, name, tree }) =>
      h(
        "li",
        {},
        h("button", { type: "button", class: "link", onclick: () => this.#open(name, tree) }, name),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `${t("deleteGame")}: ${name}`,
            onclick: () => {
              deleteGame(id);
              this.#fill();
            },
          },
          t("deleteGame"),
        ),
      ),
    );
    this.list.replaceChildren(...(rows.length > 0 ? rows : [h("li", { class: "hint" }, t("noGames"))]));
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  #open(name, text) {
    try {
      const tree = GameTree.read(text);
      this.dialog.close();
      this.onOpen(tree, name);
    } catch (error) {
      setText(this.state, String(error instanceof Error ? error.message : error));
    }
  }
}
