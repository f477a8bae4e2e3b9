// Values of moves: what searches have found, remembered by position, and carried back along the moves
// that lead there.

import { afterPass } from "./rules.js";

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./engine.js").Report} Report */
/** @typedef {import("./engine.js").Line} Line */
/** @typedef {import("./engine.js").Analysis} Analysis */

/**
 * The value of a move or a position, for the side to move.
 * @typedef {object} Value
 * @property {number} eval discs
 * @property {number | null} std_dev 0 if exact
 * @property {{win: number, draw: number, loss: number} | null} wdl
 * @property {boolean} exact
 * @property {string} depth as the engine writes it: `12`, `16@73%`, `100%`
 * @property {number} rank how well it is searched; larger is better
 * @property {number | null} msToExact predicted time until a search of its position is exact
 * @property {string[]} line the play expected to follow
 * @property {"exact" | "lower" | "upper"} bound
 */

/** Positions remembered at most; the oldest are forgotten first. */
const MAX_POSITIONS = 4000;
/** Plies that a good move may be searched deeper than a bad one while both still grow. */
const MAX_LAG = 6;
/** Rank of a value that is proven; of a search to the end with cuts: that and the confidence. */
const EXACT_RANK = 1000;
const ENDGAME_RANK = 500;

/**
 * The value of a position for the other side.
 * @param {Value} value
 * @returns {Value}
 */
export function negated(value) {
  const { wdl, bound } = value;
  const turned = { exact: "exact", lower: "upper", upper: "lower" };
  return {
    ...value,
    eval: -value.eval || 0,
    wdl: wdl && { win: wdl.loss, draw: wdl.draw, loss: wdl.win },
    bound: /** @type {Value["bound"]} */ (turned[bound]),
  };
}

/**
 * A score that is certain, for the side to move.
 * @param {number} score
 * @returns {Value}
 */
function certain(score) {
  const wdl = { win: +(score > 0), draw: +(score === 0), loss: +(score < 0) };
  const rank = EXACT_RANK;
  return { eval: score, std_dev: 0, wdl, exact: true, depth: "100%", rank, msToExact: null, line: [], bound: "exact" };
}

export class Values {
  /** @type {Map<string, Map<string, Value>>} */
  #moves = new Map();
  /** What {@link of} returned, until something is added: a line asks for it again and again.
   * @type {Map<string, {move: string, value: Value}[]>} */
  #shown = new Map();
  /** Losses of an analysis by position: the move played, what it lost, and the better one.
   * @type {Map<string, Map<string, {loss: number, better: string}>>} */
  #losses = new Map();

  /** @param {{improves?: boolean}} [options] whether better values of later positions replace known ones */
  constructor({ improves = true } = {}) {
    this.improves = improves;
  }

  /**
   * Remembers a report, unless a deeper one is known. Returns whether anything changed.
   * @param {Position} position
   * @param {Report} report
   */
  add(position, report) {
    const known = this.#known(position);
    let changed = false;
    for (const line of report.lines) {
      const before = known.get(line.move);
      const rank = rankOf(line.label);
      // A bound says less than a value of the same depth.
      if (before !== undefined && before.rank > rank) continue;
      if (before?.rank === rank && line.bound !== "exact" && before.bound === "exact") continue;
      known.set(line.move, {
        eval: line.eval,
        std_dev: line.std_dev,
        wdl: line.wdl,
        exact: rank === EXACT_RANK && line.bound === "exact",
        depth: line.label,
        rank,
        msToExact: report.ms_to_exact ?? null,
        line: line.moves,
        bound: line.bound,
      });
      changed = true;
    }
    return changed;
  }

  /**
   * Remembers the values and losses of an analysis.
   * @param {Analysis} analysis
   */
  addAnalysis(analysis) {
    const { last } = analysis;
    if (last?.best) this.#judge(last.position, last.best);
    for (const { position, played, best, loss, grade, others = [] } of analysis.moves) {
      for (const judged of [played, best, ...others]) this.#judge(position, judged);
      const losses = this.#losses.get(position) ?? new Map();
      losses.set(played.move, { loss: grade === "forced" ? 0 : loss, better: best.move });
      forgetOldest(this.#losses);
      this.#losses.set(position, losses);
    }
  }

  /**
   * @param {string} position
   * @param {import("../umigame/index.js").JudgedMove} judged
   */
  #judge(position, judged) {
    const known = this.#known({ text: position });
    const rank = judged.proven ? EXACT_RANK : rankOf(judged.depth);
    if ((known.get(judged.move)?.rank ?? -1) > rank) return;
    known.set(judged.move, {
      eval: judged.score,
      std_dev: judged.std_dev,
      wdl: judged.wdl,
      exact: judged.proven,
      depth: judged.depth,
      rank,
      msToExact: null,
      line: judged.pv,
      bound: "exact",
    });
  }

