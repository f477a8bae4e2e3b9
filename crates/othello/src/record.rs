//! One game, whatever file it came from.
//!
//! A record holds the start position (any discs, any side), every move with
//! the passes among them, and what is known about the players. It keeps no
//! board: [`Record::board`] replays it, and says at which move it fails.

use std::time::Duration;

use crate::{Board, Color, Eval, IllegalMove, Move, Position, Score};

use crate::clock::Clock;

/// A move as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The disc or the pass.
    pub played: Move,
    /// What the mover thought of it, from the mover's view, if noted.
    pub eval: Option<Eval>,
    /// Time taken, to the millisecond, if noted.
    pub time: Option<Duration>,
}

impl From<Move> for Turn {
    fn from(played: Move) -> Turn {
        Turn { played, eval: None, time: None }
    }
}

/// What is known of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// The name; empty where unknown.
    pub name: String,
    /// The rating before the game, if known.
    pub rating: Option<f64>,
    /// The clock at the start of the game, if there was one.
    pub clock: Option<Clock>,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Played to the last move.
    #[default]
    Played,
    /// One side gave up.
    Resigned,
    /// One side ran out of time.
    TimedOut,
    /// The players agreed on a score.
    Agreed,
}

/// The result of a game as the file states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Hundredths of a disc for Black, the winner taking the empties: komi
    /// games have fractions.
    pub black_centidiscs: i32,
    /// How it ended.
    pub ending: Ending,
}

impl Outcome {
    /// The outcome of a game played to the end with this score for Black.
    pub const fn of(black: Score) -> Outcome {
        Outcome { black_centidiscs: black.discs() * 100, ending: Ending::Played }
    }

    /// Black's score, where it is a whole number of discs up to 64.
    pub const fn score_for_black(self) -> Option<Score> {
        match self.black_centidiscs % 100 {
            0 => Score::new(self.black_centidiscs / 100),
            _ => None,
        }
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The discs at the start, the side to move first.
    pub start: Position,
    /// Who is to move at the start.
    pub side: Color,
    /// The moves in order; passes are among them.
    pub turns: Vec<Turn>,
    /// Black, then White.
    pub players: [Player; 2],
    /// Where it was played: server, city or tournament; empty where unknown.
    pub place: String,
    /// When, as the file spells it; empty where unknown.
    pub date: String,
    /// The result stated, if any; nothing checks it against the moves.
    pub outcome: Option<Outcome>,
    /// The kind of game as GGF spells it: `8` the standard, `8r18` random
    /// discs, `8k` komi, `s8r20` synchro.
    pub kind: String,
    /// Tags that this type has no field for, in the order of the file: komi
    /// (`KB`, `KW`, `KM`), comments, and what is unknown.
    pub tags: Vec<(String, String)>,
}

impl Default for Record {
    /// The standard start without a move.
    fn default() -> Record {
        Record::from_start(Position::START, Color::Black)
    }
}

/// The move at which a record stops being a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} ({played}) is illegal: {why}")]
pub struct ReplayError {
    /// Counted from 1, passes too.
    pub number: usize,
    /// The move.
    pub played: Move,
    /// What stands in its way.
    pub why: IllegalMove,
}

impl Record {
    /// A game without a move from any position.
    pub fn from_start(start: Position, side: Color) -> Record {
        Record {
            start,
            side,
            turns: Vec::new(),
            players: Default::default(),
            place: String::new(),
            date: String::new(),
            outcome: None,
            kind: "8".to_string(),
            tags: Vec::new(),
        }
    }

    /// The game that led to a board, from the board's first position.
    pub fn from_board(board: &Board) -> Record {
        let mut first = board.clone();
        while first.undo().is_some() {}
        let mut record = Record::from_start(first.position(), first.side_to_move());
        record.turns = board.moves().map(Turn::from).collect();
        record
    }

