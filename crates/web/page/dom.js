// Elements of the page.

/** @typedef {Record<string, string | number | boolean | null | undefined | EventListener>} Props */

/**
 * Makes an element. Properties are attributes; `on...` are listeners; null and false are left out.
 * @param {string} name
 * @param {Props} [props]
 * @param {...(Node | string | null)} children
 */
export function h(name, props = {}, ...children) {
  return filled(document.createElement(name), props, children);
}

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
 * @template {Element} T
 * @param {T} element
 * @param {Props} props
 * @param {(Node | string | null)[]} children
 */
function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.flatMap((child) => child ?? []));
  return element;
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
 * Sets the text of an element if it is another: a live region announces only what is new.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
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
