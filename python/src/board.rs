//! `Board`: a game in progress.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};
use umigame_analysis::diagram::Diagram;
use umigame_othello::{
    self as othello, Color, Move, Position, Record, Symmetry, formats, openings, position_text,
};

use crate::errors::{illegal, unreadable, wrong, wrong_type};
use crate::moves::{ColorArg, MoveArg, color_text, square, texts};
use crate::numbers::Int;
use crate::square_values::SquareValues;

/// Largest width of a drawing.
const MAX_PIXELS: u32 = 100_000;

/// A game in progress: discs, side to move, and the moves that led here.
///
/// Without text it is the start of a game. The text may be "start", a transcript ("f5d6c3"), 64
/// squares of X, O and - with the side to move, a board as `str` draws it, or a game in GGF. `moves`
/// are played afterwards.
///
/// Two boards are equal if their discs and side to move are; the moves that led there do not count.
/// A board in a set or a dict must not be changed.
///
/// >>> board = umigame.Board("f5d6c3")
/// >>> board.legal_moves
/// ['d3', 'f3', 'f4', 'g5']
/// >>> board.push("d3")
/// >>> print(board)
///   a b c d e f g h
/// 1 - - - - - - - -
/// 2 - - - - - - - -
/// 3 - - X O - - - -
/// 4 - - - O X - - -
/// 5 - - - O X X - -
/// 6 - - - O - - - -
/// 7 - - - - - - - -
/// 8 - - - - - - - -
/// Black (X) to move
/// >>> board == umigame.Board(str(board))
/// True
/// >>> board.pop()
/// 'd3'
#[pyclass(module = "umigame")]
#[derive(Clone)]
pub(crate) struct Board {
    pub board: othello::Board,
}

impl From<othello::Board> for Board {
    fn from(board: othello::Board) -> Board {
        Board { board }
    }
}

impl Board {
    /// The discs of a side as an int.
    fn discs(&self, color: Color) -> u64 {
        let position = self.board.position();
        let own = color == self.board.side_to_move();
        if own { position.player().bits() } else { position.opponent().bits() }
    }

    fn image(&self, symmetry: Symmetry) -> Board {
        let position = symmetry.of_position(self.board.position());
        othello::Board::from_position(position, self.board.side_to_move()).into()
    }

