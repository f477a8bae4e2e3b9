// A game with its variations. A forced pass is part of the move before it, so that a side that may
// move is always to move, unless the game is over.

import { Game, Position, afterPass, opponent } from "./rules.js";

/** @typedef {import("./rules.js").Color} Color */

/** A position of the tree, and the move that led to it. */
export class Node {
  /**
   * @param {Node | null} parent
   * @param {string | null} move
   * @param {Position} reached the position after the move, before a forced pass
   */
  constructor(parent, move, reached) {
    this.parent = parent;
    this.move = move;
    this.position = afterPass(reached);
    /** The side that passed after the move. @type {Color | null} */
    this.passed = reached.mustPass ? reached.sideToMove : null;
    /** Moves played from here; the first is the main line. @type {Node[]} */
    this.children = [];
    /** The child that was visited last. @type {Node | null} */
    this.visited = null;
    /** Moves before this position, passes not counted. @type {number} */
    this.number = parent === null ? 0 : parent.number + 1;
  }

  /** The side that made the move. @returns {Color | null} */
  get mover() {
    return this.parent === null ? null : this.parent.position.sideToMove;
  }

  /** The positions that the move passed through: the one after it, and the one after a pass. */
  get reached() {
    const before = this.parent?.position;
    if (before === undefined || this.move === null) return [this.position];
    const after = before.play(this.move);
    return this.passed === null ? [after] : [after, this.position];
  }
}

export class GameTree {
  /** @param {Position} [start] */
  constructor(start = Position.start()) {
    this.start = start;
    this.root = new Node(null, null, start);
    this.current = this.root;
    /** Names of the players, Black first. @type {string[] | null} */
    this.players = null;
  }

  /**
   * Reads a transcript, goes to its end.
   * @param {string} text
   */
  static fromText(text) {
    const game = Game.fromText(text);
    return GameTree.fromMoves(game.start, game.moves);
  }

  /**
   * @param {Position} start
   * @param {string[]} moves with or without passes
   */
  static fromMoves(start, moves) {
    const tree = new GameTree(start);
    for (const move of moves) if (move !== "pass") tree.play(move);
    return tree;
  }

  get position() {
    return this.current.position;
  }

  /**
   * Plays a move in the current position: the line that has it already, or a new one.
   * @param {string} move
   */
  play(move) {
    const known = this.current.children.find((child) => child.move === move);
    const child = known ?? new Node(this.current, move, this.position.play(move));
    if (known === undefined) this.current.children.push(child);
    this.goTo(child);
    return child;
  }

  /** @param {Node} node */
  goTo(node) {
    this.current = node;
    for (let at = node; at.parent !== null; at = at.parent) at.parent.visited = at;
  }

  /** The nodes from the start through the current one to the end of its line. */
  line() {
    const nodes = [];
    for (let at = /** @type {Node | null} */ (this.current); at !== null; at = at.parent) {
      nodes.unshift(at);
    }
    for (let at = next(this.current); at !== null; at = next(at)) nodes.push(at);
    return nodes;
  }

  /** Whether there is a move after the current position. */
  get hasNext() {
    return this.current.children.length > 0;
  }

  /**
   * Goes to a position of the current line.
   * @param {number} index 0 for the start
   */
  goToIndex(index) {
    const line = this.line();
    this.goTo(line[Math.max(0, Math.min(index, line.length - 1))]);
  }

  /** Whether the current position is on the main line. */
  get isMainLine() {
    for (let at = this.current; at.parent !== null; at = at.parent) {
      if (at.parent.children[0] !== at) return false;
    }
    return true;
  }

  /** The number of the current position in its line. */
  get index() {
    return this.current.number;
  }

  /**
   * Makes the line of a node the main line.
   * @param {Node} node
   */
  promote(node) {
    for (let at = node; at.parent !== null; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /**
   * Removes a node with all that follows, and goes to the position before it.
   * @param {Node} node
   */
  remove(node) {
    const parent = node.parent;
    if (parent === null) return;
    const isBelow = this.line().includes(node) && this.index >= node.number;
    parent.children.splice(parent.children.indexOf(node), 1);
    if (parent.visited === node) parent.visited = null;
    if (isBelow) this.goTo(parent);
  }

  /** The transcript of the current line, to its end. */
  get transcript() {
    return this.#written(this.line());
  }

  /** The transcript to the current position. */
  get transcriptToHere() {
    return this.#written(this.line().slice(0, this.index + 1));
  }

  /** @param {Node[]} line */
  #written(line) {
    const moves = line.flatMap(({ move }) => move ?? []).join("");
    if (this.start.equals(Position.start())) return moves;
    return moves === "" ? this.start.text : `${this.start.text}; ${moves}`;
  }

  /** All lines as text: `f5d6(c3d3)(c5)`, variations in parentheses after the main line. */
  toText() {
    const moves = written(this.root);
    if (this.start.equals(Position.start())) return moves;
    return `${this.start.text};${moves}`;
  }

  /**
   * Reads what {@link toText} wrote. Goes to the start.
   * @param {string} text
   */
  static read(text) {
    const [start, moves] = text.includes(";") ? text.split(";") : [null, text];
    const tree = new GameTree(start === null ? Position.start() : Position.fromText(start));
    /** @type {Node[]} */
    const branches = [];
    for (const [word] of moves.matchAll(/[a-h][1-8]|[()]/g)) {
      if (word === "(") branches.push(tree.current);
      else if (word === ")") tree.goTo(branches.pop() ?? tree.root);
      else tree.play(word);
    }
    tree.goTo(tree.root);
    for (const node of all(tree.root)) node.visited = null;
    return tree;
  }
}

/**
 * The child that a step forward leads to.
 * @param {Node} node
 */
export function next(node) {
  return node.visited ?? node.children[0] ?? null;
}

/**
 * Iterates over a node and all below it.
 * @param {Node} node
 * @returns {Generator<Node, void, void>}
 */
export function* all(node) {
  yield node;
  for (const child of node.children) yield* all(child);
}

/**
 * @param {Node} from
 * @returns {string}
 */
function written(from) {
  let text = "";
  for (let node = from; ; node = node.children[0]) {
    if (node !== from) text += node.move;
    if (node.children.length === 0) return text;
    if (node.children.length > 1) {
      return text + node.children.map((child) => `(${child.move}${written(child)})`).join("");
    }
  }
}

/**
 * The score of a finished game, for Black.
 * @param {Position} position
 */
export function finalScore(position) {
  return position.score("black");
}

/**
 * The side that has more discs at the end; null for a draw.
 * @param {Position} position
 * @returns {Color | null}
 */
export function winner(position) {
  const score = finalScore(position) ?? 0;
  if (score === 0) return null;
  return score > 0 ? "black" : opponent("black");
}
