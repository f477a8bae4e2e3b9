//! The game board, Turtle's BOARD: a mailbox with a flip stack.
//!
//! The board is 91 cells in rows of nine with one spare row above and below,
//! so that a step off any edge lands on a cell that never holds a disc and
//! stops every run. Each ply pushes the squares it flipped on a stack with a
//! frame of its own, so that undo is exact to any depth, passes included.
//! It is slow and obvious; [`super::Position`] is the fast twin, and each is
//! the other's test.
//!
//! Legality by direction bytes is after the basic board of 2001, the flip
//! stack after Turtle.

use std::fmt;

use super::color::Color;
use super::moves::Move;
use super::position::Position;
use super::score::Score;
use super::square::{DIRECTIONS, Square};
use super::zobrist;

/// Cells of the mailbox: ten rows of nine and one more, so that a step of
/// ten from the last square still lands inside.
const CELLS: usize = 91;
/// Cells from one row to the next.
const STRIDE: i16 = 9;
/// Initial room of the flip stack: a full game flips fewer discs than this
/// in nearly every case, and the stack grows if one does not.
const FLIP_STACK_CAPACITY: usize = 256;

/// One ply on the flip stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    played: Move,
    /// Where this ply's flips begin on the stack.
    start: usize,
}

/// Why a move is not allowed. The message says what stands in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// There is a disc on the square already.
    #[error("{0}: there is a disc already")]
    Occupied(Square),
    /// A disc there would flip nothing.
    #[error("{square}: flips nothing for {side}")]
    FlipsNothing {
        /// The square that was asked for.
        square: Square,
        /// Who is to move.
        side: Color,
    },
    /// A pass, though some square is legal.
    #[error("pass: {0} has a legal move")]
    MayNotPass(Color),
    /// Neither side has a move.
    #[error("{0}: the game is over")]
    GameOver(Move),
}

/// A mailbox board with the history that led to it.
#[derive(Clone)]
pub struct Board {
    cells: [Option<Color>; CELLS],
    side: Color,
    counts: [u32; 2],
    key: u64,
    flips: Vec<Square>,
    frames: Vec<Frame>,
}

/// The cell of a square: the first row begins after a spare row and the
/// spare cell to its left.
const fn cell(square: Square) -> usize {
    (square.row() as usize + 1) * STRIDE as usize + square.column() as usize + 1
}

/// The cell one step in direction `k` of [`DIRECTIONS`].
const fn neighbor(cell: usize, k: usize) -> usize {
    let (dx, dy) = DIRECTIONS[k];
    (cell as i16 + dy as i16 * STRIDE + dx as i16) as usize
}

/// The square of a cell that is on the board.
const fn square_of(cell: usize) -> Option<Square> {
    let cell = cell as i16;
    Square::at((cell % STRIDE - 1) as i8, (cell / STRIDE - 1) as i8)
}

impl Default for Board {
    fn default() -> Board {
        Board::start()
    }
}

impl Board {
    /// The start of a game: White on d4 and e5, Black on e4 and d5, Black to
    /// move.
    pub fn start() -> Board {
        Board::from_position(Position::START, Color::Black)
    }

    /// A board with these discs and an empty history.
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
            if position.player & square.bit() != 0 {
                board.put(square, side);
            } else if position.opponent & square.bit() != 0 {
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

    /// The same discs as two words, the side to move first.
    pub fn position(&self) -> Position {
        let mut words = [0u64; 2];
        for square in Square::all() {
            if let Some(color) = self.get(square) {
                words[color.index()] |= square.bit();
            }
        }
        let (player, opponent) = (words[self.side.index()], words[(!self.side).index()]);
        Position { player, opponent }
    }

    /// What lies on a square.
    pub fn get(&self, square: Square) -> Option<Color> {
        self.cells[cell(square)]
    }

    /// Who is to move. After the end of the game it is still somebody.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// How many discs a colour has.
    pub fn count(&self, color: Color) -> u32 {
        self.counts[color.index()]
    }

    /// How many squares are empty.
    pub fn empties(&self) -> u32 {
        Square::COUNT as u32 - self.counts[0] - self.counts[1]
    }

    /// The identity of discs and side to move, kept up with each ply; equal
    /// to [`Position::key`] of the same position.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Plies on the flip stack, passes counted.
    pub fn plies(&self) -> usize {
        self.frames.len()
    }

    /// The moves that led here from the board's first position.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.frames.iter().map(|frame| frame.played)
    }

    /// How many discs would flip in direction `k`, looking from an empty
    /// cell: any number of the opponent's, then one's own before an empty
    /// cell or the edge.
    fn run(&self, from: usize, k: usize, mover: Color) -> usize {
        let mut at = neighbor(from, k);
        let mut length = 0;
        while self.cells[at] == Some(!mover) {
            at = neighbor(at, k);
            length += 1;
        }
        if self.cells[at] == Some(mover) { length } else { 0 }
    }

