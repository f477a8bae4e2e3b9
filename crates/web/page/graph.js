// The graph of a game: the score for Black after every move, with the band of a standard deviation,
// and the losses of each side.

import { h, replace, s } from "./dom.js";
import { colorText, t } from "./text.js";
import { discsText, markOf } from "./value_text.js";
import { negated } from "./values.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./rules.js").Color} Color */

const MARGIN = { left: 30, right: 8, top: 8, bottom: 18 };
const HEIGHT = 170;
/** Marks of losses, and the shapes that show them in the graph. @type {Record<string, string>} */
export const SHAPES = { "?!": "M0-4 4 0 0 4-4 0Z", "?": "M0-5 5 4-5 4Z", "??": "M-4-4H4V4H-4Z" };
/** @type {Record<string, string>} */
export const LOSS_CLASSES = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/**
 * The value of a position for Black.
 * @param {Node} node
 * @param {Values} values
 */
export function valueForBlack(node, values) {
  const value = values.ofPosition(node.position);
  if (value === null) return null;
  return node.position.sideToMove === "black" ? value : negated(value);
}

/**
 * What the move to a node lost, with its mark; null if unknown or without a choice.
 * @param {Node} node
 * @param {Values} values
 */
export function lossOf(node, values) {
  if (node.parent === null || node.move === null) return null;
  const found = values.loss(node.parent.position, node.move);
  return found === null ? null : { ...found, mark: markOf(found.loss) };
}

/**
 * The next move of a line after a place that is a mistake: loses four discs or more.
 * @param {Node[]} line
 * @param {number} after
 * @param {Values} values
 */
export function nextMistake(line, after, values) {
  return line.find((node) => node.number > after && (lossOf(node, values)?.loss ?? 0) >= 4) ?? null;
}

export class Graph {
  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} losses
   * @param {(index: number) => void} onPlace
   */
  constructor(element, losses, onPlace) {
    this.element = element;
    this.losses = losses;
    this.count = 0;
    const go = (/** @type {PointerEvent} */ event) => {
      const box = element.getBoundingClientRect();
      const width = box.width - MARGIN.left - MARGIN.right;
      const share = (event.clientX - box.left - MARGIN.left) / width;
      onPlace(Math.round(Math.max(0, Math.min(1, share)) * this.count));
    };
    element.addEventListener("pointerdown", go);
    element.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) go(event);
    });
  }

  /**
   * @param {Node[]} line
   * @param {number} index the place that is shown
   * @param {Values} values
   */
  render(line, index, values) {
    const width = Math.max(200, this.element.clientWidth);
    this.count = Math.max(1, line.length - 1);
    const points = line.map((node) => valueForBlack(node, values));
    const frame = frameOf(points, this.count, width);
    const drawing = s("svg", {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      role: "img",
      "aria-label": t("graphLabel"),
    });
    drawing.append(...grid(frame), ...curves(points, frame), ...marks(line, points, frame, values));
    const x = frame.x(index).toFixed(1);
    drawing.append(s("line", { class: "at", x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }));
    replace(this.element, [drawing]);
    replace(this.losses, /** @type {Color[]} */ (["black", "white"]).map((color) => lossesOf(line, color, values)));
  }
}

/**
 * @typedef {object} Frame
 * @property {number} width
 * @property {number} count
 * @property {number} step discs between grid lines
 * @property {number} low
 * @property {number} high
 * @property {(index: number) => number} x
 * @property {(discs: number) => number} y
 */

/**
 * @param {(Value | null)[]} points
 * @param {number} count
 * @param {number} width
 * @returns {Frame}
 */
