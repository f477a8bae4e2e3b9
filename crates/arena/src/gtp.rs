//! GTP client, lenient towards engines that deviate from the draft of the protocol.
//!
//! Commands carry no id, since some engines repeat one forever. One command is sent at a time, and
//! only commands that the engine lists. Times are fractions until one is refused, and passes are
//! sent until one is refused. The engine is never asked for a pass: the referee knows when one is
//! forced.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use umigame_othello::formats::sgf;
use umigame_othello::text::quote;
use umigame_othello::{Board, Color, Move, Record};

use super::client::{
    ChosenMove, EngineClient, Fault, FaultKind, GameView, SearchInfo, parse_discs,
};
use super::clock::TimeLimit;
use super::config::{EngineConfig, PassStyle};
use super::process::{EngineProcess, ReadError};

/// Wait for the empty line after a reply, before the engine is taken to write none.
const REPLY_END_WAIT: Duration = Duration::from_millis(500);

/// Command of umigame that reports the last search, sent off the clock: GTP has none.
const LAST_SEARCH: &str = "umigame-last_search";

/// A reply of the engine.
struct Reply {
    /// Whether it begins with `=`.
    success: bool,
    text: String,
    at: Instant,
}

/// An engine that speaks GTP.
#[derive(Debug)]
pub(super) struct GtpClient {
    process: EngineProcess,
    engine: EngineConfig,
    patience: Duration,
    commands: HashSet<String>,
    /// Whether an empty line follows each reply, as the protocol demands.
    terminates_replies: bool,
    whole_seconds: bool,
    passes: PassStyle,
    /// Moves of the game that the engine has been told or has made.
    moves: Vec<(Color, Move)>,
}

impl GtpClient {
    /// Creates a client of a process that has just started.
    pub(super) fn new(
        process: EngineProcess,
        engine: EngineConfig,
        patience: Duration,
    ) -> GtpClient {
        GtpClient {
            whole_seconds: engine.whole_seconds,
            passes: engine.passes,
            process,
            engine,
            patience,
            commands: HashSet::new(),
            terminates_replies: true,
            moves: Vec::new(),
        }
    }

    /// Sends a command and waits for its reply until a moment.
    fn ask_until(&mut self, command: &str, until: Instant) -> Result<Reply, Fault> {
        self.process.drain();
        let result = self.process.send(command).and_then(|()| self.read_reply(until));
        result.map_err(|error| {
            let word = command.split(' ').next().unwrap_or_default();
            Fault::no_line(&mut self.process, error, &format!("reply to `{word}`"))
        })
    }

    fn ask(&mut self, command: &str) -> Result<Reply, Fault> {
        self.ask_until(command, Instant::now() + self.patience)
    }

    /// Sends a command whose refusal is a fault.
    fn demand(&mut self, command: &str) -> Result<(), Fault> {
        let reply = self.ask(command)?;
        if reply.success {
            return Ok(());
        }
        let why = format!("`{}` refused: `{}`", quote(command), quote(&reply.text));
        Err(Fault::new(FaultKind::Protocol, why))
    }

