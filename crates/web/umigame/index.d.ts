/** A square, `a1` to `h8`, or `pass`. Any case is accepted, and `pa`, `ps`, `--` for a pass. */
export type Move = string;
export type Color = "black" | "white";

/** An error of the engine: what it cannot do here, or what went wrong inside. */
export class UmigameError extends Error {
  /** Place of a fault in a text that was read, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * A position: 64 squares and the side to move. It never changes; {@link play} returns another.
 *
 * The rules need neither the engine nor WebAssembly.
 */
export class Position {
  private constructor();
  /** The start of a game. */
  static start(): Position;
  /**
   * Reads 64 squares from a1 to h8 and the side to move: `X x * B b` are Black, `O o W w 0` White,
   * `- . _` empty; blanks are ignored.
   * @throws RangeError with the column of what is wrong.
   */
  static fromText(text: string): Position;
  /** 64 of `X`, `O`, `-` from a1 to h8, a blank, `X` or `O`. */
  readonly text: string;
  readonly sideToMove: Color;
  readonly discs: { black: number; white: number; empty: number };
  /** The side to move has no legal square, and the other side has one. */
  readonly mustPass: boolean;
  /** Neither side has a legal square. */
  readonly isOver: boolean;
  /** The disc on a square; null if it is empty. */
  at(square: string): Color | null;
  /** The legal squares from a1 to h8; `["pass"]` where the side must pass; none if the game is over. */
  legalMoves(): Move[];
  isLegal(move: Move): boolean;
  /** The squares of the discs that a move to `square` flips; none if it is illegal. */
  flips(square: string): string[];
  /** @throws RangeError if the move is illegal, with the reason. */
  play(move: Move): Position;
  /**
   * The final score in discs for a side, by default the side to move. The winner takes the
   * empties. Null while the game goes on.
   */
  score(color?: Color): number | null;
  equals(other: unknown): boolean;
  toString(): string;
  toJSON(): string;
}

/** A game: a start, moves, and undo. */
export class Game {
  constructor(start?: Position);
  /**
   * Reads a transcript such as `f5d6c3`, `1. f5 2. d6` or `<64 squares> X; f5`. Forced passes may be
   * left out.
   * @throws RangeError with the place of what is wrong.
   */
  static fromText(text: string): Game;
  readonly start: Position;
  readonly position: Position;
  /** The moves, passes included. */
  readonly moves: Move[];
  /** The start, and the position after each move. */
  readonly positions: Position[];
  /** Plays a move, and before it the pass that is forced. Returns this game. */
  play(move: Move): this;
  /** Takes the last move back and returns it; null if there is none. */
  undo(): Move | null;
  /** The transcript: lower case, no passes; the position first unless it is the standard start. */
  toString(): string;
  toJSON(): string;
}

/** What bounds a search. The first bound reached ends it. */
export interface Limits {
  /** Strength, 1 to 30; 16 without other limits. */
  level?: number;
  /** Plies, 1 to 60, instead of a level. */
  depth?: number;
  /** Confidence of each cut in percent; 100 cuts nothing. 73 by default. */
  confidence?: 73 | 87 | 95 | 98 | 99 | 100;
  /** Empties from which positions are solved exactly, 0 to 60; by default the level's. */
  exactFrom?: number;
  /** The question that a search to the end of the game answers. */
  goal?: "score" | "winLossDraw";
  /** Number of best moves to value. */
  lines?: number;
  /** Search good moves deeper than bad ones on the way; in the end all lines are searched alike. */
  focus?: boolean;
  /** Maximum positions to visit. */
  nodes?: number;
  /** Time to use, in milliseconds. */
  timeMs?: number;
  /** The clock of the side to move: the engine decides how much of it to use. */
  clock?: { remainingMs: number; incrementMs?: number };
  /** Ends the request, whose promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** How the engine plays a move: limits, and errors for an opponent that a person can beat. */
export interface PlayOptions extends Omit<Limits, "level" | "lines"> {
  /** Strength, 1 to 30, or the name of a weaker level such as `"beginner"`: see {@link Engine.levels}. */
  level?: number | string;
  /** Discs to lose in a game, about, by errors such as people make; not beside a level with a name. */
  error?: number;
  /** Discs to lose in a move at most, beside `error` or a level with a name. */
  maxError?: number;
  /** The same position and seed give the same errors; random by default. */
  seed?: number;
}

/** A level of play. */
export interface LevelInfo {
  /** `"1"` to `"30"`, or the name of a weaker one. */
  level: string;
  /** A sentence on how it plays. */
  text: string;
  /** Plies that it searches. */
  depth: number;
  /** Empties from which it solves positions. */
  exact_from: number;
  /** Elo rating, where it was measured; 0 is a player that moves at random. */
  rating: number | null;
}

/** How sure an estimate is; null where unknown. */
export interface Estimate {
  /** Discs: in two of three positions the score under perfect play lies within; 0 if exact. */
  std_dev: number | null;
  /** Probabilities for the side to move, 0 to 1; they add up to 1. */
  wdl: { win: number; draw: number; loss: number } | null;
}

/** A move, its value and the play expected to follow. */
export interface Line extends Estimate {
  move: Move;
  /** The principal variation, `move` first. */
  moves: Move[];
  /** Estimate of the score under perfect play in discs, for the side to move. */
  eval: number;
  /** How `eval` bounds the value. */
  bound: "exact" | "lower" | "upper";
  /** `12`, `16@73%`, `100%`: the search behind `eval`. Differs between lines only with `focus`. */
  label: string;
}

/** The result of an iteration of a search. */
export interface Report {
  /** The best moves, best first; none if the game is over. */
  lines: Line[];
  /**
   * The kind of search behind the best line: to a depth, to the end of the game with cuts, or proven:
   * the exact score, or its sign only.
   */
  kind: "depth" | "endgame" | "exact" | "winLossDraw";
  /** Plies of a search to a depth, else null. */
  depth: number | null;
  /** Confidence of each cut in percent. */
  confidence: number;
  /** `12`, `16@73%`, `100%`: kind, depth and confidence in short. */
  label: string;
  /** Positions visited so far. */
  nodes: number;
  /** Time so far. */
  ms: number;
  /**
   * Predicted time from here until every value is exact; null where they are, or no score is sought.
   */
  ms_to_exact: number | null;
}

/** The result of a search: its last iteration, with the nodes and the time of all. */
export interface Result extends Report {
  /** `stop()` ended it. */
  stopped: boolean;
}

/** A value in an analysis; discs and probabilities for the side that moves. */
export interface JudgedMove extends Estimate {
  move: Move;
  score: number;
  depth: string;
  proven: boolean;
  pv: Move[];
}

/** A ply of an analysis. */
export interface JudgedPly {
  /** Plies before it; passes count. */
  ply: number;
  /** Number of the move, from 1; null for a pass. */
  number: number | null;
  color: Color;
  position: string;
  played: JudgedMove;
  best: JudgedMove;
  /** Other moves, best first, where the limits ask for more than one line. */
  others?: JudgedMove[];
  /** Discs lost against the best move, at least 0. */
  loss: number;
  grade: "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";
  score_for_black: number;
}

/** Totals of a side; only moves with a choice count, except in `moves`. */
export interface SideTotals {
  moves: number;
  choices: number;
  best: number;
  loss: number;
  mean_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

/** A game judged move by move: the object that `umigame analyze --jsonl` prints. */
export interface Analysis {
  start: string;
  transcript: string;
  /** The game is over. */
  over: boolean;
  /** Every position was judged; else the first ones are missing. */
  complete: boolean;
  score_for_black: number | null;
  opening: string | null;
  opening_japanese: string | null;
  moves: JudgedPly[];
  last:
    | (Estimate & {
        color: Color;
        position: string;
        score: number;
        depth: string;
        proven: boolean;
        best: JudgedMove | null;
      })
    | null;
  totals: { black: SideTotals; white: SideTotals };
  turning_points: {
    number: number;
    color: Color;
    played: Move;
    better: Move;
    before: number;
    after: number;
    proven: boolean;
  }[];
}

/** A game or a position that was pasted. */
export interface PastedGame {
  /** The name of its form: `transcript`, `position`, `board`, `ggf`, `sgf`, `pgn`, `obf`, `copy`, `address`. */
  form: string;
  /** The position that it begins in. */
  start: string;
  /** Passes included; none for a position. */
  moves: Move[];
  /** Black and White, where the text names them. */
  players: [string, string] | null;
}

/** A position square by square. */
export interface Layers {
  /** Discs that nothing can flip, as far as they are found. */
  stable: { black: string[]; white: string[] };
  /** Discs beside an empty square. */
  frontier: { black: string[]; white: string[] };
  /** Connected regions of empty squares. */
  regions: string[][];
  /** For each legal move, the empty squares around the discs that it flips. */
  openness: Record<string, number>;
}

/** Bytes received of the files of an engine. */
export interface LoadingProgress {
  loaded: number;
  /** Null where the server does not say. */
  total: number | null;
}

/** What {@link Engine.svg} draws. */
export interface SvgOptions {
  /** Width and height in pixels, 16 to 20,000; without it the drawing fills what it is in. */
  size?: number;
  /** Dots on legal squares; on by default. */
  legal?: boolean;
  /** A dot on the last move of a game; on by default. */
  lastMove?: boolean;
  /** The moves of a game numbered, instead of its last position. */
  numbers?: boolean;
  /** Values on squares: discs for the side to move, or a report; the best stand on white. */
  values?: Record<string, number> | Pick<Report, "lines">;
}

export interface EngineOptions {
  /** Size of the transposition table in MB, 1 to 2000; 16 by default. */
  hashMb?: number;
  /** The bytes of a weights file, instead of `weightsUrl`. */
  weights?: ArrayBuffer | ArrayBufferView;
  /** The weights file; by default `umigame.weights` beside the module. */
  weightsUrl?: string | URL;
  /** The compiled module, instead of `moduleUrl`. */
  module?: WebAssembly.Module;
  /** The WebAssembly module; by default `umigame.wasm` beside `index.js`. */
  moduleUrl?: string | URL;
  /** How a search is stopped; by default the best way that works here. See {@link Engine.info}. */
  stopBy?: "flag" | "turns" | "restart";
  /** Receives how much has been fetched. */
  onProgress?: (progress: LoadingProgress) => void;
  /** Ends the fetching. */
  signal?: AbortSignal;
}

/**
 * An engine in a worker of its own.
 *
 * It serves one request at a time, in order. Every method checks its arguments: a wrong one gives a
 * TypeError or RangeError that quotes it.
 */
export class Engine {
  private constructor();
  /**
   * Fetches the module and the weights and starts a worker.
   * @throws UmigameError if the browser lacks WebAssembly SIMD, a file cannot be fetched, the
   * weights are damaged, or the memory does not suffice.
   */
  static create(options?: EngineOptions): Promise<Engine>;
  /**
   * Size of the table, kernels, checksum of the weights, memory of the module, and how a search is
   * stopped: `flag` in
   * shared memory (node, isolated pages), `turns` of the worker (browsers with JavaScript Promise
   * Integration), or `restart` of the worker, which loses the table.
   */
  readonly info: {
    hashMb: number;
    kernels: string;
    weights: string;
    memoryMb: number;
    stopBy: "flag" | "turns" | "restart";
  };
  /** The compiled module, for another engine. */
  readonly module: WebAssembly.Module;
  /** Searches a position; `onReport` receives every iteration. */
  search(
    position: Position | Game,
    limits?: Limits,
    onReport?: (report: Report) => void,
  ): Promise<Result>;
  /**
   * Chooses a move to play: that of the result's only line. Without errors it is the best of a search.
   */
  play(position: Position | Game, options?: PlayOptions): Promise<Result & { seed: number }>;
  /** The levels, the weakest first; at once, beside a request that runs. */
  levels(): Promise<LevelInfo[]>;
  /**
   * Reads a game or a position in whatever form it was pasted; at once.
   * @throws UmigameError with line and column of what is wrong.
   */
  read(text: string): Promise<PastedGame>;
  /** Looks at a position square by square; at once. */
  layers(position: Position | Game): Promise<Layers>;
  /** Draws a board as SVG, with values on its squares; at once. */
  svg(board: Position | Game, options?: SvgOptions): Promise<string>;
  /** Searches for the exact score, or for win, loss or draw, however long it takes. */
  solve(
    position: Position | Game,
    options?: { goal?: "score" | "winLossDraw"; lines?: number; signal?: AbortSignal },
    onReport?: (report: Report) => void,
  ): Promise<Result>;
  /**
   * Iterates over the results of a search as they grow; 4 lines by default. A slow reader misses
   * some. Leaving the loop ends the search.
   */
  hints(position: Position | Game, limits?: Limits): AsyncGenerator<Report, void, void>;
  /**
   * Judges a game move by move, from its end; `limits` apply to each position, and with `lines` that
   * many of its moves are valued. `onProgress` receives
   * the analysis as it grows.
   */
  analyze(
    game: Game,
    limits?: Limits,
    onProgress?: (analysis: Analysis) => void,
  ): Promise<Analysis & { stopped: boolean }>;
  /** The value of a position without a search, in discs for the side to move. */
  evaluate(position: Position | Game): Promise<number>;
  /** Ends the request that runs: its promise resolves with what it has. Then the next is served. */
  stop(): Promise<void>;
  /** Empties the table: the next search visits the same nodes as in a new engine. */
  clear(): Promise<void>;
  /** Counts the sequences of `depth` plies, 0 to 12; a pass is a ply. */
  perft(position: Position | Game, depth: number): Promise<number>;
  /** Compares the module's kernels with plain code on random inputs. Returns their name. */
  checkKernels(rounds?: number, seed?: number): Promise<string>;
  /** Ends the worker. Requests that wait are rejected. */
  close(): void;
}
