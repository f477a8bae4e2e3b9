//! `umigame play`: a prompt for people. Over a pipe it works without colours,
//! without the prompt itself and without line editing.

pub(super) mod board_view;
mod input;
mod keep;
mod limits;
mod mode;

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use umigame_analysis::Judgement;
use umigame_analysis::estimate::uncertainty_text;
use umigame_analysis::text::MoveTable;
use umigame_engine::SharedEvaluation;
use umigame_othello::text::quote;
use umigame_othello::{Board, Move};

use super::args::PlayArgs;
use super::format::{book_support, book_table, pv, report_table, result, score_text};
use super::{levels, position, settings};
use crate::session::{Choice, Session};
use board_view::{Style, draw};
use input::Input;
use keep::{GamesFile, SavedGame};
use limits::limits_text;
use mode::EnginePlays;
use umigame_support::exit::{Exit, bad_input};

const HELP: &str = "\
f5, f5d6c3    play one move or several
pass          pass; a forced pass is made for you
go            let the engine make the next move
undo, redo    take a move back, play it again
hint [N]      the N best moves (5), each with its score, how sure it is, depth and PV
analyze       the score of every move of the game, and its loss
level [L]     show or set the level: 1 to 30, or a name below; levels lists all
levels        the levels, with a sentence on each
seed [N]      show or set the seed of the errors of a level with a name
mode [N]      show or set who plays:
              0  you have Black, the engine White    1  the engine has Black, you White
              2  the engine plays both               3  you play both
new           start a new game
setboard P    64 squares from a1 to h8 (X O -) and the side to move, or a game: f5d6c3
moves         the moves of the game, in the form that setboard reads
save FILE     save the game as .ggf, .sgf, .pgn or .txt; save! replaces a file
load FILE     go on with the first game of a file
show          show the board
help          show this list
quit          leave; quit and the end of input also end a search";

/// Opens the prompt on standard input and output.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &PlayArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let games_file = args.save.as_deref().map(GamesFile::new).transpose();
    let games_file = games_file.map_err(|why| bad_input(format!("--save {why}")))?;
    let session = settings::session(evaluation, &args.game)?;
    let (input, mut above_line) = Input::open(is_quit);
    let mut prompt = Prompt {
        session,
        input,
        mode: EnginePlays::White,
        style: if shows_colors() { Style::Colored } else { Style::Plain },
        writes_prompt: io::stdin().is_terminal() && above_line.is_none(),
        announces_searches: above_line.is_some(),
        saved: SavedGame::default(),
        games_file,
        out: above_line.as_deref_mut().unwrap_or(out),
    };
    let exit = match prompt.converse() {
        Err(error) if is_ctrl_c(&error) => Exit::Interrupted,
        ended => ended.map(|()| Exit::Done)?,
    };
    prompt.say_how_to_keep_the_game()?;
    Ok(exit)
}

fn shows_colors() -> bool {
    let wanted = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    // A console of Windows prints escape codes as text until it is told to obey them.
    #[cfg(windows)]
    let wanted = wanted && anstyle_query::windows::enable_ansi_colors() == Some(true);
    wanted
}

fn is_ctrl_c(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::Interrupted)
}

/// Returns whether a line ends the prompt.
fn is_quit(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    matches!(word.as_str(), "quit" | "exit" | "q")
}

/// Whether the prompt goes on after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    GoOn,
    Quit,
}

struct Prompt<'a> {
    session: Session,
    input: Input,
    mode: EnginePlays,
    style: Style,
    /// A person types without a line editor, which would write the prompt.
    writes_prompt: bool,
    announces_searches: bool,
    saved: SavedGame,
    /// The file of `--save`.
    games_file: Option<GamesFile>,
    out: &'a mut dyn Write,
}

