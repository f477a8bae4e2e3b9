//! `umigame play`: a prompt for people. Over a pipe it works without colours,
//! without the prompt itself and without line editing.

mod input;
mod judged;
mod keep;
mod mode;
mod typed;
mod words;

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use umigame_analysis::text::{MoveTable, kind_sentence, kind_word};
use umigame_engine::{Report, ScoreKind, SharedEvaluation, TimeControl};
use umigame_othello::{Board, Color, Move};

use super::args::PlayArgs;
use super::board_view::{Style, draw, draw_with_values, result};
use super::format::{Hints, MAX_MOVES, book_table, report_table};
use super::{levels, position, settings};
use crate::session::{BookMove, Session};
use input::Input;
use judged::PageRequest;
use keep::{GamesFile, PlayedGame, SavedGame};
use mode::EnginePlays;
use typed::moves_from;
use umigame_support::exit::{Exit, bad_input, shown};
use words::{HELP, choice_text, is_selective, limits_text};

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
        style: Style::of_stdout(),
        writes_prompt: io::stdin().is_terminal() && above_line.is_none(),
        announces_searches: above_line.is_some(),
        shows_values: false,
        resigned: None,
        is_end_told: false,
        is_depth_explained: false,
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
    /// The board has the values of the moves at the user's turns.
    shows_values: bool,
    /// The side that resigned the game.
    resigned: Option<Color>,
    /// The moves of the finished game were printed.
    is_end_told: bool,
    /// `16@73%` was explained.
    is_depth_explained: bool,
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
            "new" | "init" => self.new_game()?,
            "undo" => self.step_to_users_turn(Session::undo, "undo")?,
            "redo" => self.step_to_users_turn(Session::redo, "redo")?,
            "go" => self.go()?,
            "resign" => self.resign()?,
            "hint" => self.hint(rest)?,
            "values" => self.values(rest)?,
            "analyze" | "analyse" => self.analyze(rest)?,
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
        let board = self.session.board();
        if self.shows_values && !board.is_over() && self.is_users_turn() {
            return self.draw_values();
        }
        write!(self.out, "{}", draw(board, self.style))?;
        Ok(())
    }

    fn new_game(&mut self) -> Result<()> {
        self.end_game();
        self.session.new_game();
        if self.session.options().weakness.is_some() {
            writeln!(self.out, "seed {}", self.session.seed())?;
        }
        self.show()?;
        self.play_on()
    }

    /// Plays the moves of a line: all of them, or none if one is illegal.
    fn play(&mut self, text: &str) -> Result<()> {
        match moves_from(self.session.board(), text) {
            Ok(_) if self.resigned.is_some() => self.say_result(),
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
            if board.is_over() {
                return self.tell_end();
            }
            self.is_end_told = false;
            if self.resigned.is_some() || self.input.is_quitting() {
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
            writeln!(self.out, "{side} plays {}", choice_text(&choice, side))?;
            if let Some(report) = &choice.report {
                self.explain_depth(report.kind, &report.kind.to_string())?;
            }
            self.show()?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn go(&mut self) -> Result<()> {
        if self.session.board().is_over() || self.resigned.is_some() {
            return self.say_result();
        }
        self.engine_move()?;
        self.play_on()
    }

    /// Gives the game up for the user; where the user has both sides or none, for the side to move.
    fn resign(&mut self) -> Result<()> {
        let board = self.session.board();
        if !board.is_over() && self.resigned.is_none() {
            self.resigned = Some(match self.mode {
                EnginePlays::White => Color::Black,
                EnginePlays::Black => Color::White,
                EnginePlays::Both | EnginePlays::None => board.side_to_move(),
            });
            self.say_result()?;
            return self.tell_end();
        }
        self.say_result()
    }

    fn say_result(&mut self) -> Result<()> {
        match self.resigned {
            Some(side) => self.say(format_args!("{side} resigned, {} wins; undo goes on", !side)),
            None => {
                let result = result(self.session.board());
                self.say(format_args!("the game is over: {result}"))
            }
        }
    }

    /// Prints the moves of a game that has ended, once.
    fn tell_end(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.is_end_told, true) {
            return Ok(());
        }
        match self.game().transcript() {
            Some(moves) => self.say(format_args!("moves: {moves}")),
            None => Ok(()),
        }
    }

    fn game(&self) -> PlayedGame<'_> {
        PlayedGame { board: self.session.board(), mode: self.mode, resigned: self.resigned }
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
        if self.resigned.take().is_some() {
            self.is_end_told = false;
            return self.show();
        }
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
        let side = self.session.board().side_to_move();
        let (known, report) = self.search_moves(lines)?;
        if !known.is_empty() {
            return book_table(&known, side, self.out);
        }
        report_table(&report, side, self.out)?;
        self.explain_depth(report.kind, &report.kind.to_string())
    }

    /// Returns the best moves: those of the book, or else of a search.
    fn search_moves(&mut self, lines: usize) -> Result<(Vec<BookMove>, Report)> {
        let known = self.session.book_moves(lines);
        if !known.is_empty() {
            return Ok((known, Report::default()));
        }
        self.prepare_search("thinking")?;
        Ok((known, self.session.hint(lines, &self.input.until_quit())))
    }

    /// Draws the board with values now, or says whether it has them at every turn of the user.
    fn values(&mut self, text: &str) -> Result<()> {
        match text {
            "" if self.session.board().is_over() => return self.show(),
            "" => return self.draw_values(),
            "on" => self.shows_values = true,
            "off" => self.shows_values = false,
            _ => return self.say("values: expected nothing, on or off"),
        }
        self.show()
    }

    fn draw_values(&mut self) -> Result<()> {
        let (known, report) = self.search_moves(MAX_MOVES)?;
        let board = self.session.board();
        let values = Hints { board, book_moves: &known, report: &report }.values();
        write!(self.out, "{}", draw_with_values(board, &values, self.style))?;
        let side = board.side_to_move();
        if !known.is_empty() {
            return self.say(format_args!("# scores for {side}, from the book"));
        }
        writeln!(self.out, "# scores for {side}, depth {}", report.kind)?;
        self.explain_depth(report.kind, &report.kind.to_string())
    }

    /// Explains the first selective depth that is printed; `word` stands for it there.
    fn explain_depth(&mut self, kind: ScoreKind, word: &str) -> Result<()> {
        if !is_selective(kind) || std::mem::replace(&mut self.is_depth_explained, true) {
            return Ok(());
        }
        self.say(format_args!("# {word}: {}", kind_sentence(kind)))
    }

    /// Judges the game, and writes its page where that was asked for.
    fn analyze(&mut self, text: &str) -> Result<()> {
        let page = match PageRequest::read(text) {
            Ok(page) => page,
            Err(why) => return self.say(format_args!("analyze: {why}")),
        };
        self.prepare_search("analyzing")?;
        let judgements = judged::judge(&mut self.session, &self.input.until_quit());
        writeln!(self.out, "# scores for Black")?;
        write!(self.out, "{}", MoveTable(&judgements))?;
        let mut kinds = judgements.iter().map(|judged| judged.value.kind);
        if let Some(kind) = kinds.find(|kind| is_selective(*kind)) {
            self.explain_depth(kind, &kind_word(kind))?;
        }
        let Some(page) = page else { return Ok(()) };
        let limits = self.session.options().limits(1, TimeControl::Unlimited);
        match page.write(self.game().record(), judgements, &limits) {
            Ok(()) => self.say(format_args!("wrote {}", shown(page.path()))),
            Err(why) => self.say(format_args!("analyze: {why}")),
        }
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
        let moves = self.game().transcript();
        self.say(moves.as_deref().unwrap_or("no moves yet"))
    }

    fn save(&mut self, name: &str, force: bool) -> Result<()> {
        let saved = match name {
            "" => Err("expected a file, such as game.ggf".to_owned()),
            name => {
                let board = self.session.board();
                let game = PlayedGame { board, mode: self.mode, resigned: self.resigned };
                self.saved.save(game, Path::new(name), force)
            }
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
        let board = self.session.board();
        let game = PlayedGame { board, mode: self.mode, resigned: self.resigned };
        if let Err(why) = file.update(game) {
            writeln!(self.out, "{why}")?;
        }
        Ok(())
    }

    /// Keeps the game in the file of `--save` whatever follows.
    fn end_game(&mut self) {
        self.resigned = None;
        if let Some(file) = &mut self.games_file {
            file.end_game();
        }
    }

    /// Tells a person who leaves a game that is in no file how to get it back.
    fn say_how_to_keep_the_game(&mut self) -> Result<()> {
        self.keep()?;
        let is_person = self.writes_prompt || self.announces_searches;
        if !is_person || self.games_file.is_some() || self.saved.is_current(self.game()) {
            return Ok(());
        }
        if let Some(moves) = self.game().transcript() {
            writeln!(self.out, "the game was not saved; this line brings it back at the prompt:")?;
            writeln!(self.out, "setboard {moves}")?;
            self.out.flush()?;
        }
        Ok(())
    }
}
