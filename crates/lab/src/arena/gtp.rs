//! Speaking GTP to an engine.
//!
//! Written for what engines do rather than for what the draft says: no ids
//! (some repeat one for ever), one request at a time, nothing that the engine
//! does not list, times as fractions until one is refused, passes said until
//! one is refused. The engine is never asked for a pass: the referee knows
//! when one is forced.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use umigame_othello::text::quote;
use umigame_othello::{Board, Color, Move, Square};

use super::client::{Answer, Client, Failing, Fault, View, silence};
use super::clock::TimeLimit;
use super::config::{EngineConfig, Passes};
use super::nboard::discs;
use super::process::{NoLine, Process};

/// How long the empty line after a reply may be missing before it is taken
/// that the engine writes none.
const TERMINATOR: Duration = Duration::from_millis(500);

/// umigame's own command, asked off the clock: GTP has none for it.
const LAST_SEARCH: &str = "umigame-last_search";

/// A reply: its text, and whether the engine did what was asked.
struct Reply {
    done: bool,
    text: String,
    at: Instant,
}

/// An engine that speaks GTP.
#[derive(Debug)]
pub struct Gtp {
    process: Process,
    engine: EngineConfig,
    patience: Duration,
    commands: HashSet<String>,
    /// Whether an empty line follows each reply, as it should.
    terminates: bool,
    whole_seconds: bool,
    passes: Passes,
    /// The moves the engine knows of, to set it right where it does not.
    moves: Vec<(Color, Move)>,
}

impl Gtp {
    /// Speaks to a process that has just started.
    pub fn new(process: Process, engine: EngineConfig, patience: Duration) -> Gtp {
        Gtp {
            whole_seconds: engine.whole_seconds,
            passes: engine.passes,
            process,
            engine,
            patience,
            commands: HashSet::new(),
            terminates: true,
            moves: Vec::new(),
        }
    }

    /// Sends a command and waits for its reply.
    fn ask(&mut self, command: &str, until: Instant) -> Result<Reply, Fault> {
        self.process.drain();
        let word = command.split(' ').next().unwrap_or_default().to_string();
        self.process
            .send(command)
            .and_then(|()| self.reply(until))
            .map_err(|no_line| silence(&mut self.process, no_line, &format!("reply to `{word}`")))
    }

    fn ask_patiently(&mut self, command: &str) -> Result<Reply, Fault> {
        self.ask(command, Instant::now() + self.patience)
    }

    /// A command that the engine has to obey.
    fn demand(&mut self, command: &str) -> Result<(), Fault> {
        let reply = self.ask_patiently(command)?;
        if reply.done {
            return Ok(());
        }
        let why = format!("`{}` refused: `{}`", quote(command), quote(&reply.text));
        Err(Fault::new(Failing::Protocol, why))
    }

    fn reply(&mut self, until: Instant) -> Result<Reply, NoLine> {
        let first = loop {
            let arrival = self.process.receive(until)?;
            // What comes before the mark is a banner or a stray line.
            if arrival.line.starts_with(['=', '?']) {
                break arrival;
            }
        };
        let done = first.line.starts_with('=');
        let mut text = after_mark(&first.line).to_string();
        if !self.terminates {
            return Ok(Reply { done, text, at: first.at });
        }
        let patience = Instant::now() + TERMINATOR;
        loop {
            match self.process.receive(patience) {
                Ok(next) if next.line.trim().is_empty() => break,
                Ok(next) => {
                    text.push('\n');
                    text.push_str(next.line.trim());
                }
                // The reply itself has come; what is wrong shows next time.
                Err(NoLine::Gone) => break,
                Err(NoLine::Late) => {
                    self.terminates = false;
                    break;
                }
            }
        }
        Ok(Reply { done, text, at: first.at })
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Seconds as the engine reads them: whole ones are never more than the
    /// time there is, except that no time at all would be told as no limit.
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

    /// Sends a command with times, again in whole seconds where fractions
    /// are refused. An engine that wants neither gets no times.
    fn tell_time(&mut self, line: impl Fn(&Gtp) -> String) -> Result<(), Fault> {
        let told = line(self);
        let reply = self.ask_patiently(&told)?;
        if reply.done || self.whole_seconds {
            return Ok(());
        }
        self.whole_seconds = true;
        let again = line(self);
        if again == told {
            self.whole_seconds = self.engine.whole_seconds;
            return Ok(());
        }
        self.ask_patiently(&again).map(|_| ())
    }

    fn tell_settings(&mut self, limit: TimeLimit) -> Result<(), Fault> {
        if !self.knows("time_settings") {
            return Ok(());
        }
        match limit {
            TimeLimit::None => Ok(()),
            TimeLimit::Move(time) => {
                self.tell_time(|gtp| format!("time_settings 0 {} 1", gtp.seconds(time)))
            }
            TimeLimit::Game(game) => {
                self.tell_time(|gtp| format!("time_settings {} 0 0", gtp.seconds(game.main)))
            }
        }
    }

    /// Every move anew, after Edax: a clock set once and never shown is not
    /// kept by every engine.
    fn tell_left(&mut self, view: &View<'_>, color: Color) -> Result<(), Fault> {
        let clock = view.clock(color);
        let (Some(left), true) = (clock.left(), self.knows("time_left")) else { return Ok(()) };
        let stones = u8::from(matches!(clock.limit(), TimeLimit::Move(_)));
        let color = color_word(color);
        self.tell_time(|gtp| format!("time_left {color} {} {stones}", gtp.seconds(left)))
    }

    fn set_up(&mut self, start: &Board) -> Result<(), Fault> {
        if *start == Board::start() {
            return self.demand("clear_board");
        }
        if !self.knows("loadsgf") {
            let why = "no way to set up a position: it does not list `loadsgf`";
            return Err(Fault::new(Failing::Protocol, why));
        }
        let name = format!("umigame-match-{}-{:x}.sgf", std::process::id(), start.key());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, sgf(start))
            .map_err(|error| Fault::new(Failing::Protocol, format!("no SGF file: {error}")))?;
        let loaded = self.demand(&format!("loadsgf {}", path.display()));
        let _ = std::fs::remove_file(&path);
        loaded
    }

