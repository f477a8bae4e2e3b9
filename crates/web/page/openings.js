// Names of openings, from the engine's table: moves, English name, Japanese name. A name belongs to
// a position in any of its eight symmetries.

import { Position } from "./rules.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {{en: string, ja: string}} Names */

/** Fetches the names of openings, which lie beside the page. */
export async function fetchOpenings() {
  const response = await fetch(new URL("umigame/openings.tsv", document.baseURI));
  if (!response.ok) throw new Error("the names of openings are not served");
  return new Openings(await response.text());
}

export class Openings {
  /** @type {Map<string, Names>} */
  #byPosition = new Map();
  /** Names by the moves that lead to them. @type {Map<string, Names>} */
  #named = new Map();

  /** @param {string} table */
  constructor(table) {
    for (const row of table.split("\n")) {
      const [moves = "", en = "", ja = ""] = row.trim().split("\t");
      if (!/^([a-h][1-8])+$/.test(moves)) continue;
      let position = Position.start();
      for (const move of moves.match(/../g) ?? []) position = position.play(move);
      this.#byPosition.set(canonical(position), { en, ja });
      this.#named.set(moves, { en, ja });
    }
  }

  /**
   * Moves to the openings, by their names.
   * @param {"en" | "ja"} language
   * @returns {Map<string, string[]>}
   */
  named(language) {
    const found = /** @type {[string, string[]][]} */ ([]);
    for (const [moves, { en, ja }] of this.#named) {
      const name = language === "ja" ? ja || en : en || ja;
      if (name !== "") found.push([name, moves.match(/../g) ?? []]);
    }
    return new Map(found.sort(([a], [b]) => a.localeCompare(b, language)));
  }

  /**
   * The name of the last named position on the way to a node; empty without one.
   * @param {Node} node
   * @param {"en" | "ja"} language
   */
  nameOf(node, language) {
    let other = "";
    for (let at = /** @type {Node | null} */ (node); at !== null; at = at.parent) {
      // No opening is longer.
      if (at.number > 40) continue;
      const names = this.#byPosition.get(canonical(at.position));
      if (names?.[language]) return names[language];
      other ||= names?.en || names?.ja || "";
    }
    return other;
  }
}

/** @type {WeakMap<Position, string>} */
const canonicals = new WeakMap();

/** @param {Position} position */
function canonical(position) {
  const known = canonicals.get(position);
  if (known !== undefined) return known;
  const text = position.text;
  let least = text;
  for (let symmetry = 1; symmetry < 8; symmetry++) {
    let turned = "";
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) {
        let [u, v] = symmetry & 4 ? [y, x] : [x, y];
        if (symmetry & 1) u = 7 - u;
        if (symmetry & 2) v = 7 - v;
        turned += text[8 * v + u];
      }
    }
    turned += text.slice(64);
    if (turned < least) least = turned;
  }
  canonicals.set(position, least);
  return least;
}
