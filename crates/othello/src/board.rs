//! The board of a game: a mailbox with a flip stack.
//!
//! The mailbox has 91 cells in rows of nine, with a spare row above and below, so that a step off
//! any edge lands on a cell that never holds a disc and stops every run. Each ply pushes the squares
//! that it flips on a stack, with a frame of its own, so that undo is exact at any depth, passes
//! included. The board is slow and obvious; [`crate::Position`] is its fast twin, and each is the
//! other's test.
//!
//! Direction bytes are after the basic board of 2001, mailbox and flip stack after Turtle.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::score::Score;
use crate::square::{DIRECTIONS, Square};
use crate::zobrist;

/// Number of cells: ten rows of nine, and one more for the diagonal step from H8.
const CELLS: usize = 91;
/// Cells from one row to the next.
const STRIDE: i16 = 9;
/// Initial capacity of the flip stack, in squares; nearly every game fits in it.
const FLIP_STACK_CAPACITY: usize = 256;

/// A ply on the flip stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    played: Move,
    /// Index of the ply's first flip on the stack.
    start: usize,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The square holds a disc.
    #[error("{0}: there is a disc already")]
    Occupied(Square),
    /// A disc on the square flips nothing.
    #[error("{square}: flips nothing for {side}")]
    FlipsNothing {
        /// The square.
        square: Square,
        /// The side to move.
        side: Color,
    },
    /// A pass by a side that has a legal square.
    #[error("pass: {0} has a legal move")]
    MayNotPass(Color),
    /// A move after the end of the game.
    #[error("{0}: the game is over")]
    GameOver(Move),
}

/// A game in progress: discs, side to move, and the history of moves since the board's first
/// position.
///
/// ```
/// use umigame_othello::{Board, Color, IllegalMove, Square};
///
/// let mut board = Board::start();
/// board.play(Square::F5)?;
/// assert_eq!((board.side_to_move(), board.count(Color::Black)), (Color::White, 4));
/// board.undo();
/// assert_eq!(board, Board::start());
/// # Ok::<(), IllegalMove>(())
/// ```
#[derive(Clone)]
pub struct Board {
    cells: [Option<Color>; CELLS],
    side: Color,
    counts: [u32; 2],
    key: u64,
    flips: Vec<Square>,
    frames: Vec<Frame>,
}

/// Returns the cell of a square. A spare row and a spare cell come before A1.
const fn cell(square: Square) -> usize {
    (square.row() as usize + 1) * STRIDE as usize + square.column() as usize + 1
}

/// Returns the cell one step away in direction `k` of [`DIRECTIONS`].
const fn neighbor(cell: usize, k: usize) -> usize {
    let (dx, dy) = DIRECTIONS[k];
    (cell as i16 + dy as i16 * STRIDE + dx as i16) as usize
}

/// Returns the square of a cell, or `None` for a spare cell.
const fn square_of(cell: usize) -> Option<Square> {
    let cell = cell as i16;
    Square::at((cell % STRIDE - 1) as i8, (cell / STRIDE - 1) as i8)
}

/// The start of a game.
impl Default for Board {
    fn default() -> Board {
        Board::start()
    }
}

impl Board {
    /// Returns the start of a game: White on d4 and e5, Black on e4 and d5, Black to move.
    pub fn start() -> Board {
        Board::from_position(Position::START, Color::Black)
    }

    /// Returns a board with the discs of a position and an empty history.
    pub fn from_position(position: Position, side: Color) -> Board {
        let mut board = Board {
            cells: [None; CELLS],
            side,
            counts: [0; 2],
            key: zobrist::side(side),
            flips: Vec::with_capacity(FLIP_STACK_CAPACITY),
            frames: Vec::with_capacity(Square::COUNT),
        };
        for square in Square::all() {
            if position.player().contains(square) {
                board.put(square, side);
            } else if position.opponent().contains(square) {
                board.put(square, !side);
            }
        }
        board
    }

    fn put(&mut self, square: Square, color: Color) {
        self.cells[cell(square)] = Some(color);
        self.counts[color.index()] += 1;
        self.key ^= zobrist::disc(color, square);
    }