  /** @param {{text: string}} position */
  #known(position) {
    this.#shown.clear();
    const known = this.#moves.get(position.text) ?? new Map();
    this.#moves.delete(position.text);
    forgetOldest(this.#moves);
    this.#moves.set(position.text, known);
    return known;
  }

  /**
   * Returns the values of the legal moves that are known, best first: by searches of the position,
   * or by better ones of the position after the move.
   * @param {Position} position
   * @returns {{move: string, value: Value}[]}
   */
  of(position) {
    const { text } = position;
    const shown = this.#shown.get(text) ?? this.#found(position);
    this.#shown.set(text, shown);
    return shown;
  }

  /** @param {Position} position */
  #found(position) {
    const known = this.#moves.get(position.text);
    /** @type {{move: string, value: Value}[]} */
    const found = [];
    for (const move of position.legalMoves()) {
      if (move === "pass") continue;
      const own = known?.get(move);
      const after = this.#after(position, move);
      const isBetter = after !== null && (own === undefined || (this.improves && after.rank >= own.rank));
      const value = isBetter ? after : own;
      if (value !== undefined) found.push({ move, value });
    }
    return found.sort((a, b) => b.value.eval - a.value.eval);
  }

  /**
   * The value of a move by what is known of the position after it, and of those after that.
   * @param {Position} position
   * @param {string} move
   * @returns {Value | null}
   */
  #after(position, move) {
    const { after, passes, score } = afterMove(position, move);
    if (score !== null) return { ...certain(score), line: [move] };
    if ((this.#moves.get(after.text)?.size ?? 0) === 0) return null;
    const found = this.of(after)[0]?.value;
    if (found === undefined || found.bound !== "exact") return null;
    const value = passes ? found : negated(found);
    return { ...value, line: [move, ...(passes ? ["pass"] : []), ...found.line] };
  }

  /**
   * The value of a position for its side to move; null if nothing is known.
   * @param {Position} position
   * @returns {Value | null}
   */
  ofPosition(position) {
    const score = position.score();
    if (score !== null) return certain(score);
    return this.of(position)[0]?.value ?? null;
  }

  /**
   * What a move lost against the best one, in discs: by an analysis, or where both are searched
   * equally well. Null if unknown.
   * @param {Position} position
   * @param {string} move
   * @returns {{loss: number, better: string} | null}
   */
  loss(position, move) {
    const judged = this.#losses.get(position.text)?.get(move);
    if (judged !== undefined) return judged;
    const found = this.of(position);
    const own = found.find((each) => each.move === move);
    if (own === undefined || found.length < position.legalMoves().length) return null;
    const best = found[0];
    if (Math.abs(own.value.rank - best.value.rank) > MAX_LAG + 1) return null;
    return { loss: Math.max(0, best.value.eval - own.value.eval), better: best.move };
  }
}

/** @param {Map<string, unknown>} positions */
function forgetOldest(positions) {
  const [oldest] = positions.keys();
  if (positions.size >= MAX_POSITIONS) positions.delete(oldest);
}

/** @typedef {{after: Position, passes: boolean, score: number | null}} After */

/** Positions after moves: every report asks for them again. @type {WeakMap<Position, Map<string, After>>} */
const afterMoves = new WeakMap();

/**
 * The position after a move and a forced pass, and the final score for the side that moved.
 * @param {Position} position
 * @param {string} move
 */
function afterMove(position, move) {
  const known = afterMoves.get(position) ?? new Map();
  afterMoves.set(position, known);
  const found = known.get(move);
  if (found !== undefined) return found;
  const reached = position.play(move);
  const after = afterPass(reached);
  const made = { after, passes: after !== reached, score: reached.score(position.sideToMove) };
  known.set(move, made);
  return made;
}

/**
 * How well a value is searched.
 * @param {string} label as the engine writes it
 */
export function rankOf(label) {
  if (label === "100%") return EXACT_RANK;
  // `16`, `16@73%`, or `73%` to the end of the game.
  const [, depth, confidence = "100"] = /^(\d+)(?:@(\d+)%)?$/.exec(label) ?? [];
  if (depth !== undefined) return Number(depth) + Number(confidence) / 1000;
  const [, toEnd] = /^(\d+)%$/.exec(label) ?? [];
  return toEnd === undefined ? 0 : ENDGAME_RANK + Number(toEnd) / 1000;
}
