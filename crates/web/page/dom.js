// Elements of the page.

import { filled } from "../umigame/elements.js";

export { h, setText } from "../umigame/elements.js";

/** @typedef {import("../umigame/elements.js").Props} Props */

/**
 * Makes an element of SVG.
 * @param {string} name
 * @param {Props} [props]
 * @param {...(Node | string | null)} children
 */
export function s(name, props = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), props, children);
}

/**
 * Returns the element with an id, which is in the page's HTML.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return /** @type {T} */ (element);
}

/**
 * Replaces the children of an element where their HTML differs. Keeps the focus on an element with
 * the same `data-key`.
 * @param {Element} element
 * @param {(Node | string)[]} children
 */
export function replace(element, children) {
  const fresh = document.createElement("div");
  fresh.append(...children);
  if (fresh.innerHTML === element.innerHTML) return;
  const focused = document.activeElement;
  const key = element.contains(focused) ? focused?.getAttribute("data-key") : null;
  element.replaceChildren(...fresh.childNodes);
  if (key !== null && key !== undefined) {
    const again = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
  }
}