    fn read_reply(&mut self, until: Instant) -> Result<Reply, ReadError> {
        let first = loop {
            let arrival = self.process.receive(until)?;
            // Lines before the mark are a banner or stray output.
            if arrival.line.starts_with(['=', '?']) {
                break arrival;
            }
        };
        let success = first.line.starts_with('=');
        let mut text = after_mark(&first.line).to_string();
        if !self.terminates_replies {
            return Ok(Reply { success, text, at: first.at });
        }
        let end = Instant::now() + REPLY_END_WAIT;
        loop {
            match self.process.receive(end) {
                Ok(next) if next.line.trim().is_empty() => break,
                Ok(next) => {
                    text.push('\n');
                    text.push_str(next.line.trim());
                }
                // The reply is complete; the next command meets the closed pipe.
                Err(ReadError::Closed) => break,
                Err(ReadError::Timeout) => {
                    self.terminates_replies = false;
                    break;
                }
            }
        }
        Ok(Reply { success, text, at: first.at })
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Formats seconds as the engine reads them. Whole seconds are rounded down, but not to 0,
    /// which would mean no limit.
    fn seconds(&self, time: Duration) -> String {
        if self.whole_seconds {
            return time.as_secs().max(1).to_string();
        }
        let millis = time.as_millis();
        match millis % 1000 {
            0 => (millis / 1000).to_string(),
            _ => format!("{:.3}", millis as f64 / 1000.0).trim_end_matches('0').to_string(),
        }
    }

    /// Sends a command with times, again in whole seconds if fractions are refused. If both are
    /// refused, the engine plays without.
    fn tell_time(&mut self, command: impl Fn(&GtpClient) -> String) -> Result<(), Fault> {
        let exact = command(self);
        let reply = self.ask(&exact)?;
        if reply.success || self.whole_seconds {
            return Ok(());
        }
        self.whole_seconds = true;
        let rounded = command(self);
        if rounded == exact {
            self.whole_seconds = self.engine.whole_seconds;
            return Ok(());
        }
        self.ask(&rounded).map(|_| ())
    }

    fn tell_time_settings(&mut self, limit: TimeLimit) -> Result<(), Fault> {
        if !self.knows("time_settings") {
            return Ok(());
        }
        match limit {
            TimeLimit::None => Ok(()),
            TimeLimit::Move(time) => {
                self.tell_time(|gtp| format!("time_settings 0 {} 1", gtp.seconds(time)))
            }
            TimeLimit::Game(game) => self.tell_time(|gtp| {
                // GTP has no increments; umigame reads them in the place of a period, as some match
                // runners send them. Other engines learn the time left before each move.
                let told = !game.increment.is_zero() && gtp.engine.is_umigame();
                let increment = if told { gtp.seconds(game.increment) } else { "0".to_owned() };
                format!("time_settings {} {increment} 0", gtp.seconds(game.main))
            }),
        }
    }

    /// Tells the time left. Sent before every move, as Edax does: not every engine keeps a clock
    /// that was set once.
    fn tell_time_left(&mut self, view: &GameView<'_>, color: Color) -> Result<(), Fault> {
        let clock = view.clock(color);
        let (Some(left), true) = (clock.left(), self.knows("time_left")) else { return Ok(()) };
        let moves = u8::from(matches!(clock.limit(), TimeLimit::Move(_)));
        let color = color_word(color);
        self.tell_time(|gtp| format!("time_left {color} {} {moves}", gtp.seconds(left)))
    }

    fn set_up(&mut self, start: &Board) -> Result<(), Fault> {
        if *start == Board::start() {
            return self.demand("clear_board");
        }
        if !self.knows("loadsgf") {
            let why = "no way to set up a position: it does not list `loadsgf`";
            return Err(Fault::new(FaultKind::Protocol, why));
        }
        let sgf = sgf::text(&Record::from_board(start));
        let file = tempfile::Builder::new()
            .prefix("umigame-match-")
            .suffix(".sgf")
            .tempfile()
            .and_then(|file| std::fs::write(file.path(), &sgf).map(|()| file))
            .map_err(|error| Fault::new(FaultKind::Protocol, format!("no SGF file: {error}")))?;
        self.demand(&format!("loadsgf {}", file.path().display()))
    }

    /// Sends a move, or a pass in the engine's style.
    fn send_move(&mut self, mover: Color, played: Move) -> Result<(), Fault> {
        let color = color_word(mover);
        match (played, self.passes) {
            (Move::Place(square), _) => self.demand(&format!("play {color} {square:#}")),
            (Move::Pass, PassStyle::Implicit) => Ok(()),
            (Move::Pass, PassStyle::Explicit) => self.demand(&format!("play {color} pass")),
            (Move::Pass, PassStyle::Auto) => {
                if !self.ask(&format!("play {color} pass"))?.success {
                    self.passes = PassStyle::Implicit;
                }
                Ok(())
            }
        }
    }

    /// Sends the whole game again, in the other pass style.
    fn resend_game(&mut self, view: &GameView<'_>) -> Result<(), Fault> {
        self.passes = match self.passes {
            PassStyle::Implicit => PassStyle::Explicit,
            _ => PassStyle::Implicit,
        };
        self.set_up(&view.record.start_board())?;
        for (mover, played) in self.moves.clone() {
            self.send_move(mover, played)?;
        }
        self.tell_time_left(view, view.board.side_to_move())
    }

    /// Whether the other pass style may help: there was a pass, and the configuration does not
    /// fix the style.
    fn may_resend_game(&self) -> bool {
        self.engine.passes == PassStyle::Auto
            && self.moves.iter().any(|(_, played)| *played == Move::Pass)
    }

    fn last_search(&mut self) -> Result<SearchInfo, Fault> {
        if self.knows(LAST_SEARCH) {
            Ok(parse_last_search(&self.ask(LAST_SEARCH)?.text))
        } else {
            Ok(SearchInfo::default())
        }
    }
}

impl EngineClient for GtpClient {
    fn initialize(&mut self, until: Instant) -> Result<(), Fault> {
        // The first reply comes after the engine has loaded its data.
        let listed = self.ask_until("list_commands", until)?;
        if listed.success {
            self.commands = listed.text.split_whitespace().map(str::to_string).collect();
        } else {
            let usual = ["time_settings", "time_left"];
            self.commands = usual.into_iter().map(str::to_string).collect();
        }
        if self.knows("set_game") {
            self.demand("set_game Othello")?;
        }
        if self.knows("boardsize") {
            self.demand("boardsize 8")?;
        }
        for (name, value) in self.engine.options.clone() {
            self.demand(&format!("{name} {value}"))?;
        }
        for line in self.engine.start.clone() {
            self.demand(&line)?;
        }
        Ok(())
    }