    fn legal(&self) -> Vec<Move> {
        let position = self.board.position();
        let pass = position.must_pass().then_some(Move::Pass);
        position.legal_moves().iter().map(Move::Place).chain(pass).collect()
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (text="start", moves=None))]
    fn new(text: &str, moves: Option<Vec<MoveArg>>) -> PyResult<Board> {
        let mut board: othello::Board = text.parse().map_err(unreadable)?;
        for (index, MoveArg(played)) in moves.into_iter().flatten().enumerate() {
            let why = |why| illegal(format!("move {}: {why}", index + 1));
            board.play(played).map_err(why)?;
        }
        Ok(board.into())
    }

    /// Makes a board of two sets of squares: bit 0 is a1, bit 7 h1, bit 63 h8.
    ///
    /// >>> umigame.Board.from_bits(0x0000000810000000, 0x0000001008000000) == umigame.Board()
    /// True
    #[staticmethod]
    #[pyo3(signature = (player, opponent, turn=ColorArg(Color::Black)), text_signature = "(player, opponent, turn='black')")]
    fn from_bits(player: Int, opponent: Int, turn: ColorArg) -> PyResult<Board> {
        let player = player.within("player", 0..=u64::MAX)?;
        let opponent = opponent.within("opponent", 0..=u64::MAX)?;
        let position = Position::new(player.into(), opponent.into()).map_err(wrong)?;
        Ok(othello::Board::from_position(position, turn.0).into())
    }

    /// Makes a board of a line of OBF: 64 squares and the side to move. Scores are ignored.
    #[staticmethod]
    fn from_obf(line: &str) -> PyResult<Board> {
        Ok(obf_problem(line)?.board().into())
    }

    /// The side to move, "black" or "white".
    #[getter]
    fn turn(&self) -> &'static str {
        color_text(self.board.side_to_move())
    }

    /// The discs of the side to move as an int; bit 0 is a1, bit 63 h8.
    #[getter]
    fn player(&self) -> u64 {
        self.discs(self.board.side_to_move())
    }

    /// The discs of the other side as an int.
    #[getter]
    fn opponent(&self) -> u64 {
        self.discs(!self.board.side_to_move())
    }

    /// The discs of Black as an int.
    #[getter]
    fn black(&self) -> u64 {
        self.discs(Color::Black)
    }

    /// The discs of White as an int.
    #[getter]
    fn white(&self) -> u64 {
        self.discs(Color::White)
    }

    /// The number of empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.board.empties()
    }

    /// The number of plies played, passes included.
    #[getter]
    fn ply(&self) -> usize {
        self.board.plies()
    }

    /// A 64-bit Zobrist key of discs and side to move, the same in every process.
    #[getter]
    fn key(&self) -> u64 {
        self.board.key()
    }

    /// The legal moves, from a1 to h8; ["pass"] where passing is forced, [] at the end of the game.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        texts(&self.legal())
    }

    /// The legal squares as an int.
    #[getter]
    fn legal_bits(&self) -> u64 {
        self.board.position().legal_moves().bits()
    }

    /// The moves played, oldest first.
    #[getter]
    fn move_stack(&self) -> Vec<String> {
        self.board.history().map(|played| played.to_string()).collect()
    }

    /// The names of the opening in English and in Japanese; None where there is none.
    #[getter]
    fn opening(&self) -> (Option<&'static str>, Option<&'static str>) {
        (openings::english(&self.board), openings::japanese(&self.board))
    }

    /// Plays a move: a square such as "f5" or 37, or "pass".
    ///
    /// >>> umigame.Board().push("a1")
    /// Traceback (most recent call last):
    ///     ...
    /// umigame.IllegalMove: a1: flips nothing for Black
    fn push(&mut self, r#move: MoveArg) -> PyResult<()> {
        self.board.play(r#move.0).map_err(illegal)
    }

    /// Passes; allowed only where no disc can be placed.
    fn push_pass(&mut self) -> PyResult<()> {
        self.board.pass().map_err(illegal)
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<String> {
        let played = self.board.undo();
        played
            .map(|played| played.to_string())
            .ok_or_else(|| PyIndexError::new_err("pop from a board without moves"))
    }

    /// Returns whether a move is legal.
    fn is_legal(&self, r#move: MoveArg) -> bool {
        self.board.is_legal(r#move.0)
    }

    /// Returns the squares that a move would flip; [] for a pass and where the move is illegal.
    fn flips(&self, r#move: MoveArg) -> Vec<String> {
        let position = self.board.position();
        let square = r#move.0.square().filter(|&square| position.empty().contains(square));
        let flips = square.map(|square| position.flips(square)).unwrap_or_default();
        flips.iter().map(|square| square.to_string()).collect()
    }

    /// Returns "black", "white", or None for an empty square.
    fn disc_at(&self, square: MoveArg) -> PyResult<Option<&'static str>> {
        Ok(self.board.get(self::square(&square)?).map(color_text))
    }

    /// Returns the number of discs of "black" or "white".
    fn count(&self, color: ColorArg) -> u32 {
        self.board.count(color.0)
    }

    /// Returns whether neither side can move.
    fn is_game_over(&self) -> bool {
        self.board.is_over()
    }

    /// Returns Black's final score in discs, the winner taking the empties; None while the game
    /// goes on.
    fn result(&self) -> Option<i32> {
        self.board.result_for_black().map(|score| score.discs())
    }

    /// Returns the discs of "black" or "white", the side to move by default, minus those of the
    /// other side.
    ///
    /// >>> umigame.Board("f5").disc_difference("black")
    /// 3
    #[pyo3(signature = (color=None))]
    fn disc_difference(&self, color: Option<ColorArg>) -> i32 {
        let color = color.map_or(self.board.side_to_move(), |color| color.0);
        self.board.count(color).cast_signed() - self.board.count(!color).cast_signed()
    }

    /// Returns a copy with its moves.
    fn copy(&self) -> Board {
        self.clone()
    }

    /// Returns the board before the first move.
    fn root(&self) -> Board {
        let mut board = self.board.clone();
        while board.undo().is_some() {}
        board.into()
    }

    /// Returns one of the eight images of the position, 0 to 7, without moves: bit 0 mirrors the
    /// columns, bit 1 the rows, bit 2 reflects about the diagonal a1-h8, in this order.
    fn transform(&self, symmetry: Int) -> PyResult<Board> {
        let symmetry = symmetry.within("symmetry", 0..=Symmetry::ALL.len() - 1)?;
        Ok(self.image(Symmetry::ALL[symmetry]))
    }

    /// Returns the eight images of the position.
    fn symmetries(&self) -> Vec<Board> {
        Symmetry::ALL.map(|symmetry| self.image(symmetry)).to_vec()
    }

    /// Returns the image with the smallest words, which all eight images share.
    fn canonical(&self) -> Board {
        let (position, _) = self.board.position().canonical();
        othello::Board::from_position(position, self.board.side_to_move()).into()
    }

    /// Returns 64 squares of X, O and -, and the side to move: the position in OBF.
    ///
    /// >>> umigame.Board().obf()
    /// '---------------------------OX------XO--------------------------- X'
    fn obf(&self) -> String {
        position_text(self.board.position(), self.board.side_to_move())
    }

    /// Returns the moves as a transcript, without passes.
    ///
    /// >>> umigame.Board("f5 d6 c3").transcript()
    /// 'f5d6c3'
    fn transcript(&self) -> String {
        formats::transcript::text(&Record::from_board(&self.board))
    }

    /// Draws the board as SVG; `size` in pixels. `values` stand on their squares, the best on white: a
    /// Report, or discs by square.
    #[pyo3(signature = (*, size=None, legal=true, last_move=true, numbers=false, values=None))]
    fn svg(
        &self,
        size: Option<Int>,
        legal: bool,
        last_move: bool,
        numbers: bool,
        values: Option<SquareValues>,
    ) -> PyResult<String> {
        let mut diagram =
            if numbers { Diagram::of_game(&self.board) } else { Diagram::of(&self.board) };
        if legal && !numbers {
            diagram = diagram.with_legal(&self.board);
        }
        if last_move && !numbers {
            diagram = diagram.with_last_move(&self.board);
        }
        if let Some(SquareValues(values)) = values {
            diagram = diagram.with_values(values);
        }
        if let Some(size) = size {
            diagram = diagram.with_pixels(size.within("size", 1..=MAX_PIXELS)?);
        }
        Ok(diagram.svg())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(Some(Int::Small(360)), true, true, false, None)
    }

    /// Returns position, side to move, start and moves as a dict of plain types.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        found.set_item("position", self.obf())?;
        found.set_item("turn", self.turn())?;
        found.set_item("start", self.root().obf())?;
        found.set_item("moves", self.move_stack())?;
        Ok(found)
    }

    fn __str__(&self) -> String {
        let drawn = formats::drawing::text(self.board.position(), self.board.side_to_move());
        drawn.trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.obf())
    }

    fn __eq__(&self, other: &Board) -> bool {
        let of = |board: &othello::Board| (board.position(), board.side_to_move());
        of(&self.board) == of(&other.board)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Board>) -> (Bound<'py, PyType>, (String, Vec<String>)) {
        let board = slf.borrow();
        (slf.get_type(), (board.root().obf(), board.move_stack()))
    }
}

/// Reads the position of a line of OBF.
pub(crate) fn obf_problem(line: &str) -> PyResult<formats::obf::Problem> {
    let problem = formats::obf::parse_line(line).map_err(unreadable)?;
    problem.ok_or_else(|| unreadable("no position: the line is blank or a comment"))
}

/// A position given as a board or as text.
pub(crate) struct BoardArg(pub othello::Board);

impl<'py> FromPyObject<'_, 'py> for BoardArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<BoardArg> {
        if let Ok(board) = value.cast::<Board>() {
            return Ok(BoardArg(board.try_borrow()?.board.clone()));
        }
        match value.cast::<PyString>() {
            Ok(text) => text.to_string_lossy().parse().map(BoardArg).map_err(unreadable),
            Err(_) => Err(wrong_type("a position is a Board or a str", &value)),
        }
    }
}
