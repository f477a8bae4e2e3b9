// Games: a start, moves, undo, and transcripts such as f5d6c3.

import { Position, beginsWithBoard, parseBoard, parseMove, quote } from "./position.js";

const SEPARATORS = /^(?:[\s,;]+|\d+[.)]+|\d+(?=[\s,;]|$)|-(?!-))/;
const MOVE = /^(?:pass|pas|pa|ps|--|[a-h][1-8])/i;

export class Game {
  #positions;
  #moves = [];

  constructor(start = Position.start()) {
    if (!(start instanceof Position)) {
      throw new TypeError(`${quote(start)} is no start of a game: expected a Position`);
    }
    this.#positions = [start];
  }

  static fromText(text) {
    if (typeof text !== "string") {
      throw new TypeError(`${quote(text)} is no transcript: expected moves such as f5d6c3`);
    }
    let rest = text;
    let game = new Game();
    if (beginsWithBoard(text)) {
      const { cells, side, read, letters } = parseBoard(text);
      game = new Game(new Position(cells, side));
      rest = letters.slice(read).join("");
    }
    const place = () => `character ${text.length - rest.length + 1}`;
    for (;;) {
      for (let found; (found = SEPARATORS.exec(rest)); ) rest = rest.slice(found[0].length);
      if (rest === "") return game;
      const found = MOVE.exec(rest);
      if (!found) {
        const word = quote(rest.split(/[\s,;]/, 1)[0]);
        throw new RangeError(`${place()}: ${word} is no move: expected a square such as f5, or pass`);
      }
      try {
        game.play(found[0]);
      } catch (error) {
        throw new RangeError(`${place()}: move ${game.#moves.length + 1}: ${error.message}`);
      }
      rest = rest.slice(found[0].length);
    }
  }

  get start() {
    return this.#positions[0];
  }

  get position() {
    return this.#positions[this.#positions.length - 1];
  }

  get moves() {
    return this.#moves.slice();
  }

  get positions() {
    return this.#positions.slice();
  }

  play(move) {
    const parsed = parseMove(move);
    const passes = parsed !== "pass" && this.position.mustPass;
    const before = passes ? this.position.play("pass") : this.position;
    const after = before.play(parsed);
    if (passes) this.#push("pass", before);
    this.#push(parsed, after);
    return this;
  }

  undo() {
    if (this.#moves.length === 0) return null;
    this.#positions.pop();
    return this.#moves.pop();
  }

  toString() {
    const squares = this.#moves.filter((move) => move !== "pass").join("");
    if (this.start.equals(Position.start())) return squares;
    return squares === "" ? `${this.start.text};` : `${this.start.text}; ${squares}`;
  }

  toJSON() {
    return this.toString();
  }

  #push(move, position) {
    this.#moves.push(move);
    this.#positions.push(position);
  }
}
