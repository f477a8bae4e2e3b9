// The list of moves, with variations below the move that they replace.

import { h, replace } from "./dom.js";
import { LOSS_CLASSES, lossOf, valueForBlack } from "./graph.js";
import { colorText, t } from "./text.js";
import { discsText, spreadText, valueText } from "./value_text.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").GameTree} GameTree */
/** @typedef {import("./values.js").Values} Values */

export class MoveList {
  /** Nodes by the key of their button. @type {Map<string, Node>} */
  #nodes = new Map();
  /** @type {WeakMap<Node, string>} */
  #keys = new WeakMap();
  #made = 0;

  /**
   * @param {HTMLElement} element
   * @param {(node: Node) => void} onGo
   */
  constructor(element, onGo) {
    this.element = element;
    element.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest("[data-key]") : null;
      const node = this.#nodes.get(target?.getAttribute("data-key") ?? "");
      if (node !== undefined) onGo(node);
    });
  }

  /**
   * @param {GameTree} tree
   * @param {Values} values
   */
  render(tree, values) {
    this.#nodes.clear();
    const rows = this.#line(tree.root, tree, values);
    replace(this.element, rows.length > 0 ? rows : [h("li", { class: "hint" }, t("noMoves"))]);
    const current = this.element.querySelector("[aria-current]");
    if (current instanceof HTMLElement) this.#show(current);
  }

  /**
   * Scrolls the list, and nothing else, to a row.
   * @param {HTMLElement} row
   */
  #show(row) {
    const box = this.element.getBoundingClientRect();
    const own = row.getBoundingClientRect();
    if (own.top < box.top) this.element.scrollTop += own.top - box.top - 8;
    else if (own.bottom > box.bottom) this.element.scrollTop += own.bottom - box.bottom + 8;
  }

  /**
   * The rows of the main line after a node.
   * @param {Node} from
   * @param {GameTree} tree
   * @param {Values} values
   * @returns {HTMLElement[]}
   */
  #line(from, tree, values) {
    const rows = [];
    for (let node = from; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      rows.push(this.#row(main, tree, values));
      for (const other of others) {
        rows.push(h("li", { class: "variation" }, ...this.#variation(other, tree)));
      }
      if (main.passed !== null) {
        rows.push(h("li", { class: "passed" }, `${colorText(main.passed)}: ${t("pass")}`));
      }
    }
    return rows;
  }

  /**
   * @param {Node} node
   * @param {GameTree} tree
   * @param {Values} values
   */
  #row(node, tree, values) {
    const value = valueForBlack(node, values);
    const lost = lossOf(node, values);
    const spread = value === null ? "" : spreadText(value);
    const mark = lost?.mark ?? "";
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `move ${LOSS_CLASSES[mark] ?? ""}`,
          "data-key": this.#key(node),
          "aria-current": node === tree.current ? "true" : null,
        },
        h("span", { class: "number" }, String(node.number)),
        h("span", { class: `chip ${node.mover}`, "aria-hidden": true }),
        h("span", { class: "square-name" }, node.move ?? ""),
        h("span", { class: "score" }, value === null ? "" : valueText(value)),
        h("span", { class: "spread" }, spread),
        h("span", { class: "lost" }, lost === null || lost.loss < 0.05 ? "" : discsText(-lost.loss)),
        h("span", { class: "grade" }, mark),
      ),
    );
  }

  /**
   * A variation in one row, with variations of its own in parentheses.
   * @param {Node} first
   * @param {GameTree} tree
   * @returns {(HTMLElement | string)[]}
   */
  #variation(first, tree) {
    /** @type {(HTMLElement | string)[]} */
    const parts = [];
    for (let node = /** @type {Node | undefined} */ (first); node !== undefined; node = node.children[0]) {
      const prefix = node === first || parts.length === 0 ? `${node.number} ` : "";
      parts.push(
        h(
          "button",
          {
            type: "button",
            class: "step",
            "data-key": this.#key(node),
            "aria-current": node === tree.current ? "true" : null,
          },
          prefix + node.move,
        ),
      );
      for (const other of node.children.slice(1)) {
        parts.push(" (", ...this.#variation(other, tree), ") ");
      }
    }
    return parts;
  }

  /** @param {Node} node */
  #key(node) {
    const key = this.#keys.get(node) ?? `move-${++this.#made}`;
    this.#keys.set(node, key);
    this.#nodes.set(key, node);
    return key;
  }
}