    /// Sends a move; a pass may be refused.
    fn tell_move(&mut self, mover: Color, played: Move) -> Result<(), Fault> {
        let color = color_word(mover);
        match (played, self.passes) {
            (Move::Place(square), _) => self.demand(&format!("play {color} {square:#}")),
            (Move::Pass, Passes::Implicit) => Ok(()),
            (Move::Pass, Passes::Explicit) => self.demand(&format!("play {color} pass")),
            (Move::Pass, Passes::Auto) => {
                if !self.ask_patiently(&format!("play {color} pass"))?.done {
                    self.passes = Passes::Implicit;
                }
                Ok(())
            }
        }
    }

    /// Plays the whole game to the engine once more, with passes spoken of
    /// the other way.
    fn start_over(&mut self, view: &View<'_>) -> Result<(), Fault> {
        self.passes = match self.passes {
            Passes::Implicit => Passes::Explicit,
            _ => Passes::Implicit,
        };
        self.set_up(&view.record.start_board())?;
        for (mover, played) in self.moves.clone() {
            self.tell_move(mover, played)?;
        }
        self.tell_left(view, view.board.side_to_move())
    }

    /// The other way of speaking of passes is worth a try where there was
    /// one, and the engine does not insist on the way it was given.
    fn may_start_over(&self) -> bool {
        self.engine.passes == Passes::Auto
            && self.moves.iter().any(|(_, played)| *played == Move::Pass)
    }
}

impl Client for Gtp {
    fn greet(&mut self, until: Instant) -> Result<(), Fault> {
        // The first reply may take as long as the engine takes to load.
        let listed = self.ask("list_commands", until)?;
        if listed.done {
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

    fn sets_up(&self) -> bool {
        self.knows("loadsgf")
    }

    fn new_game(&mut self, view: &View<'_>) -> Result<(), Fault> {
        self.moves.clear();
        self.set_up(&view.record.start_board())?;
        for (index, turn) in view.record.turns.iter().enumerate() {
            self.hear(view.record.mover(index), turn.played)?;
        }
        Ok(())
    }

    fn hear(&mut self, mover: Color, played: Move) -> Result<(), Fault> {
        let told = self.tell_move(mover, played);
        self.moves.push((mover, played));
        told
    }

    fn think(&mut self, view: &View<'_>) -> Result<Answer, Fault> {
        let color = view.board.side_to_move();
        let clock = view.clock(color);
        if clock.moves() == 0 {
            self.tell_settings(clock.limit())?;
        }
        self.tell_left(view, color)?;
        let request = format!("genmove {}", color_word(color));
        let mut started = Instant::now();
        let mut reply = self.ask(&request, started + view.waits(self.patience))?;
        let passed = |reply: &Reply| matches!(reply.text.parse(), Ok(Move::Pass));
        if (!reply.done || passed(&reply)) && self.may_start_over() {
            self.start_over(view)?;
            started = Instant::now();
            reply = self.ask(&request, started + view.waits(self.patience))?;
        }
        if !reply.done {
            let why = format!("`{request}` refused: `{}`", quote(&reply.text));
            return Err(Fault::new(Failing::Protocol, why));
        }
        let text = reply.text.trim();
        if text.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(Failing::Resigned, "it resigned"));
        }
        let played: Move = text.parse().map_err(|error| Fault::illegal(text, error))?;
        self.moves.push((color, played));
        let time = reply.at.saturating_duration_since(started);
        let searched = match self.knows(LAST_SEARCH) {
            true => self.ask_patiently(LAST_SEARCH)?.text,
            false => String::new(),
        };
        Ok(read_search(&searched, played, time))
    }

    fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    fn close(self: Box<Self>) {
        self.process.close();
    }
}

fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// What follows the mark of a reply and the id that some engines invent,
/// glued to the mark or after a blank.
fn after_mark(line: &str) -> &str {
    let text = line.get(1..).unwrap_or("").trim();
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_id = after.len() < text.len() && after.starts_with(' ');
    if is_id { after.trim() } else { text }
}

/// Reads evaluation, depth and nodes; what cannot be read is not there.
fn read_search(text: &str, played: Move, time: Duration) -> Answer {
    let mut words = text.split_whitespace();
    let eval = words.next().and_then(discs);
    let depth = words.next().map(str::to_string);
    let nodes = words.next().and_then(|word| word.parse().ok());
    Answer { played, eval, depth, nodes, time }
}

/// A position as an SGF file, in the spelling of Edax.
fn sgf(board: &Board) -> String {
    let stones = |color: Color| -> String {
        let own = Square::all().filter(|&square| board.get(square) == Some(color));
        own.map(|square| format!("[{square}]")).collect()
    };
    let mut text = String::from("(;GM[2]FF[4]SZ[8]");
    for (tag, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let stones = stones(color);
        if !stones.is_empty() {
            text.push_str(tag);
            text.push_str(&stones);
        }
    }
    let side = if board.side_to_move() == Color::Black { "B" } else { "W" };
    text.push_str(&format!("PL[{side}];)\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_nobody_asked_for_are_overlooked() {
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

    #[test]
    fn a_position_is_spelled_as_edax_spells_it() {
        assert_eq!(sgf(&Board::start()), "(;GM[2]FF[4]SZ[8]AB[e4][d5]AW[d4][e5]PL[B];)\n");
    }
}
