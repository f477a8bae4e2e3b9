// Layers of the board, computed by the engine when they are asked for.

import { setText, byId } from "./dom.js";
import { t } from "./text.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").Layers} Layers */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./views.js").LayerName} LayerName */

/** Positions whose layers are remembered. */
const MAX_POSITIONS = 200;

export class LayerChoice {
  /** @type {Set<LayerName>} */
  chosen = new Set();
  /** Null while they are asked for. @type {Map<string, Layers | null>} */
  #known = new Map();
  #fault = "";

  /**
   * @param {Engine} engine
   * @param {() => void} onChange
   */
  constructor(engine, onChange) {
    this.engine = engine;
    this.onChange = onChange;
    for (const input of document.querySelectorAll("[data-layer]")) {
      input.addEventListener("change", () => {
        const layer = /** @type {LayerName} */ (input.getAttribute("data-layer"));
        if (/** @type {HTMLInputElement} */ (input).checked) this.chosen.add(layer);
        else this.chosen.delete(layer);
        this.#fault = "";
        this.writeHelp();
        this.onChange();
      });
    }
  }

  /** Explains the signs of the layers that are shown. */
  writeHelp() {
    /** @type {Record<LayerName, import("./text.js").TextKey>} */
    const keys = {
      stable: "stableHelp",
      frontier: "frontierHelp",
      regions: "regionsHelp",
      openness: "opennessHelp",
    };
    const texts = [...this.chosen].map((layer) => t(keys[layer]));
    setText(byId("layers-help"), this.#fault || texts.join("; "));
  }

  /**
   * The layers of a position, where they are wanted and known; asks for them otherwise.
   * @param {Position} position
   * @returns {Layers | null}
   */
  of(position) {
    if (this.chosen.size === 0) return null;
    const { text } = position;
    const known = this.#known.get(text);
    if (known === undefined && this.#fault === "") this.#ask(text);
    return known ?? null;
  }

  /** @param {string} text */
  async #ask(text) {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_POSITIONS) this.#known.delete(oldest);
    this.#known.set(text, null);
    try {
      this.#known.set(text, await this.engine.layers(text));
    } catch (error) {
      this.#known.delete(text);
      this.#fault = error instanceof Error ? error.message : String(error);
      this.writeHelp();
    }
    this.onChange();
  }
}
