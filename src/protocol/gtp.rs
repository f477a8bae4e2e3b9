//! GTP, version 2, as Othello programs use it.
//!
//! One response for every command, in order, and nothing else. A pass may be
//! spelled out or left out; a colour that is not to move while the other can
//! is refused, never obeyed silently.

use std::fs::File;
use std::io::{self, Read, Write};
use std::time::Duration;

use super::inbox::{Inbox, Patience, Urgency};
use super::lines::InputLine;
use super::output::Output;
use super::{Conversation, Flow, Handler};
use crate::session::{Clock, Session};
use umigame_engine::search::{Level, Report};
use umigame_othello::game::{Record, sgf};
use umigame_othello::text::quote;
use umigame_othello::{Board, Color, Move, Score, Square};

/// Every command, as `list_commands` prints them.
const COMMANDS: [&str; 29] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-interrupt",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "set_level",
    "showboard",
    "time_left",
    "time_settings",
    "umigame-last_search",
    "undo",
    "version",
];

/// The largest SGF file that is read, in bytes.
const LARGEST_FILE: u64 = 1 << 22;
/// The longest time that a clock may show, in seconds.
const LONGEST: f64 = 1e9;

/// Why a command fails, in the words of the specification where it has some.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum GtpError {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error")]
    Syntax,
    #[error("line too long")]
    TooLong,
    #[error("unacceptable size")]
    Size,
    #[error("unsupported game")]
    Game,
    #[error("illegal move")]
    IllegalMove,
    #[error("cannot undo")]
    Undo,
    #[error("cannot load file")]
    LoadFile,
    #[error("cannot score")]
    Score,
    #[error("internal error")]
    Internal,
}

/// A line taken apart: an identity, a command, arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Command<'a> {
    id: &'a str,
    name: &'a str,
    rest: &'a str,
}

impl<'a> Command<'a> {
    /// `None` where the line is blank or a comment and gets no response.
    fn parse(line: &'a str) -> Option<Command<'a>> {
        let line = line.split('#').next().unwrap_or("").trim();
        let (first, rest) = split_word(line);
        if first.is_empty() {
            None
        } else if first.bytes().all(|byte| byte.is_ascii_digit()) {
            let (name, rest) = split_word(rest);
            Some(Command { id: first, name, rest })
        } else {
            Some(Command { id: "", name: first, rest })
        }
    }
}

fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(' ') {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// What a line does to a running search: `quit` ends it soon, and so does
/// the comment `# interrupt` of GoGui at once. Everything else waits.
pub(super) fn urgency(line: &str) -> Urgency {
    match Command::parse(line) {
        Some(Command { name: "quit", .. }) => Urgency::Close,
        None if line.trim() == "# interrupt" => Urgency::Now,
        _ => Urgency::None,
    }
}

fn color(text: &str) -> Result<Color, GtpError> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(GtpError::Syntax),
    }
}

/// Seconds, with a fraction or not; less than nothing is nothing.
fn seconds(text: &str) -> Result<Duration, GtpError> {
    let seconds: f64 = text.parse().map_err(|_| GtpError::Syntax)?;
    if seconds.is_nan() {
        return Err(GtpError::Syntax);
    }
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST)).map_err(|_| GtpError::Syntax)
}

fn number(text: &str) -> Result<u32, GtpError> {
    text.parse().map_err(|_| GtpError::Syntax)
}

/// What `time_settings` means where the clients contradict each other; see
/// `protocol.md`.
fn clock(main: Duration, period: Duration, moves: u32) -> Clock {
    match (main.is_zero(), period.is_zero(), moves) {
        (true, true, _) => Clock::Unlimited,
        (false, true, _) => Clock::sudden_death(main),
        (true, false, 0) if period <= Duration::from_secs(1) => Clock::Unlimited,
        (true, false, 0 | 1) => Clock::Move(period),
        (false, false, 0) => Clock::game(main, period),
        (_, false, moves) => Clock::canadian(main, period, moves),
    }
}

/// `D3`, `pass`.
fn vertex(played: Move) -> String {
    match played {
        Move::Place(square) => format!("{square:#}"),
        Move::Pass => "pass".to_string(),
    }
}

