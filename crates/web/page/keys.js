// The keys and the wheel.

/**
 * @typedef {object} Actions
 * @property {(steps: number) => void} step
 * @property {(end: "first" | "last") => void} jump
 * @property {() => void} mistake
 * @property {() => void} engine
 * @property {() => void} board
 * @property {() => void} undo
 * @property {() => void} hint
 */

/** Turns of a wheel or a touchpad that make a step, in pixels. */
const WHEEL_STEP = 40;

/**
 * Listens to keys wherever no text is typed.
 * @param {Actions} actions
 */
export function listenToKeys(actions) {
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => actions.step(-1),
    ArrowRight: () => actions.step(1),
    ",": () => actions.step(-1),
    ".": () => actions.step(1),
    PageUp: () => actions.step(-1),
    PageDown: () => actions.step(1),
    Home: () => actions.jump("first"),
    End: () => actions.jump("last"),
    m: actions.mistake,
    e: actions.engine,
    b: actions.board,
    u: actions.undo,
    h: actions.hint,
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") !== null || typesText(event.target)) return;
    const action = keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/** @param {EventTarget | null} target */
function typesText(target) {
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/**
 * Steps through the game by the wheel over an element.
 * @param {HTMLElement} element
 * @param {(steps: number) => void} step
 */
export function listenToWheel(element, step) {
  let turned = 0;
  element.addEventListener(
    "wheel",
    (event) => {
      // Ctrl and the wheel change the size of the page.
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * WHEEL_STEP;
      turned = Math.sign(pixels) === Math.sign(turned) ? turned + pixels : pixels;
      if (Math.abs(turned) < WHEEL_STEP) return;
      step(Math.sign(turned));
      turned = 0;
    },
    { passive: false },
  );
}
