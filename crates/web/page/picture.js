// Pictures of the board, and files to save.

import { SQUARES } from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("../umigame/board.js").SquareView} SquareView */

const CELL = 64;
const MARGIN = 28;
const SIZE = 8 * CELL + 2 * MARGIN;

/**
 * Draws a position as SVG, with the values that the squares show.
 * @param {Position} position
 * @param {Map<string, SquareView>} views
 */
export function boardSvg(position, views) {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}"` +
      ` font-family="system-ui,sans-serif" text-anchor="middle">`,
    `<rect width="${SIZE}" height="${SIZE}" rx="10" fill="#26352e"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${8 * CELL}" height="${8 * CELL}" fill="#2f6b4f"/>`,
  ];
  for (let i = 0; i <= 8; i++) {
    const at = MARGIN + i * CELL;
    const end = MARGIN + 8 * CELL;
    parts.push(`<path d="M${at} ${MARGIN}V${end}M${MARGIN} ${at}H${end}" stroke="#1d4735" stroke-width="1.5"/>`);
  }
  for (let i = 0; i < 8; i++) {
    const at = MARGIN + i * CELL + CELL / 2;
    parts.push(text("abcdefgh"[i], at, MARGIN - 9, 15, "#d7e2dc"));
    parts.push(text(String(i + 1), MARGIN / 2, at + 5, 15, "#d7e2dc"));
  }
  SQUARES.forEach((square, index) => {
    const x = MARGIN + (index % 8) * CELL + CELL / 2;
    const y = MARGIN + (index >> 3) * CELL + CELL / 2;
    parts.push(...squareParts(x, y, position.at(square), views.get(square)));
  });
  return `${parts.join("")}</svg>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {"black" | "white" | null} color
 * @param {SquareView | undefined} view
 */
function squareParts(x, y, color, view) {
  if (color !== null) {
    const [fill, ink] = color === "black" ? ["#14181a", "#fff"] : ["#f7f7f2", "#14181a"];
    const parts = [`<circle cx="${x}" cy="${y}" r="${0.41 * CELL}" fill="${fill}"/>`];
    if (view?.number !== undefined) parts.push(text(String(view.number), x, y + 8, 22, ink));
    else if (view?.last) parts.push(`<circle cx="${x}" cy="${y}" r="6" fill="#4b9bea"/>`);
    return parts;
  }
  if (view?.value !== undefined) {
    const ink = view.best ? "#10231a" : "#fff";
    const pill = `<rect x="${x - 29}" y="${y - 25}" width="58" height="50" rx="9" fill="#fff"/>`;
    return [
      ...(view.best ? [pill] : []),
      text(view.value, x, y + 2, 20, ink, view.best ? 700 : 500),
      text(view.spread ?? "", x, y + 19, 13, ink),
    ];
  }
  return view?.legal ? [`<circle cx="${x}" cy="${y}" r="6" fill="#fff" fill-opacity=".55"/>`] : [];
}

/**
 * @param {string} content
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} fill
 * @param {number} [weight]
 */
function text(content, x, y, size, fill, weight = 500) {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${content}</text>`;
}

/**
 * Draws SVG as a PNG of twice its size.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2 * SIZE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * SIZE, 2 * SIZE);
  const blob = await new Promise((/** @type {BlobCallback} */ resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("the picture cannot be drawn");
  return blob;
}

/**
 * Saves a file through the browser.
 * @param {string} name
 * @param {Blob} content
 */
export function saveFile(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