    /// What is known of a side.
    pub const fn player(&self, color: Color) -> &Player {
        let [black, white] = &self.players;
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    /// Whether the game begins with the four discs and Black to move.
    pub fn is_standard(&self) -> bool {
        self.start == Position::START && self.side == Color::Black
    }

    /// The board before the first move.
    pub fn start_board(&self) -> Board {
        Board::from_position(self.start, self.side)
    }

    /// The board after the last move, with the whole history.
    ///
    /// # Errors
    /// The first move that is illegal.
    pub fn board(&self) -> Result<Board, ReplayError> {
        let mut board = self.start_board();
        for (index, turn) in self.turns.iter().enumerate() {
            board.play(turn.played).map_err(|why| ReplayError {
                number: index + 1,
                played: turn.played,
                why,
            })?;
        }
        Ok(board)
    }

    /// Who makes the move with this index: the sides alternate, because
    /// passes are among the moves.
    pub fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.side } else { !self.side }
    }

    /// What is left on a side's clock after the moves: the clock at the
    /// start, less the time of the side's own moves, and the increment for
    /// each of them; nothing where it has run out, `None` where the game had
    /// no clock. The grace is not in it.
    pub fn time_left(&self, color: Color) -> Option<Duration> {
        let clock = self.player(color).clock?;
        let own = self.turns.iter().skip(usize::from(color != self.side)).step_by(2);
        let (mut spent, mut gained) = (Duration::ZERO, Duration::ZERO);
        for turn in own {
            spent = spent.saturating_add(turn.time.unwrap_or_default());
            gained = gained.saturating_add(clock.increment);
        }
        Some(clock.main.saturating_add(gained).saturating_sub(spent))
    }

    /// The first value of a tag that has no field of its own.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// Builds the moves of a record: checks each one, and puts in the forced
/// passes that a file leaves out.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    position: Position,
    side: Color,
    turns: Vec<Turn>,
}

impl Replay {
    pub(crate) fn new(start: Position, side: Color) -> Replay {
        Replay { position: start, side, turns: Vec::new() }
    }

    /// Moves so far, passes counted.
    pub(crate) fn plies(&self) -> usize {
        self.turns.len()
    }

    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// The score for Black if the game ended here.
    pub(crate) fn score_for_black(&self) -> Score {
        let score = self.position.final_score();
        if self.side == Color::Black { score } else { -score }
    }

    /// Notes an evaluation of the last move, given from Black's view.
    pub(crate) fn evaluate_last_for_black(&mut self, eval: Eval) {
        let mover = !self.side;
        if let Some(turn) = self.turns.last_mut() {
            turn.eval = Some(if mover == Color::Black { eval } else { -eval });
        }
    }

    pub(crate) fn into_turns(self) -> Vec<Turn> {
        self.turns
    }

    fn switch(&mut self, turn: Turn, position: Position) {
        self.turns.push(turn);
        self.position = position;
        self.side = !self.side;
    }

    /// Puts in the pass that is due, if one is.
    pub(crate) fn pass_if_due(&mut self) {
        if self.position.must_pass() {
            self.switch(Turn::from(Move::Pass), self.position.passed());
        }
    }

    /// Plays a move as it stands.
    pub(crate) fn play(&mut self, turn: Turn) -> Result<(), IllegalMove> {
        let next = match turn.played {
            Move::Place(square) => self.position.place(square),
            Move::Pass => self.position.must_pass().then(|| self.position.passed()),
        };
        match next {
            Some(position) => {
                self.switch(turn, position);
                Ok(())
            }
            None => {
                // The mailbox knows why; a board on which it knows of no
                // reason would be a bug in one of the two.
                let mut board = Board::from_position(self.position, self.side);
                board.play(turn.played)
            }
        }
    }

    /// Plays a move, after the pass that is due where the move is a disc.
    pub(crate) fn play_passing(&mut self, turn: Turn) -> Result<(), IllegalMove> {
        if turn.played != Move::Pass {
            self.pass_if_due();
        }
        self.play(turn)
    }
    /// Plays a move that is said to be by one side, after the pass that is
    /// due where that side is not to move otherwise.
    pub(crate) fn play_as(&mut self, mover: Color, turn: Turn) -> Result<(), Fault> {
        if mover != self.side {
            self.pass_if_due();
        }
        if mover != self.side {
            return Err(Fault::WrongSide { played: turn.played, mover });
        }
        Ok(self.play(turn)?)
    }
}

/// What is wrong with a move that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The other side is to move.
    #[error("{played} is by {mover}, but the other side is to move")]
    WrongSide {
        /// The move.
        played: Move,
        /// Who is said to have made it.
        mover: Color,
    },
    /// The rules forbid it.
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalMove),
}