    fn can_set_positions(&self) -> bool {
        self.knows("loadsgf")
    }

    fn new_game(&mut self, view: &GameView<'_>) -> Result<(), Fault> {
        self.moves.clear();
        self.set_up(&view.record.start_board())?;
        for (index, turn) in view.record.turns.iter().enumerate() {
            self.notify_move(view.record.mover(index), turn.played)?;
        }
        Ok(())
    }

    fn notify_move(&mut self, mover: Color, played: Move) -> Result<(), Fault> {
        let sent = self.send_move(mover, played);
        self.moves.push((mover, played));
        sent
    }

    fn request_move(&mut self, view: &GameView<'_>) -> Result<ChosenMove, Fault> {
        let color = view.board.side_to_move();
        let clock = view.clock(color);
        if clock.moves() == 0 {
            self.tell_time_settings(clock.limit())?;
        }
        self.tell_time_left(view, color)?;
        let request = format!("genmove {}", color_word(color));
        let mut started = Instant::now();
        let mut reply = self.ask_until(&request, started + view.answer_wait(self.patience))?;
        let passed = matches!(reply.text.parse(), Ok(Move::Pass));
        if (!reply.success || passed) && self.may_resend_game() {
            self.resend_game(view)?;
            started = Instant::now();
            reply = self.ask_until(&request, started + view.answer_wait(self.patience))?;
        }
        if !reply.success {
            let why = format!("`{request}` refused: `{}`", quote(&reply.text));
            return Err(Fault::new(FaultKind::Protocol, why));
        }
        let text = reply.text.trim();
        if text.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(FaultKind::Resigned, "it resigned"));
        }
        let played: Move = text.parse().map_err(|error| Fault::illegal(text, error))?;
        self.moves.push((color, played));
        let time = reply.at.saturating_duration_since(started);
        Ok(ChosenMove { played, search: self.last_search()?, time })
    }

    fn process(&mut self) -> &mut EngineProcess {
        &mut self.process
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}

fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Returns the text of a reply after its mark and an id, which some engines send unasked, with or
/// without a blank before it.
fn after_mark(line: &str) -> &str {
    let text = line.get(1..).unwrap_or("").trim();
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_id = after.len() < text.len() && after.starts_with(' ');
    if is_id { after.trim() } else { text }
}

/// Reads eval, depth and nodes; unreadable words are ignored.
fn parse_last_search(text: &str) -> SearchInfo {
    let mut words = text.split_whitespace();
    let eval = words.next().and_then(parse_discs);
    let depth = words.next().map(str::to_string);
    let nodes = words.next().and_then(|word| word.parse().ok());
    SearchInfo { eval, depth, nodes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unasked_id_is_skipped() {
        for (line, text) in [
            ("= d3", "d3"),
            ("=d3", "d3"),
            ("=", ""),
            ("= ", ""),
            ("=17 d3", "d3"),
            ("? 7 wrong color", "wrong color"),
            ("= 7 d3", "d3"),
            ("= 2", "2"),
            ("=2", "2"),
        ] {
            assert_eq!(after_mark(line), text, "{line}");
        }
    }
}
