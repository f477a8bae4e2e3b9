//! Serves GTP commands.
//!
//! Every command gets one response, in order, and nothing else is sent. A pass may be named or
//! left out. A colour that is not to move while the other one can is refused.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use umigame_engine::Report;
use umigame_othello::Record;
use umigame_othello::formats::sgf;
use umigame_othello::text::quote;
use umigame_othello::{Board, Color, Move};

use super::error::GtpError;
use super::reply::{
    drawing, legal_moves, response, result, rows_from_bottom, search_summary, search_wdl, vertex,
};
use super::request::{Command, Request};
use crate::protocol::conversation::{self, ClientListener, Flow};
use crate::protocol::inbox::{Inbox, Received, SearchMode};
use crate::protocol::output::Output;
use crate::session::{Choice, Clock, Session};

/// Bytes read of an SGF file.
const MAX_SGF_BYTES: u64 = 1 << 22;

type Reply = Result<String, GtpError>;

/// Serves the commands of a GTP client.
pub struct Handler<W> {
    session: Session,
    output: Output<W>,
    /// The clock that the client set, for every new game.
    clock: Option<Clock>,
    /// The search of the last `genmove`, if it searched.
    last_search: Option<Report>,
}

impl<W: Write + Send> conversation::Handler for Handler<W> {
    type Request = Request;

    fn handle(&mut self, received: &Received<Request>, inbox: &Inbox<Request>) -> io::Result<Flow> {
        let Request::Command { id, command } = &received.request else { return Ok(Flow::GoOn) };
        let reply = match command {
            Ok(command) => self.execute(command, inbox),
            Err(error) => Err(*error),
        };
        if let Err(error) = &reply {
            log::info!("`{}`: {error}", received.quoted);
        }
        self.output.send(&response(id, &reply))?;
        let quits = matches!(command, Ok(Command::Quit));
        Ok(if quits { Flow::Quit } else { Flow::GoOn })
    }

