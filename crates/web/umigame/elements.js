// Elements of a page.

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
 * Gives an element its properties and children.
 * @template {Element} T
 * @param {T} element
 * @param {Props} props
 * @param {(Node | string | null)[]} children
 */
export function filled(element, props, children) {
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
 * Sets the text of an element if it is another: a live region announces only what is new.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
