//! `umigame play`: a prompt for people. It works over a pipe too, without
//! colours and without the prompt itself.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use crate::session::{Choice, Session};
use anyhow::Result;
use umigame_analysis::Judgement;
use umigame_analysis::text::MoveTable;
use umigame_engine::Level;
use umigame_engine::SharedEvaluation;
use umigame_othello::{Board, Color, Move};

use super::args::GameArgs;
use super::board_view::{Style, draw};
use super::format::{book_support, book_table, pv, report_table, result, score_text};
use super::keyboard::Keyboard;
use super::{Outcome, position, settings};

const HELP: &str = "\
f5, f5d6c3    play one move, or several
pass          pass (a forced pass is also made for you)
go            let the engine make the next move
undo, redo    take a move back, play it again
hint [n]      the n best moves (5), each with its score, depth and play
analyze       the score after every move of the game, and what each move lost
level [n]     show the level, or set it: 1 to 30
mode [n]      show who plays, or set it:
              0  you have Black, the engine White    1  the engine has Black, you White
              2  the engine plays both               3  you play both
new           a new game
setboard P    64 squares from a1 to h8 (X O -) and the side to move, or a game: f5d6c3
show          the board again
help, quit    quit, and the end of the input, are heard while the engine thinks";

/// Lines over a pipe that come within less than this are one piece, which is
/// obeyed in full; on a terminal, nothing is in one piece.
const PAUSE: Duration = Duration::from_secs(1);

/// Who makes the moves, numbered as in Edax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EngineHas {
    /// 0: the engine has White.
    White,
    /// 1: the engine has Black.
    Black,
    /// 2: the engine plays both sides.
    Both,
    /// 3: the engine moves only when told to.
    Neither,
}

impl EngineHas {
    const ALL: [EngineHas; 4] =
        [EngineHas::White, EngineHas::Black, EngineHas::Both, EngineHas::Neither];

    fn engine_plays(self, color: Color) -> bool {
        match self {
            EngineHas::White => color == Color::White,
            EngineHas::Black => color == Color::Black,
            EngineHas::Both => true,
            EngineHas::Neither => false,
        }
    }

    fn text(self) -> &'static str {
        match self {
            EngineHas::White => "mode 0: you have Black, the engine White",
            EngineHas::Black => "mode 1: the engine has Black, you White",
            EngineHas::Both => "mode 2: the engine plays both sides",
            EngineHas::Neither => "mode 3: you play both sides",
        }
    }
}

/// Opens the prompt on standard input and output.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &GameArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let session = settings::session(evaluation, args)?;
    let colors = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let by_hand = io::stdin().is_terminal();
    let pause = if by_hand { Duration::ZERO } else { PAUSE };
    let mut prompt = Prompt {
        session,
        keyboard: Keyboard::open(io::stdin(), pause, is_quit),
        mode: EngineHas::White,
        style: if colors { Style::Colored } else { Style::Plain },
        shows_prompt: by_hand,
        out,
    };
    prompt.talk()?;
    Ok(Outcome::Done)
}

/// Whether a line ends the prompt.
fn is_quit(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    matches!(word.as_str(), "quit" | "exit" | "q")
}

/// Whether to read on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Read,
    Quit,
}

struct Prompt<'a> {
    session: Session,
    keyboard: Keyboard,
    mode: EngineHas,
    style: Style,
    shows_prompt: bool,
    out: &'a mut dyn Write,
}