    fn reply_to_fault(&mut self, received: &Received<Request>) -> io::Result<()> {
        match &received.request {
            Request::Command { id, .. } => {
                self.output.send(&response(id, &Err(GtpError::Internal)))
            }
            Request::Silent | Request::Interrupt => Ok(()),
        }
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl<W: Write + Send> Handler<W> {
    /// Serves commands on `session`, with responses to `output`.
    pub fn new(session: Session, output: Output<W>) -> Handler<W> {
        Handler { session, output, clock: None, last_search: None }
    }

    fn execute(&mut self, command: &Command, inbox: &Inbox<Request>) -> Reply {
        let done = Ok(String::new());
        match command {
            Command::Reply(text) => Ok(text.clone()),
            Command::ClearBoard => {
                self.session.new_game();
                self.reset_clocks();
                done
            }
            Command::FinalScore => {
                let board = self.session.board();
                board.is_over().then(|| result(board.score_for_black())).ok_or(GtpError::Score)
            }
            Command::GenMove(color) => self.genmove(*color, inbox),
            Command::LoadSgf { file, before } => self.load_sgf(file, *before),
            Command::Play { color, played } => {
                let played = self.session.play_as(*color, *played);
                played.map_err(|_| GtpError::IllegalMove).and(done)
            }
            Command::Quit => done,
            Command::RegGenMove(color) => self.reg_genmove(*color, inbox),
            Command::RulesBoard => Ok(rows_from_bottom(self.session.board())),
            Command::RulesLegalMoves => Ok(legal_moves(self.session.board())),
            Command::RulesSideToMove => {
                Ok(self.session.board().side_to_move().to_string().to_ascii_lowercase())
            }
            Command::LastSearch => {
                Ok(self.last_search.as_ref().map_or(String::new(), search_summary))
            }
            Command::LastWdl => Ok(self.last_search.as_ref().map_or(String::new(), search_wdl)),
            Command::MoveOverhead(time) => {
                self.session.set_move_overhead(*time);
                done
            }
            Command::SetLevel(level) => {
                self.session.set_level(*level);
                done
            }
            Command::Seed(None) => Ok(self.session.seed().to_string()),
            Command::Seed(Some(seed)) => {
                self.session.set_seed(*seed);
                done
            }
            Command::ShowBoard => Ok(drawing(self.session.board())),
            Command::TimeLeft { color, time, moves } => {
                self.session.clock_mut(*color).show(*time, *moves);
                done
            }
            Command::TimeSettings(clock) => {
                self.clock = Some(*clock);
                self.reset_clocks();
                self.session.prepare();
                done
            }
            Command::Undo => self.session.undo().ok_or(GtpError::Undo).and(done),
        }
    }

    /// Sets the clocks to the start of a game, if the client has set any.
    fn reset_clocks(&mut self) {
        for color in Color::ALL {
            if let Some(clock) = self.clock {
                *self.session.clock_mut(color) = clock;
            }
        }
    }

    /// Plays a move for `color`; passes after the end of the game.
    fn genmove(&mut self, color: Color, inbox: &Inbox<Request>) -> Reply {
        if self.session.board().is_over() {
            return Ok(vertex(Move::Pass));
        }
        self.session.give_turn(color).map_err(|_| GtpError::IllegalMove)?;
        self.last_search = None;
        let choice = self.choose(inbox)?;
        let vertex = vertex(choice.best);
        if let Some(known) = &choice.book {
            log::info!("{} at {vertex}, book, {} games", known.eval, known.games);
        }
        if let Some(line) = choice.report.as_ref().and_then(Report::best) {
            log::info!("{} at {vertex}, {:?}", line.eval(), choice.elapsed);
        }
        self.session.await_reply(choice.best);
        let played = self.session.play_timed(choice.best, choice.elapsed);
        played.map_err(|_| GtpError::Internal)?;
        self.last_search = choice.report;
        Ok(vertex)
    }

    /// Returns the move that `genmove` would play, and leaves the board as it is.
    fn reg_genmove(&mut self, color: Color, inbox: &Inbox<Request>) -> Reply {
        if self.session.board().is_over() {
            return Ok(vertex(Move::Pass));
        }
        let passes = self.session.board().side_to_move() != color;
        self.session.give_turn(color).map_err(|_| GtpError::IllegalMove)?;
        let choice = self.choose(inbox);
        if passes {
            self.session.undo();
        }
        Ok(vertex(choice?.best))
    }

    fn choose(&mut self, inbox: &Inbox<Request>) -> Result<Choice, GtpError> {
        let watch = inbox.watch(SearchMode::Limited);
        self.session.go(&ClientListener::silent(&watch)).ok_or(GtpError::Internal)
    }

    /// Sets the position before move `before` of the game in a file, or after its last move.
    fn load_sgf(&mut self, file: &str, before: Option<usize>) -> Reply {
        let board = read_file(file).map_err(|why| {
            log::warn!("loadsgf `{}`: {}", quote(file), quote(&why));
            GtpError::LoadFile
        })?;
        let placed = before.map_or(usize::MAX, |before| before.saturating_sub(1));
        self.session.set_board(first_moves(board, placed));
        self.reset_clocks();
        Ok(String::new())
    }
}

/// Takes moves back until at most `placed` discs have been placed.
fn first_moves(mut board: Board, placed: usize) -> Board {
    let discs = |board: &Board| board.history().filter(|played| *played != Move::Pass).count();
    while discs(&board) > placed && board.undo().is_some() {}
    board
}

fn read_file(name: &str) -> Result<Board, String> {
    // A pipe would keep the conversation waiting for its writer.
    if !Path::new(name).is_file() {
        return Err("not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(name).map_err(|error| error.to_string())?;
    file.take(MAX_SGF_BYTES).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let record: Record =
        sgf::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())?;
    record.board().map_err(|error| error.to_string())
}
