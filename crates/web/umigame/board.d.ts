import type { Game, Line, Move, Position, Report } from "./index.js";

/** What a square shows beside its disc, where a program draws the squares itself. */
export interface SquareView {
  /** The name for screen readers. */
  label: string;
  /** Shown where the pointer rests. */
  title?: string;
  /** The value of the move. */
  value?: string;
  /** Its standard deviation, or that it is exact. */
  spread?: string;
  depth?: string;
  best?: boolean;
  legal?: boolean;
  /** The last move. */
  last?: boolean;
  /** The move that the game goes on with. */
  played?: boolean;
  /** A number on the disc. */
  number?: number;
  stable?: string;
  frontier?: string;
  /** Name of the region of empties. */
  region?: string;
  openness?: string;
}

/** Events of a board, by name. */
export interface UmigameBoardEvents {
  /** A legal square was pressed, and the move played. */
  move: CustomEvent<{ move: Move; position: Position; game: Game }>;
  /** The engine has values of the position that is shown. */
  values: CustomEvent<Report & { position: Position }>;
  /** A square was pressed; `preventDefault()` leaves what happens to the page. */
  press: CustomEvent<{ square: string }>;
  /** The pointer or the keyboard is on a square, or on none. */
  point: CustomEvent<{ square: string | null }>;
  /** The engine cannot be started, or failed. */
  fault: CustomEvent<{ message: string }>;
}

/**
 * `<umigame-board>`: a board to play on, by pointer and by keyboard.
 *
 * Attributes: `game`, a transcript; or `position`, 64 squares and the side to move; `orientation`,
 * `black` or `white`, the side below; `engine`, plies to which an engine in a worker searches the value
 * of every move, 16 without a number; `label`, the name for screen readers, or `labelled-by`, the id of
 * the element with the name.
 */
export class UmigameBoard extends HTMLElement {
  /**
   * The position shown; setting it begins a game in it.
   * @throws RangeError with the place of what is wrong in a text.
   */
  get position(): Position;
  set position(value: Position | string);
  /** The game shown; a text is a transcript. */
  get game(): Game;
  set game(value: Game | string);
  orientation: "black" | "white";
  /** Values of moves that the squares show, such as the lines of a report; none after a move. */
  get values(): Line[];
  set values(lines: Line[] | null);
  /** Plays a move of the game. @throws RangeError if it is illegal. */
  play(move: Move): void;
  /** Takes the last move back and returns it; null if there is none. */
  undo(): Move | null;
  /** Draws a position with what each square shows; the board plays nothing by itself then. */
  show(position: Position, views: Map<string, SquareView>, options?: { animate?: boolean }): void;
  /** Shows that a square cannot be played. */
  refuse(square: string): void;
  /** Puts the keyboard on the board. */
  focusSquare(): void;
  addEventListener<K extends keyof UmigameBoardEvents>(
    type: K,
    listener: (event: UmigameBoardEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "umigame-board": UmigameBoard;
  }
}