impl Prompt<'_> {
    fn talk(&mut self) -> Result<()> {
        writeln!(self.out, "umigame {}; type help for the words", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.out, "{}; {}", self.mode.text(), self.strength())?;
        self.show()?;
        self.play_on()?;
        loop {
            if self.shows_prompt {
                write!(self.out, "{}> ", self.session.board().side_to_move())?;
            }
            self.out.flush()?;
            if self.session.can_ponder() {
                self.session.ponder(&self.keyboard.while_silent());
            }
            let Some(line) = self.keyboard.next()? else {
                if self.shows_prompt {
                    writeln!(self.out)?;
                }
                return Ok(());
            };
            if self.obey(line.trim())? == Next::Quit {
                return Ok(());
            }
        }
    }

    fn obey(&mut self, line: &str) -> Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            _ if is_quit(line) => return Ok(Next::Quit),
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "show" | "board" => self.show()?,
            "new" | "init" => {
                self.session.new_game();
                self.show()?;
                self.play_on()?;
            }
            "undo" => self.step_back()?,
            "redo" => self.step_forward()?,
            "go" => self.go()?,
            "hint" => self.hint(rest)?,
            "analyze" | "analyse" => self.analyze()?,
            "level" => self.level(rest)?,
            "mode" => self.set_mode(rest)?,
            "setboard" => self.set_board(rest)?,
            "play" => self.play(rest)?,
            _ => self.play(line)?,
        }
        Ok(Next::Read)
    }

    fn show(&mut self) -> Result<()> {
        write!(self.out, "{}", draw(self.session.board(), self.style))?;
        Ok(())
    }

    /// What bounds the engine's search, in words.
    fn strength(&self) -> String {
        let options = self.session.options();
        let mut words = match (options.depth, options.level) {
            (Some(depth), _) => vec![format!("depth {depth}")],
            (None, Some(level)) => vec![format!("level {}", level.number())],
            (None, None) => Vec::new(),
        };
        words.extend(options.move_time.map(|time| format!("{time:?} a move")));
        words.extend(options.game_time.map(|time| format!("{time:?} a game")));
        words.extend(options.nodes.map(|nodes| format!("{nodes} nodes a move")));
        if words.is_empty() {
            words.push(format!("level {}", Level::DEFAULT.number()));
        }
        words.join(", ")
    }

    /// Plays the moves of a line, all of them or none.
    fn play(&mut self, text: &str) -> Result<()> {
        match moves_from(self.session.board(), text) {
            Ok(moves) => {
                for played in moves {
                    self.session.play(played)?;
                }
                self.show()?;
                self.play_on()
            }
            Err(why) => {
                writeln!(self.out, "{why}")?;
                Ok(())
            }
        }
    }

    /// Makes the moves that need no decision of the user: forced passes and
    /// the engine's.
    fn play_on(&mut self) -> Result<()> {
        loop {
            let board = self.session.board();
            let side = board.side_to_move();
            if board.is_over() || self.keyboard.is_leaving() {
                return Ok(());
            } else if board.must_pass() {
                writeln!(self.out, "{side} has no move and passes")?;
                self.session.play(Move::Pass)?;
                self.show()?;
            } else if self.mode.engine_plays(side) {
                self.engine_move()?;
            } else {
                return Ok(());
            }
        }
    }

    fn engine_move(&mut self) -> Result<()> {
        self.out.flush()?;
        let side = self.session.board().side_to_move();
        if let Some(choice) = self.session.go(&self.keyboard.while_here()) {
            self.session.await_reply(choice.best);
            self.session.play_timed(choice.best, choice.elapsed)?;
            writeln!(self.out, "{side} plays {}", choice_text(&choice))?;
            self.show()?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn go(&mut self) -> Result<()> {
        if self.session.board().is_over() {
            writeln!(self.out, "the game is over: {}", result(self.session.board()))?;
            return Ok(());
        }
        self.engine_move()?;
        self.play_on()
    }

    /// Whether the user has to decide something here.
    fn is_users_turn(&self) -> bool {
        let board = self.session.board();
        let alone = self.mode == EngineHas::Both;
        !board.must_pass() && (alone || !self.mode.engine_plays(board.side_to_move()))
    }

    /// Takes moves back to where the user last had the move.
    fn step_back(&mut self) -> Result<()> {
        if self.session.undo().is_none() {
            writeln!(self.out, "there is nothing to undo")?;
            return Ok(());
        }
        while !self.is_users_turn() && self.session.undo().is_some() {}
        self.show()
    }

    fn step_forward(&mut self) -> Result<()> {
        if self.session.redo().is_none() {
            writeln!(self.out, "there is nothing to redo")?;
            return Ok(());
        }
        while !self.is_users_turn() && self.session.redo().is_some() {}
        self.show()
    }

    fn hint(&mut self, text: &str) -> Result<()> {
        let lines = match text {
            "" => 5,
            number => match number.parse() {
                Ok(lines) if lines > 0 => lines,
                _ => {
                    writeln!(self.out, "hint: expected how many moves, such as hint 3")?;
                    return Ok(());
                }
            },
        };
        let known = self.session.book_moves(lines);
        if !known.is_empty() {
            let side = self.session.board().side_to_move();
            return book_table(&known, side, self.out);
        }
        self.out.flush()?;
        let side = self.session.board().side_to_move();
        let report = self.session.hint(lines, &self.keyboard.while_here());
        report_table(&report, side, self.out)
    }

    fn analyze(&mut self) -> Result<()> {
        let mut found: Vec<Judgement> = Vec::new();
        self.out.flush()?;
        let ear = self.keyboard.while_here();
        self.session.analyze(&ear, &mut |judged| found.push(judged.clone()));
        // It begins at the end, and may have been cut short.
        found.reverse();
        writeln!(self.out, "# scores for Black")?;
        write!(self.out, "{}", MoveTable(&found))?;
        Ok(())
    }

    fn level(&mut self, text: &str) -> Result<()> {
        if !text.is_empty() {
            match text.parse().ok().and_then(Level::new) {
                Some(level) => self.session.set_level(level),
                None => {
                    writeln!(self.out, "level: expected a number from 1 to 30")?;
                    return Ok(());
                }
            }
        }
        writeln!(self.out, "{}", self.strength())?;
        Ok(())
    }

    fn set_mode(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            writeln!(self.out, "{}", self.mode.text())?;
            return Ok(());
        }
        match text.parse().ok().and_then(|number: usize| EngineHas::ALL.get(number)) {
            Some(mode) => {
                self.mode = *mode;
                writeln!(self.out, "{}", self.mode.text())?;
                self.play_on()
            }
            None => {
                writeln!(self.out, "mode: expected 0, 1, 2 or 3; help says what they are")?;
                Ok(())
            }
        }
    }

    fn set_board(&mut self, text: &str) -> Result<()> {
        match position::parse(text) {
            Ok(board) => {
                self.session.set_board(board);
                self.show()?;
                self.play_on()
            }
            Err(why) => {
                writeln!(self.out, "setboard: {why}")?;
                Ok(())
            }
        }
    }
}