function frameOf(points, count, width) {
  let [low, high] = [-4, 4];
  for (const point of points) {
    if (point === null) continue;
    low = Math.min(low, point.eval - (point.std_dev ?? 0));
    high = Math.max(high, point.eval + (point.std_dev ?? 0));
  }
  const step = [2, 4, 8, 16].find((each) => high - low <= 6 * each) ?? 32;
  low = Math.max(-64, Math.floor(low / step) * step);
  high = Math.min(64, Math.ceil(high / step) * step);
  const across = width - MARGIN.left - MARGIN.right;
  const down = HEIGHT - MARGIN.top - MARGIN.bottom;
  return {
    width,
    count,
    step,
    low,
    high,
    x: (index) => MARGIN.left + (across * index) / count,
    y: (discs) => MARGIN.top + (down * (high - Math.max(low, Math.min(high, discs)))) / (high - low),
  };
}

/** @param {Frame} frame */
function grid(frame) {
  const lines = [];
  for (let discs = frame.low; discs <= frame.high; discs += frame.step) {
    const y = frame.y(discs).toFixed(1);
    lines.push(
      s("line", {
        class: discs === 0 ? "zero" : "grid",
        x1: MARGIN.left,
        x2: frame.width - MARGIN.right,
        y1: y,
        y2: y,
      }),
      s("text", { x: MARGIN.left - 6, y, dy: "0.35em", "text-anchor": "end" }, discsText(discs, true)),
    );
  }
  const every = frame.count > 24 ? 10 : frame.count > 9 ? 5 : 1;
  for (let number = 0; number <= frame.count; number += every) {
    const x = frame.x(number).toFixed(1);
    lines.push(s("text", { x, y: HEIGHT - 4, "text-anchor": "middle" }, String(number)));
  }
  return lines;
}

/**
 * The bands and curves of each stretch of known values.
 * @param {(Value | null)[]} points
 * @param {Frame} frame
 */
function curves(points, frame) {
  /** @type {{index: number, value: Value}[][]} */
  const stretches = [[]];
  points.forEach((value, index) => {
    if (value === null) stretches.push([]);
    else stretches[stretches.length - 1].push({ index, value });
  });
  return stretches.filter((stretch) => stretch.length > 0).flatMap((stretch) => {
    const at = (/** @type {number} */ index, /** @type {number} */ discs) =>
      `${frame.x(index).toFixed(1)} ${frame.y(discs).toFixed(1)}`;
    const upper = stretch.map(({ index, value }) => at(index, value.eval + (value.std_dev ?? 0)));
    const lower = stretch.map(({ index, value }) => at(index, value.eval - (value.std_dev ?? 0)));
    const curve = stretch.map(({ index, value }) => at(index, value.eval));
    // A single value is a point: a line of no length with a round end.
    return [
      s("path", { class: "band", d: `M${[...upper, ...lower.reverse()].join("L")}Z` }),
      s("path", { class: "curve", d: `M${curve.join("L")}${curve.length === 1 ? "h0.1" : ""}` }),
    ];
  });
}

/**
 * @param {Node[]} line
 * @param {(Value | null)[]} points
 * @param {Frame} frame
 * @param {Values} values
 */
function marks(line, points, frame, values) {
  return line.flatMap((node, index) => {
    const mark = lossOf(node, values)?.mark ?? "";
    const point = points[index];
    if (mark === "" || point === null) return [];
    const place = `translate(${frame.x(index).toFixed(1)} ${frame.y(point.eval).toFixed(1)})`;
    return [s("path", { class: `loss ${LOSS_CLASSES[mark]}`, d: SHAPES[mark], transform: place })];
  });
}

/**
 * @param {Node[]} line
 * @param {Color} color
 * @param {Values} values
 */
function lossesOf(line, color, values) {
  let total = 0;
  /** @type {Record<string, number>} */
  const counts = { "?!": 0, "?": 0, "??": 0 };
  for (const node of line) {
    const found = node.mover === color ? lossOf(node, values) : null;
    total += found?.loss ?? 0;
    if (found?.mark) counts[found.mark]++;
  }
  const text = Object.entries(counts).map(([mark, count]) => `${count} ${mark}`).join(", ");
  const words = { color: colorText(color), loss: total.toFixed(1), marks: text };
  return h("p", {}, h("span", { class: `chip ${color}`, "aria-hidden": true }), t("lostBy", words));
}