impl Prompt<'_> {
    /// Obeys lines until `quit` or the end of input.
    fn converse(&mut self) -> Result<()> {
        writeln!(self.out, "umigame {}; type help for the commands", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.out, "{}; {}", self.mode.text(), limits_text(&self.session))?;
        self.show()?;
        self.play_on()?;
        loop {
            self.keep()?;
            if self.writes_prompt {
                write!(self.out, "{}> ", self.session.board().side_to_move())?;
            }
            self.out.flush()?;
            if self.input.is_idle() {
                self.session.ponder();
            }
            let Some(line) = self.input.next()? else {
                if self.writes_prompt {
                    writeln!(self.out)?;
                }
                return Ok(());
            };
            if self.obey(line.trim())? == Flow::Quit {
                return Ok(());
            }
        }
    }

    fn obey(&mut self, line: &str) -> Result<Flow> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            _ if is_quit(line) => return Ok(Flow::Quit),
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "show" | "board" => self.show()?,
            "moves" => self.moves()?,
            "save" => self.save(rest, false)?,
            "save!" => self.save(rest, true)?,
            "load" => self.load(rest)?,
            "new" | "init" => {
                self.end_game();
                self.session.new_game();
                if self.session.options().weakness.is_some() {
                    writeln!(self.out, "seed {}", self.session.seed())?;
                }
                self.show()?;
                self.play_on()?;
            }
            "undo" => self.step_to_users_turn(Session::undo, "undo")?,
            "redo" => self.step_to_users_turn(Session::redo, "redo")?,
            "go" => self.go()?,
            "hint" => self.hint(rest)?,
            "analyze" | "analyse" => self.analyze()?,
            "level" => self.level(rest)?,
            "levels" => _ = levels::run(self.out)?,
            "seed" => self.seed(rest)?,
            "mode" => self.set_mode(rest)?,
            "setboard" => self.set_board(rest)?,
            "play" => self.play(rest)?,
            _ => self.play(line)?,
        }
        Ok(Flow::GoOn)
    }

    fn say(&mut self, line: impl Display) -> Result<()> {
        Ok(writeln!(self.out, "{line}")?)
    }

    fn show(&mut self) -> Result<()> {
        write!(self.out, "{}", draw(self.session.board(), self.style))?;
        Ok(())
    }

    /// Plays the moves of a line: all of them, or none if one is illegal.
    fn play(&mut self, text: &str) -> Result<()> {
        match moves_from(self.session.board(), text) {
            Ok(moves) => {
                for played in moves {
                    self.session.play(played)?;
                }
                self.show()?;
                self.play_on()
            }
            Err(why) => self.say(why),
        }
    }

    /// Makes forced passes and the engine's moves, up to the user's turn.
    fn play_on(&mut self) -> Result<()> {
        loop {
            let board = self.session.board();
            let side = board.side_to_move();
            if board.is_over() || self.input.is_quitting() {
                return Ok(());
            } else if board.must_pass() {
                writeln!(self.out, "{side} has no move and passes")?;
                self.session.play(Move::Pass)?;
                self.show()?;
            } else if self.mode.includes(side) {
                self.engine_move()?;
            } else {
                return Ok(());
            }
        }
    }

    fn engine_move(&mut self) -> Result<()> {
        let side = self.session.board().side_to_move();
        self.prepare_search(&format!("{side} is thinking"))?;
        if let Some(choice) = self.session.go(&self.input.until_quit()) {
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
            let result = result(self.session.board());
            return self.say(format_args!("the game is over: {result}"));
        }
        self.engine_move()?;
        self.play_on()
    }

    /// Prepares a search: flushes the output, with a sign of the search on a terminal, and unpacks
    /// the weights before its time begins.
    fn prepare_search(&mut self, sign: &str) -> Result<()> {
        if self.announces_searches {
            writeln!(self.out, "{sign} ...")?;
        }
        self.out.flush()?;
        self.session.prepare();
        Ok(())
    }

    /// Returns whether undo and redo stop here: nothing is forced, and the user
    /// has the move, or the engine plays both sides.
    fn is_users_turn(&self) -> bool {
        let board = self.session.board();
        let engine_alone = self.mode == EnginePlays::Both;
        !board.must_pass() && (engine_alone || !self.mode.includes(board.side_to_move()))
    }

    /// Steps through the history, at least once, until the user has the turn.
    fn step_to_users_turn(
        &mut self,
        step: fn(&mut Session) -> Option<Move>,
        name: &str,
    ) -> Result<()> {
        if step(&mut self.session).is_none() {
            return self.say(format_args!("there is nothing to {name}"));
        }
        while !self.is_users_turn() && step(&mut self.session).is_some() {}
        self.show()
    }

    fn hint(&mut self, text: &str) -> Result<()> {
        let lines = match text {
            "" => 5,
            number => match number.parse() {
                Ok(lines) if lines > 0 => lines,
                _ => return self.say("hint: expected a number of moves, such as hint 3"),
            },
        };
        let known = self.session.book_moves(lines);
        if !known.is_empty() {
            let side = self.session.board().side_to_move();
            return book_table(&known, side, self.out);
        }
        self.prepare_search("thinking")?;
        let side = self.session.board().side_to_move();
        let report = self.session.hint(lines, &self.input.until_quit());
        report_table(&report, side, self.out)
    }

    fn analyze(&mut self) -> Result<()> {
        let mut judgements: Vec<Judgement> = Vec::new();
        self.prepare_search("analyzing")?;
        let watch = self.input.until_quit();
        self.session.analyze(&watch, &mut |judgement| judgements.push(judgement.clone()));
        // The analysis goes from the last move to the first.
        judgements.reverse();
        writeln!(self.out, "# scores for Black")?;
        write!(self.out, "{}", MoveTable(&judgements))?;
        Ok(())
    }

    fn level(&mut self, text: &str) -> Result<()> {
        if !text.is_empty() {
            match text.parse() {
                Ok(strength) => self.session.set_level(strength),
                Err(why) => return self.say(why),
            }
        }
        self.say(limits_text(&self.session))
    }

    fn seed(&mut self, text: &str) -> Result<()> {
        if !text.is_empty() {
            match text.parse() {
                Ok(seed) => self.session.set_seed(seed),
                Err(_) => return self.say("seed: expected a whole number, such as seed 7"),
            }
        }
        self.say(format_args!("seed {}", self.session.seed()))
    }

    fn set_mode(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            return self.say(self.mode.text());
        }
        match text.parse().ok().and_then(|number: usize| EnginePlays::ALL.get(number)) {
            Some(mode) => {
                self.mode = *mode;
                writeln!(self.out, "{}", self.mode.text())?;
                self.play_on()
            }
            None => self.say("mode: expected 0, 1, 2 or 3; help lists them"),
        }
    }

    fn set_board(&mut self, text: &str) -> Result<()> {
        match position::parse(text) {
            Ok(board) => self.go_on_from(board),
            Err(why) => self.say(format_args!("setboard: {why}")),
        }
    }

    fn go_on_from(&mut self, board: Board) -> Result<()> {
        self.end_game();
        self.session.set_board(board);
        self.show()?;
        self.play_on()
    }

    fn moves(&mut self) -> Result<()> {
        let moves = keep::transcript(self.session.board());
        self.say(moves.as_deref().unwrap_or("no moves yet"))
    }

    fn save(&mut self, name: &str, force: bool) -> Result<()> {
        let saved = match name {
            "" => Err("expected a file, such as game.ggf".to_owned()),
            name => self.saved.save(self.session.board(), self.mode, Path::new(name), force),
        };
        match saved {
            Ok(()) => self.say("saved"),
            Err(why) => self.say(format_args!("save: {why}")),
        }
    }

    fn load(&mut self, name: &str) -> Result<()> {
        match keep::read(Path::new(name)) {
            Ok(board) => self.go_on_from(board),
            Err(why) => self.say(format_args!("load: {why}")),
        }
    }

    /// Writes the file of `--save` where the game has changed.
    fn keep(&mut self) -> Result<()> {
        let Some(file) = &mut self.games_file else { return Ok(()) };
        if let Err(why) = file.update(self.session.board(), self.mode) {
            writeln!(self.out, "{why}")?;
        }
        Ok(())
    }

    /// Keeps the game in the file of `--save` whatever follows.
    fn end_game(&mut self) {
        if let Some(file) = &mut self.games_file {
            file.end_game();
        }
    }

    /// Tells a person who leaves a game that is in no file how to get it back.
    fn say_how_to_keep_the_game(&mut self) -> Result<()> {
        self.keep()?;
        let board = self.session.board();
        let is_person = self.writes_prompt || self.announces_searches;
        if !is_person || self.games_file.is_some() || self.saved.is_current(board) {
            return Ok(());
        }
        if let Some(moves) = keep::transcript(board) {
            writeln!(self.out, "the game was not saved; this line brings it back at the prompt:")?;
            writeln!(self.out, "setboard {moves}")?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// Returns a move of the engine with its score, depth and time.
fn choice_text(choice: &Choice) -> String {
    let seconds = choice.elapsed.as_secs_f64();
    if let Some(known) = &choice.book {
        let (eval, line) = (known.eval, pv(&known.line));
        return format!("{line}  score {eval}  book: {}", book_support(known));
    }
    match choice.report.as_ref().and_then(|report| Some((report, report.best()?))) {
        Some((report, line)) => {
            let score = score_text(line, report.kind);
            let score = format!("{score} {}", uncertainty_text(line.estimate));
            let (best, score, kind) = (choice.best, score.trim_end(), report.kind);
            format!("{best}  score {score}  depth {kind}  {seconds:.2} s")
        }
        None => format!("{}  the only move", choice.best),
    }
}

/// Reads moves that are legal one after the other from this position. Forced
/// passes may be left out.
///
/// # Errors
/// The first word that is no move or an illegal one.
fn moves_from(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let mut board = board.clone();
    let before = board.plies();
    for word in text.split_whitespace() {
        // Squares may follow each other without blanks.
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
    Ok(board.history().skip(before).collect())
}

fn unknown(word: &str) -> String {
    format!("`{}` is no move and no command: expected a square such as f5, or help", quote(word))
}