/// `B+26`, `W+2`, `0`.
fn result(black: Score) -> String {
    match black.discs() {
        0 => "0".to_string(),
        discs if discs > 0 => format!("B+{discs}"),
        discs => format!("W+{}", -discs),
    }
}

fn disc(board: &Board, square: Square) -> char {
    board.get(square).map_or('.', Color::letter)
}

/// The board for people: the side to move, then row 1 at the top.
fn drawing(board: &Board) -> String {
    let [black, white] = Color::ALL.map(|color| board.count(color));
    let mut text = match board.is_over() {
        true => format!("Game over, {black}-{white}"),
        false => format!("{} to move, {black}-{white}", board.side_to_move()),
    };
    text.push_str("\n  A B C D E F G H");
    for square in Square::all() {
        if square.column() == 0 {
            text.push_str(&format!("\n{}", square.row() + 1));
        }
        text.push(' ');
        text.push(disc(board, square));
    }
    text
}

/// Evaluation in discs for the mover, depth, positions, seconds; match runners
/// put them into their records.
fn searched(report: &Report) -> String {
    let eval = report.best().map_or(String::new(), |line| line.eval.to_string());
    format!("{eval} {} {} {:.6}", report.kind, report.nodes, report.elapsed.as_secs_f64())
}

/// The board for GoGui, which has row 1 at the bottom.
fn rows_from_the_bottom(board: &Board) -> String {
    let row = |row| {
        let squares = (0..8).filter_map(|column| Square::at(column, row));
        squares.map(|square| disc(board, square).to_string()).collect::<Vec<_>>().join(" ")
    };
    (0..8).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// The engine's side of the protocol.
pub(super) struct Gtp<W> {
    session: Session,
    output: Output<W>,
    /// What the client set, for every new game.
    clock: Option<Clock>,
    /// What the last `genmove` searched, if it searched.
    last: Option<Report>,
}

impl<W: Write + Send> Handler for Gtp<W> {
    fn handle(&mut self, line: &InputLine, inbox: &Inbox) -> io::Result<Flow> {
        let Some(command) = Command::parse(&line.text) else { return Ok(Flow::GoOn) };
        // What was cut off a comment is no loss.
        let answer = match line.whole || line.text.contains('#') {
            true => self.obey(command, inbox),
            false => Err(GtpError::TooLong),
        };
        self.respond(command.id, answer)?;
        Ok(if command.name == "quit" { Flow::Quit } else { Flow::GoOn })
    }

    fn apologize(&mut self, line: &InputLine) -> io::Result<()> {
        let id = Command::parse(&line.text).map_or("", |command| command.id);
        self.respond(id, Err(GtpError::Internal))
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl<W: Write + Send> Gtp<W> {
    pub fn new(session: Session, output: Output<W>) -> Gtp<W> {
        Gtp { session, output, clock: None, last: None }
    }

    fn respond(&mut self, id: &str, answer: Result<String, GtpError>) -> io::Result<()> {
        let (mark, text) = match answer {
            Ok(text) => ('=', text),
            Err(error) => ('?', error.to_string()),
        };
        let blank = if text.is_empty() { "" } else { " " };
        self.output.send(&format!("{mark}{id}{blank}{text}\n"))
    }

    fn obey(&mut self, command: Command<'_>, inbox: &Inbox) -> Result<String, GtpError> {
        const DONE: Result<String, GtpError> = Ok(String::new());
        let args: Vec<&str> = command.rest.split_whitespace().collect();
        match (command.name, args.as_slice()) {
            ("protocol_version", _) => Ok("2".to_string()),
            ("name", _) => Ok("umigame".to_string()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("known_command", args) => {
                let known = args.first().is_some_and(|name| COMMANDS.contains(name));
                Ok(known.to_string())
            }
            ("quit" | "gogui-interrupt", _) => DONE,
            ("list_games", _) => Ok("Othello".to_string()),
            ("set_game", []) => Err(GtpError::Syntax),
            ("set_game", [game, ..]) if game.eq_ignore_ascii_case("othello") => DONE,
            ("set_game", _) => Err(GtpError::Game),
            ("boardsize", [size, ..]) => match number(size)? {
                8 => self.clear_board(),
                _ => Err(GtpError::Size),
            },
            ("clear_board", _) => self.clear_board(),
            ("komi", [komi, ..]) => komi.parse::<f64>().map_or(Err(GtpError::Syntax), |_| DONE),
            ("set_level", [level, ..]) => {
                let level = Level::new(number(level)?).ok_or(GtpError::Syntax)?;
                self.session.set_level(level);
                DONE
            }
            ("play", [who, played, ..]) => self.play(who, played),
            ("genmove", [who, ..]) => self.genmove(color(who)?, inbox),
            ("reg_genmove", [who, ..]) => self.reg_genmove(color(who)?, inbox),
            ("umigame-last_search", _) => Ok(self.last.as_ref().map_or(String::new(), searched)),
            ("undo", _) => self.session.undo().map_or(Err(GtpError::Undo), |_| DONE),
            ("time_settings", [main, period, moves, ..]) => {
                let clock = clock(seconds(main)?, seconds(period)?, number(moves)?);
                self.clock = Some(clock);
                self.reset_clocks();
                self.session.prepare();
                DONE
            }
            ("time_left", [who, time, moves, ..]) => {
                let (who, time, moves) = (color(who)?, seconds(time)?, number(moves)?);
                self.session.clock_mut(who).show(time, moves);
                DONE
            }
            ("loadsgf", _) => self.loadsgf(command.rest),
            ("showboard", _) => Ok(drawing(self.session.board())),
            ("final_score" | "gogui-rules_final_result", _) => {
                let board = self.session.board();
                board.is_over().then(|| result(board.score_for_black())).ok_or(GtpError::Score)
            }
            ("gogui-rules_game_id", _) => Ok("Othello".to_string()),
            ("gogui-rules_board_size", _) => Ok("8".to_string()),
            ("gogui-rules_board", _) => Ok(rows_from_the_bottom(self.session.board())),
            ("gogui-rules_side_to_move", _) => {
                Ok(self.session.board().side_to_move().to_string().to_ascii_lowercase())
            }
            ("gogui-rules_legal_moves", _) => Ok(self.legal_moves()),
            // A command that is known and comes with too few arguments.
            (name, _) if COMMANDS.contains(&name) => Err(GtpError::Syntax),
            _ => {
                log::info!("unknown command `{}`", quote(command.name));
                Err(GtpError::UnknownCommand)
            }
        }
    }

    fn clear_board(&mut self) -> Result<String, GtpError> {
        self.session.new_game();
        self.reset_clocks();
        Ok(String::new())
    }

    /// The clocks as at the start of a game, if the client has set any.
    fn reset_clocks(&mut self) {
        for color in Color::ALL {
            if let Some(clock) = self.clock {
                *self.session.clock_mut(color) = clock;
            }
        }
    }

    fn play(&mut self, who: &str, played: &str) -> Result<String, GtpError> {
        let (who, played) = (color(who)?, played.parse().map_err(|_| GtpError::Syntax)?);
        self.session.play_as(who, played).map_err(|_| GtpError::IllegalMove)?;
        Ok(String::new())
    }

    fn genmove(&mut self, who: Color, inbox: &Inbox) -> Result<String, GtpError> {
        if self.session.board().is_over() {
            return Ok(vertex(Move::Pass));
        }
        self.session.give_turn(who).map_err(|_| GtpError::IllegalMove)?;
        self.last = None;
        let watch = inbox.watch(Patience::Bounded);
        let listener = Conversation::new(&watch, |_: &Report| Ok(()));
        let choice = self.session.go(&listener).ok_or(GtpError::Internal)?;
        drop(listener);
        if let Some(known) = &choice.book {
            log::info!("{} at {}, book, {} games", known.eval, vertex(choice.best), known.games);
        }
        if let Some(line) = choice.report.as_ref().and_then(Report::best) {
            log::info!("{} at {}, {:?}", line.eval, vertex(choice.best), choice.elapsed);
        }
        self.session.await_reply(choice.best);
        let played = self.session.play_timed(choice.best, choice.elapsed);
        played.map_err(|_| GtpError::Internal)?;
        self.last = choice.report;
        Ok(vertex(choice.best))
    }

    /// What `genmove` would say, with the board left as it is.
    fn reg_genmove(&mut self, who: Color, inbox: &Inbox) -> Result<String, GtpError> {
        if self.session.board().is_over() {
            return Ok(vertex(Move::Pass));
        }
        let given = self.session.board().side_to_move() != who;
        self.session.give_turn(who).map_err(|_| GtpError::IllegalMove)?;
        let watch = inbox.watch(Patience::Bounded);
        let choice = self.session.go(&Conversation::new(&watch, |_: &Report| Ok(())));
        if given {
            self.session.undo();
        }
        Ok(vertex(choice.ok_or(GtpError::Internal)?.best))
    }

    fn legal_moves(&self) -> String {
        let board = self.session.board();
        if board.must_pass() {
            return vertex(Move::Pass);
        }
        let moves = board.legal_squares().map(|square| vertex(Move::Place(square)));
        moves.collect::<Vec<_>>().join(" ")
    }

    /// `loadsgf FILE [N]`: the position before move N, or after the last. A
    /// name with blanks is taken as it is.
    fn loadsgf(&mut self, rest: &str) -> Result<String, GtpError> {
        let rest = rest.trim();
        let (name, before) = match rest.rsplit_once(' ') {
            Some((name, last)) => match last.parse::<usize>() {
                Ok(before) => (name.trim_end(), Some(before)),
                Err(_) => (rest, None),
            },
            None if rest.is_empty() => return Err(GtpError::Syntax),
            None => (rest, None),
        };
        let record = read_file(name).map_err(|why| {
            log::warn!("loadsgf {}: {}", quote(name), quote(&why));
            GtpError::LoadFile
        })?;
        let board = record.board().map_err(|_| GtpError::LoadFile)?;
        let keep = before.map_or(usize::MAX, |before| before.saturating_sub(1));
        self.session.set_board(first_moves(board, keep));
        self.reset_clocks();
        Ok(String::new())
    }
}

/// The board with all but the first so many discs taken back.
fn first_moves(mut board: Board, keep: usize) -> Board {
    let discs = |board: &Board| board.moves().filter(|played| *played != Move::Pass).count();
    while discs(&board) > keep && board.undo().is_some() {}
    board
}

fn read_file(name: &str) -> Result<Record, String> {
    let mut bytes = Vec::new();
    let file = File::open(name).map_err(|error| error.to_string())?;
    file.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    sgf::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn lines_are_taken_apart() {
        let command = |id, name, rest| Some(Command { id, name, rest });
        assert_eq!(Command::parse("17 name"), command("17", "name", ""));
        assert_eq!(Command::parse("  play  b   d3 # good"), command("", "play", "b   d3"));
        assert_eq!(Command::parse("5"), command("5", "", ""));
        for silent in ["", "   ", "# interrupt", "  # 5 name"] {
            assert_eq!(Command::parse(silent), None);
        }
    }

    #[test]
    fn time_settings_mean_what_the_document_says() {
        for (main, period, moves, meant) in [
            (0, 15, 1, Clock::Move(s(15))),
            (300, 0, 0, Clock::sudden_death(s(300))),
            (300, 25, 5, Clock::canadian(s(300), s(25), 5)),
            (0, 25, 5, Clock::canadian(s(0), s(25), 5)),
            (0, 1, 0, Clock::Unlimited),
            (0, 5, 0, Clock::Move(s(5))),
            (300, 5, 0, Clock::game(s(300), s(5))),
            (0, 0, 0, Clock::Unlimited),
        ] {
            assert_eq!(clock(s(main), s(period), moves), meant, "{main} {period} {moves}");
        }
    }

    #[test]
    fn times_are_read_with_fractions_and_never_panic() {
        assert_eq!(seconds("12.5"), Ok(Duration::from_millis(12_500)));
        assert_eq!(seconds("-3"), Ok(s(0)));
        assert_eq!(seconds("inf"), Ok(s(1_000_000_000)));
        for bad in ["x", "", "NaN", "1:00"] {
            assert_eq!(seconds(bad), Err(GtpError::Syntax), "{bad}");
        }
    }
}