/// A move with what the engine thinks of it.
fn choice_text(choice: &Choice) -> String {
    let seconds = choice.elapsed.as_secs_f64();
    if let Some(known) = &choice.book {
        let (eval, line) = (known.eval, pv(&known.line));
        return format!("{line}  score {eval}  book: {}", book_support(known));
    }
    match choice.report.as_ref().and_then(|report| Some((report, report.best()?))) {
        Some((report, line)) => format!(
            "{}  score {}  depth {}  {seconds:.2} s",
            choice.best,
            score_text(line, report.kind),
            report.kind
        ),
        None => format!("{}  the only move", choice.best),
    }
}

/// Reads the moves of a line, legal one after the other from this position;
/// forced passes may be left out.
fn moves_from(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let mut board = board.clone();
    let before = board.plies();
    for word in text.split_whitespace() {
        // A pass is one word; squares may stand in a row.
        let tokens = match word.parse::<Move>() {
            Ok(_) => vec![word.to_owned()],
            Err(_) => {
                let letters: Vec<char> = word.chars().collect();
                letters.chunks(2).map(|pair| pair.iter().collect()).collect()
            }
        };
        for token in tokens {
            let played: Move = token.parse().map_err(|_| unknown(word))?;
            if played != Move::Pass && board.must_pass() {
                board.pass().map_err(|why| why.to_string())?;
            }
            board.play(played).map_err(|why| format!("illegal: {why}"))?;
        }
    }
    Ok(board.moves().skip(before).collect())
}

fn unknown(word: &str) -> String {
    let word = umigame_othello::text::quote(word);
    format!("`{word}` is no move and no word: expected a square such as f5, or help")
}