    fn directions_for(&self, square: Square, mover: Color) -> u8 {
        let from = cell(square);
        if self.cells[from].is_some() {
            return 0;
        }
        (0..DIRECTIONS.len())
            .fold(0, |mask, k| mask | (u8::from(self.run(from, k, mover) > 0) << k))
    }

    /// The directions in which a disc on this square flips: bit `k` stands
    /// for `DIRECTIONS[k]`, zero means illegal.
    pub fn directions(&self, square: Square) -> u8 {
        self.directions_for(square, self.side)
    }

    /// The direction mask of every square, by index, and how many squares
    /// are legal.
    pub fn direction_map(&self) -> ([u8; Square::COUNT], usize) {
        let mut map = [0; Square::COUNT];
        for square in Square::all() {
            map[square.index()] = self.directions(square);
        }
        let legal = map.iter().filter(|&&mask| mask != 0).count();
        (map, legal)
    }

    /// The squares where the side to move may put a disc, from A1 on.
    pub fn legal_squares(&self) -> impl Iterator<Item = Square> + '_ {
        Square::all().filter(|&square| self.directions(square) != 0)
    }

    fn can_place(&self, mover: Color) -> bool {
        Square::all().any(|square| self.directions_for(square, mover) != 0)
    }

    /// Whether the side to move has no square and the other has one.
    pub fn must_pass(&self) -> bool {
        !self.can_place(self.side) && self.can_place(!self.side)
    }

    /// Whether neither side has a move.
    pub fn is_over(&self) -> bool {
        !self.can_place(self.side) && !self.can_place(!self.side)
    }

    /// The score for Black if the game ended here, the winner taking the
    /// empty squares.
    pub fn score_for_black(&self) -> Score {
        Score::of_finished(self.counts[0], self.counts[1])
    }

    /// Puts a disc of the side to move and flips; returns the squares
    /// flipped, direction by direction.
    ///
    /// # Errors
    /// [`IllegalMove`], and the board is as before.
    pub fn place(&mut self, square: Square) -> Result<&[Square], IllegalMove> {
        let directions = self.directions(square);
        if directions == 0 {
            return Err(self.why_illegal(square));
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
        Ok(&self.flips[start..])
    }

    fn flip_run(&mut self, from: usize, k: usize, mover: Color) {
        let mut at = neighbor(from, k);
        while self.cells[at] == Some(!mover) {
            if let Some(square) = square_of(at) {
                self.flips.push(square);
                self.turn(square, mover);
            }
            at = neighbor(at, k);
        }
    }

    /// Gives the disc on a square to a colour.
    fn turn(&mut self, square: Square, to: Color) {
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

    /// Passes the turn.
    ///
    /// # Errors
    /// [`IllegalMove`] where the side to move has a legal square or the game
    /// is over; the board is as before.
    pub fn pass(&mut self) -> Result<(), IllegalMove> {
        if self.can_place(self.side) {
            return Err(IllegalMove::MayNotPass(self.side));
        }
        if !self.can_place(!self.side) {
            return Err(IllegalMove::GameOver(Move::Pass));
        }
        self.push(Move::Pass, self.flips.len());
        Ok(())
    }

    /// Plays a move of either kind.
    ///
    /// # Errors
    /// As [`Board::place`] and [`Board::pass`].
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        match played {
            Move::Place(square) => self.place(square).map(|_| ()),
            Move::Pass => self.pass(),
        }
    }

    fn why_illegal(&self, square: Square) -> IllegalMove {
        if self.get(square).is_some() {
            IllegalMove::Occupied(square)
        } else if self.is_over() {
            IllegalMove::GameOver(Move::Place(square))
        } else {
            IllegalMove::FlipsNothing { square, side: self.side }
        }
    }

    /// Whether a move may be played.
    pub fn is_legal(&self, played: Move) -> bool {
        match played {
            Move::Place(square) => self.directions(square) != 0,
            Move::Pass => self.must_pass(),
        }
    }

    /// Takes the last ply back, to the disc and the flip; `None` where the
    /// history is empty.
    pub fn undo(&mut self) -> Option<Move> {
        let frame = self.frames.pop()?;
        self.switch_side();
        if let Move::Place(square) = frame.played {
            let mover = self.side;
            while self.flips.len() > frame.start {
                if let Some(flipped) = self.flips.pop() {
                    self.turn(flipped, !mover);
                }
            }
            self.cells[cell(square)] = None;
            self.counts[mover.index()] -= 1;
            self.key ^= zobrist::disc(mover, square);
        }
        debug_assert_eq!(self.validate(), Ok(()));
        Some(frame.played)
    }

    /// Checks every invariant; the error names the first that does not hold.
    pub fn validate(&self) -> Result<(), &'static str> {
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

/// Equal where discs, side to move and history are.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.cells == other.cells
            && self.side == other.side
            && self.flips == other.flips
            && self.frames == other.frames
    }
}

impl Eq for Board {}

/// Eight rows of `X`, `O` and `-` under a line of letters.
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
