// Positions: the rules of Othello on a board of 64 cells, slow and obvious. The tests compare them
// with those of the engine.

const BLACK = 1;
const WHITE = 2;
const DIRECTIONS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
const NAMES = Array.from({ length: 64 }, (_, i) => "abcdefgh"[i % 8] + (1 + (i >> 3)));
const INDEX = new Map(NAMES.map((name, index) => [name, index]));
const PASSES = new Set(["pass", "pas", "pa", "ps", "--"]);
const START = "---------------------------OX------XO--------------------------- X";

/** Returns a value for a message, at most 24 characters of it. */
export function quote(value) {
  const text = typeof value === "string" ? value : describe(value);
  const short = text.length > 24 ? `${text.slice(0, 24)}...` : text;
  return "`" + short + "`";
}

function describe(value) {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** Returns a move in lower case, "pass" for any pass. Throws if the text is none. */
export function parseMove(text) {
  const word = typeof text === "string" ? text.trim().toLowerCase() : "";
  if (PASSES.has(word)) return "pass";
  if (INDEX.has(word)) return word;
  throw new RangeError(`${quote(text)} is no move: expected a square such as f5, or pass`);
}

function colorOf(letter) {
  if (letter !== "" && "Xx*Bb".includes(letter)) return BLACK;
  if (letter !== "" && "OoWw0".includes(letter)) return WHITE;
  return 0;
}

function colorNumber(color) {
  if (color === "black") return BLACK;
  if (color === "white") return WHITE;
  throw new TypeError(`${quote(color)} is no color: expected black or white`);
}

/** Reads 64 squares and the side to move. Returns them, and the number of characters read. */
export function parseBoard(text) {
  const letters = Array.from(text);
  const cells = new Uint8Array(64);
  let count = 0;
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at];
    if (letter.trim() === "") continue;
    const color = colorOf(letter);
    if (count === 64) {
      if (color !== 0) return { cells, side: color, read: at + 1, letters };
      const sides = "expected X x * B b or O o W w 0";
      throw new RangeError(`column ${at + 1}: ${quote(letter)} is no side to move: ${sides}`);
    }
    if (color === 0 && !"-._".includes(letter)) {
      const squares = "expected X x * B b, O o W w 0, - or .";
      throw new RangeError(`column ${at + 1}: ${quote(letter)} is no square: ${squares}`);
    }
    cells[count++] = color;
  }
  if (count < 64) throw new RangeError(`the board has ${count} squares of 64`);
  throw new RangeError("the side to move is missing: expected X or O after the 64 squares");
}

/** Whether a text begins with the squares of a board, not with a move. */
export function beginsWithBoard(text) {
  const [first, second] = text.replace(/\s+/g, "");
  if (first === undefined || second === undefined) return false;
  return (colorOf(first) !== 0 || "-._".includes(first)) && !/[1-8]/.test(second);
}

/** Returns the cells that `side` flips by a disc on an empty cell. */
function flipped(cells, side, index) {
  const other = BLACK + WHITE - side;
  const found = [];
  for (const [dx, dy] of DIRECTIONS) {
    const run = [];
    for (let x = (index % 8) + dx, y = (index >> 3) + dy; ; x += dx, y += dy) {
      if (x < 0 || x > 7 || y < 0 || y > 7) break;
      const cell = cells[8 * y + x];
      if (cell === other) {
        run.push(8 * y + x);
        continue;
      }
      if (cell === side) found.push(...run);
      break;
    }
  }
  return found;
}

export class Position {
  #cells;
  #side;
  /** Legal squares of both sides, computed when first asked for. */
  #legal = [undefined, undefined, undefined];

  constructor(cells, side) {
    if (!(cells instanceof Uint8Array) || cells.length !== 64 || (side !== 1 && side !== 2)) {
      throw new TypeError("a position is made by Position.start() or Position.fromText(text)");
    }
    this.#cells = cells.slice();
    this.#side = side;
  }

  static start() {
    return Position.fromText(START);
  }

  static fromText(text) {
    if (typeof text !== "string") {
      throw new TypeError(`${quote(text)} is no position: expected 64 squares and X or O`);
    }
    const { cells, side, read, letters } = parseBoard(text);
    const rest = letters.slice(read).join("").trim();
    if (rest !== "") {
      throw new RangeError(`${quote(rest)} after the side to move: expected nothing`);
    }
    return new Position(cells, side);
  }

  get sideToMove() {
    return this.#side === BLACK ? "black" : "white";
  }

  get text() {
    const squares = Array.from(this.#cells, (cell) => "-XO"[cell]).join("");
    return `${squares} ${"-XO"[this.#side]}`;
  }

  get discs() {
    const count = (color) => this.#cells.reduce((sum, cell) => sum + (cell === color), 0);
    return { black: count(BLACK), white: count(WHITE), empty: count(0) };
  }

  get mustPass() {
    return this.#squares(this.#side).length === 0 && !this.isOver;
  }

  get isOver() {
    return this.#squares(BLACK).length === 0 && this.#squares(WHITE).length === 0;
  }

  at(square) {
    return [null, "black", "white"][this.#cells[this.#index(square)]];
  }

  legalMoves() {
    return this.mustPass ? ["pass"] : this.#squares(this.#side).map((index) => NAMES[index]);
  }

  isLegal(move) {
    const parsed = parseMove(move);
    return parsed === "pass" ? this.mustPass : this.flips(parsed).length > 0;
  }

  flips(square) {
    const index = this.#index(square);
    if (this.#cells[index] !== 0) return [];
    return flipped(this.#cells, this.#side, index).map((cell) => NAMES[cell]);
  }

  play(move) {
    const parsed = parseMove(move);
    const other = BLACK + WHITE - this.#side;
    if (parsed === "pass") {
      if (this.mustPass) return new Position(this.#cells, other);
      const why = this.isOver ? "the game is over" : `${this.sideToMove} has a legal move`;
      throw new RangeError(`pass is illegal: ${why}`);
    }
    const index = INDEX.get(parsed);
    if (this.#cells[index] !== 0) {
      throw new RangeError(`${parsed} is illegal: the square is not empty`);
    }
    const run = flipped(this.#cells, this.#side, index);
    if (run.length === 0) throw new RangeError(`${parsed} is illegal: it flips no disc`);
    const cells = this.#cells.slice();
    for (const cell of [index, ...run]) cells[cell] = this.#side;
    return new Position(cells, other);
  }

  score(color = this.sideToMove) {
    const own = colorNumber(color);
    if (!this.isOver) return null;
    const { black, white, empty } = this.discs;
    const lead = own === BLACK ? black - white : white - black;
    return lead === 0 ? 0 : lead + Math.sign(lead) * empty;
  }

  equals(other) {
    return other instanceof Position && other.text === this.text;
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return this.text;
  }

  #index(square) {
    const index = typeof square === "string" ? INDEX.get(square.trim().toLowerCase()) : undefined;
    if (index === undefined) {
      throw new RangeError(`${quote(square)} is no square: expected a1 to h8`);
    }
    return index;
  }

  #squares(side) {
    this.#legal[side] ??= Array.from(NAMES.keys()).filter(
      (index) => this.#cells[index] === 0 && flipped(this.#cells, side, index).length > 0,
    );
    return this.#legal[side];
  }
}
