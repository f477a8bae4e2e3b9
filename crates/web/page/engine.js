// What the page asks an engine, whoever answers: a server over HTTP, or a worker in the page. The
// objects are those of the npm package and of `umigame hint --jsonl`.

/** @typedef {import("../umigame/index.js").Report} Report */
/** @typedef {import("../umigame/index.js").Result} Result */
/** @typedef {import("../umigame/index.js").Line} Line */
/** @typedef {import("../umigame/index.js").Analysis} Analysis */

/**
 * A level: how strong the engine plays, and what that is like.
 * @typedef {object} Level
 * @property {string} level a name, or 1 to 30
 * @property {string} [text] in English
 * @property {number} [depth] plies
 * @property {number} [exact_from] empties from which it solves positions
 * @property {number | null} [rating]
 */

/**
 * Bounds of a search that values moves; without any it goes on until it is stopped or solved.
 * @typedef {object} ValueOptions
 * @property {number} [lines] number of best moves to value
 * @property {boolean} [focus] whether good moves are searched deeper than bad ones on the way
 * @property {number} [depth] plies
 * @property {number} [timeMs]
 * @property {AbortSignal} [signal] ends the search
 * @property {(report: Report) => void} [onReport] receives every iteration
 */

/**
 * @typedef {object} MoveOptions
 * @property {string} [level]
 * @property {number} [seed] decides the errors of a level with a name
 * @property {{remainingMs: number, incrementMs: number}} [clock] of the side to move
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} AnalyzeOptions
 * @property {string} [level]
 * @property {number} [depth]
 * @property {AbortSignal} [signal]
 * @property {(analysis: Analysis) => void} [onReport] receives the analysis as it grows
 */

/**
 * A game or a position that was pasted.
 * @typedef {object} ReadGame
 * @property {string} form the name of its format
 * @property {string} start
 * @property {string[]} moves
 * @property {string[] | null} [players] Black, White
 */

/**
 * @typedef {object} Layers
 * @property {{black: string[], white: string[]}} stable
 * @property {{black: string[], white: string[]}} frontier
 * @property {string[][]} regions
 * @property {Record<string, number>} openness
 */

/**
 * A board to draw.
 * @typedef {object} DiagramRequest
 * @property {string} board a transcript
 * @property {number} size pixels
 * @property {boolean} numbers the moves are numbered
 * @property {Pick<Report, "lines">} [values] of the legal moves
 */

/**
 * A move in a book.
 * @typedef {object} BookMove
 * @property {string} move
 * @property {number | null} value discs for the side to move
 * @property {number} games that went through it
 * @property {number | null} win_rate 0 to 1
 */

/**
 * Which games to find.
 * @typedef {object} GamesFilter
 * @property {string} player part of the name of either player; empty for all
 * @property {string} event part of the name of the event; empty for all
 * @property {number} [fromYear]
 * @property {number} [toYear]
 * @property {number} limit games returned at most
 */

/**
 * A game of an archive, turned so that it meets the position that was asked for.
 * @typedef {object} ArchivedGame
 * @property {string} black empty where unknown, as the other texts
 * @property {string} white
 * @property {string} event
 * @property {string} date
 * @property {number | null} result discs for Black
 * @property {string} start
 * @property {string[]} moves
 * @property {number} ply moves before the position, passes included
 * @property {string | null} next the move played in the position
 */

/**
 * The games that met a position; wins, draws and losses are those of its side to move.
 * @typedef {object} FoundGames
 * @property {boolean} loading more games may come
 * @property {number} archive games that the engine has read
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {{move: string, games: number, win_rate: number | null}[]} moves
 * @property {ArchivedGame[]} found the newest
 */

/**
 * How far an engine has come that is fetched into the page. `first`: nothing answers yet; `full`: a
 * small set of weights does, whose values are less true; `done`: all is there; `failed`: no more comes.
 * @typedef {object} Loading
 * @property {"first" | "full" | "done" | "failed"} stage
 * @property {number | null} share of the stage's bytes that are here, 0 to 1; null where unknown
 */

/**
 * The engine. Every promise is rejected with an {@link EngineError} where something is wrong, and
 * with an `AbortError` where its signal ended it.
 * @typedef {object} Engine
 * @property {(position: string, options: ValueOptions) => Promise<Result>} values
 * @property {(position: string, options: MoveOptions) => Promise<{move: string}>} move
 * @property {(game: string, options: AnalyzeOptions) => Promise<Analysis>} analyze
 * @property {(text: string) => Promise<ReadGame>} read
 * @property {(position: string) => Promise<Layers>} layers
 * @property {(request: DiagramRequest) => Promise<string>} diagram a board as SVG
 * @property {() => Promise<boolean>} hasBook
 * @property {(position: string) => Promise<BookMove[]>} book the moves that the book knows
 * @property {() => Promise<boolean>} hasGames
 * @property {(position: string, filter: GamesFilter) => Promise<FoundGames>} games the games that met the position
 * @property {() => Promise<Level[]>} levels
 * @property {(listener: (loading: Loading) => void) => void} onLoading tells of every step of its
 * loading from now on; an engine that is fetched by nobody tells nothing
 */

/** What is wrong, with its place in the text that was read, both from 1. */
export class EngineError extends Error {
  name = "EngineError";

  /**
   * @param {string} message
   * @param {{line?: number, column?: number, unreachable?: boolean}} [place]
   */
  constructor(message, { line, column, unreachable = false } = {}) {
    super(message);
    this.line = line;
    this.column = column;
    /** Nobody answered. */
    this.unreachable = unreachable;
  }
}

/**
 * Whether an error is that of a signal that ended the request.
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
