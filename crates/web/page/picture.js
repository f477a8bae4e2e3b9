// Pictures of the board, which the engine's own code draws, and files to save.

/** @typedef {import("./values.js").Value} Value */

/** Width and height of a picture, in pixels. */
const SIZE = 568;

/**
 * Returns what to ask the engine for a picture of the board.
 * @param {string} board a transcript
 * @param {{move: string, value: Value}[]} shown values of legal moves
 * @param {boolean} numbers whether the moves are numbered
 * @returns {import("./engine.js").DiagramRequest}
 */
export function pictureOf(board, shown, numbers) {
  const lines = shown.map(({ move, value: { eval: discs, std_dev, wdl, bound, depth, line } }) => ({
    move,
    moves: line,
    eval: discs,
    std_dev,
    wdl,
    bound,
    label: depth,
  }));
  const values = lines.length > 0 ? { lines } : undefined;
  return { board, size: SIZE, numbers, values };
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