    /// Returns the discs as two words, the side to move first.
    pub fn position(&self) -> Position {
        let mut discs = [Bitboard::EMPTY; 2];
        for square in Square::all() {
            if let Some(color) = self.get(square) {
                discs[color.index()].insert(square);
            }
        }
        Position::new_unchecked(discs[self.side.index()], discs[(!self.side).index()])
    }

    /// Returns the colour of the disc on a square, or `None` if it is empty.
    pub fn get(&self, square: Square) -> Option<Color> {
        self.cells[cell(square)]
    }

    /// Returns the side to move. After the end of the game it is the side that did not move last.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Returns the number of discs of a colour.
    pub fn count(&self, color: Color) -> u32 {
        self.counts[color.index()]
    }

    /// Returns the number of empties.
    pub fn empties(&self) -> u32 {
        Square::COUNT as u32 - self.counts[0] - self.counts[1]
    }

    /// Returns the Zobrist key of discs and side to move, updated with each ply. Equals
    /// [`Position::key`] of the same position.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the number of plies in the history, passes included.
    pub fn plies(&self) -> usize {
        self.frames.len()
    }

    /// Returns the moves of the history, passes included.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.frames.iter().map(|frame| frame.played)
    }

    /// Returns the number of discs that flip in direction `k` from an empty cell: a run of the
    /// opponent's discs that a disc of `mover` closes before an empty cell or the edge.
    fn run_length(&self, from: usize, k: usize, mover: Color) -> usize {
        let mut at = neighbor(from, k);
        let mut length = 0;
        while self.cells[at] == Some(!mover) {
            at = neighbor(at, k);
            length += 1;
        }
        if self.cells[at] == Some(mover) { length } else { 0 }
    }

    /// Returns the directions in which a disc of `mover` on a square flips.
    fn directions_for(&self, square: Square, mover: Color) -> u8 {
        let from = cell(square);
        if self.cells[from].is_some() {
            return 0;
        }
        (0..DIRECTIONS.len())
            .fold(0, |mask, k| mask | (u8::from(self.run_length(from, k, mover) > 0) << k))
    }

    /// Returns the direction mask of a square for the side to move: bit `k` is set if a disc there
    /// flips in direction `DIRECTIONS[k]`. Zero means illegal.
    pub fn directions(&self, square: Square) -> u8 {
        self.directions_for(square, self.side)
    }

    /// Returns the legal squares of the side to move, from A1 to H8.
    pub fn legal_squares(&self) -> impl Iterator<Item = Square> + '_ {
        Square::all().filter(|&square| self.directions(square) != 0)
    }

    fn has_move(&self, mover: Color) -> bool {
        Square::all().any(|square| self.directions_for(square, mover) != 0)
    }

    /// Returns true if the side to move has no legal square and the other side has one.
    pub fn must_pass(&self) -> bool {
        !self.has_move(self.side) && self.has_move(!self.side)
    }

    /// Returns true if neither side has a legal square.
    pub fn is_over(&self) -> bool {
        !self.has_move(self.side) && !self.has_move(!self.side)
    }

    /// Returns Black's score if the game ends here. The winner takes the empties.
    pub fn score_for_black(&self) -> Score {
        Score::of_finished(self.counts[0], self.counts[1])
    }

    /// Returns Black's score of a finished game, or `None` while the game goes on.
    pub fn result_for_black(&self) -> Option<Score> {
        self.is_over().then(|| self.score_for_black())
    }

    /// Places a disc of the side to move.
    fn place(&mut self, square: Square) -> Result<(), IllegalMove> {
        let directions = self.directions(square);
        if directions == 0 {
            return Err(self.reason_illegal(square));
        }
        let start = self.flips.len();
        let mover = self.side;
        for k in 0..DIRECTIONS.len() {
            if directions & (1 << k) != 0 {
                self.flip_run(cell(square), k, mover);
            }
        }
        self.put(square, mover);
        self.push(Move::Place(square), start);
        debug_assert_eq!(self.validate(), Ok(()));
        Ok(())
    }

    fn flip_run(&mut self, from: usize, k: usize, mover: Color) {
        let mut at = neighbor(from, k);
        while self.cells[at] == Some(!mover) {
            if let Some(square) = square_of(at) {
                self.flips.push(square);
                self.flip(square, mover);
            }
            at = neighbor(at, k);
        }
    }

    /// Turns the disc on a square to a colour.
    fn flip(&mut self, square: Square, to: Color) {
        self.cells[cell(square)] = Some(to);
        self.counts[to.index()] += 1;
        self.counts[(!to).index()] -= 1;
        self.key ^= zobrist::disc(to, square) ^ zobrist::disc(!to, square);
    }

    fn push(&mut self, played: Move, start: usize) {
        self.frames.push(Frame { played, start });
        self.switch_side();
    }

    fn switch_side(&mut self) {
        self.side = !self.side;
        self.key ^= zobrist::side(Color::Black) ^ zobrist::side(Color::White);
    }

    /// Passes.
    ///
    /// # Errors
    /// [`IllegalMove`] if the side to move has a legal square or the game is over; the board is
    /// unchanged.
    pub fn pass(&mut self) -> Result<(), IllegalMove> {
        if self.has_move(self.side) {
            return Err(IllegalMove::MayNotPass(self.side));
        }
        if !self.has_move(!self.side) {
            return Err(IllegalMove::GameOver(Move::Pass));
        }
        self.push(Move::Pass, self.flips.len());
        Ok(())
    }

    /// Plays a disc or a pass. [`Position::play`] is its twin.
    ///
    /// # Errors
    /// [`IllegalMove`]; the board is unchanged.
    pub fn play(&mut self, played: impl Into<Move>) -> Result<(), IllegalMove> {
        match played.into() {
            Move::Place(square) => self.place(square),
            Move::Pass => self.pass(),
        }
    }

    fn reason_illegal(&self, square: Square) -> IllegalMove {
        if self.get(square).is_some() {
            IllegalMove::Occupied(square)
        } else if self.is_over() {
            IllegalMove::GameOver(Move::Place(square))
        } else {
            IllegalMove::FlipsNothing { square, side: self.side }
        }
    }

    /// Returns true if a move is legal.
    pub fn is_legal(&self, played: Move) -> bool {
        match played {
            Move::Place(square) => self.directions(square) != 0,
            Move::Pass => self.must_pass(),
        }
    }

    /// Undoes the last ply and returns its move, or `None` if the history is empty.
    pub fn undo(&mut self) -> Option<Move> {
        let frame = self.frames.pop()?;
        self.switch_side();
        if let Move::Place(square) = frame.played {
            let mover = self.side;
            while self.flips.len() > frame.start {
                if let Some(flipped) = self.flips.pop() {
                    self.flip(flipped, !mover);
                }
            }
            self.cells[cell(square)] = None;
            self.counts[mover.index()] -= 1;
            self.key ^= zobrist::disc(mover, square);
        }
        debug_assert_eq!(self.validate(), Ok(()));
        Some(frame.played)
    }

    /// Checks every invariant. The error names the first that does not hold.
    pub(crate) fn validate(&self) -> Result<(), &'static str> {
        let on_board = |index: usize| square_of(index).is_some();
        if (0..CELLS).any(|index| !on_board(index) && self.cells[index].is_some()) {
            return Err("a cell off the board holds a disc");
        }
        for color in Color::ALL {
            let discs = Square::all().filter(|&square| self.get(square) == Some(color)).count();
            if discs != self.counts[color.index()] as usize {
                return Err("a disc count differs from the discs");
            }
        }
        if self.key != self.position().key(self.side) {
            return Err("the key differs from the discs and the side to move");
        }
        if self.frames.windows(2).any(|pair| pair[0].start > pair[1].start)
            || self.frames.last().is_some_and(|frame| frame.start > self.flips.len())
        {
            return Err("the frames of the flip stack are out of order");
        }
        Ok(())
    }
}

/// Equal if discs, side to move and history are; counts and key follow from them.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.cells == other.cells
            && self.side == other.side
            && self.flips == other.flips
            && self.frames == other.frames
    }
}

impl Eq for Board {}

/// Writes eight rows of `X`, `O` and `-` under a line of letters.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  a b c d e f g h")?;
        for row in 0..8 {
            write!(f, "{}", row + 1)?;
            for square in Square::all().skip(row * 8).take(8) {
                write!(f, " {}", self.get(square).map_or('-', Color::letter))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{} to move, {} plies", self.side, self.plies())
    }
}
