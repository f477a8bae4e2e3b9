//! Lines of a GTP client.

use std::str::FromStr;
use std::time::Duration;

use umigame_engine::Strength;
use umigame_othello::{Color, Move};
use umigame_support::time;

use super::error::GtpError;
use crate::protocol::inbox::{self, Urgency};
use crate::protocol::lines::{InputLine, split_word};
use crate::session::Clock;

/// Maximum time of a clock, in seconds.
const MAX_CLOCK_SECONDS: f64 = 1e9;

/// A line of a GTP client, parsed.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// A blank line or a comment; gets no response
    Silent,
    /// The comment `# interrupt` of GoGui; gets no response
    Interrupt,
    /// A command with its id, which is empty if the line has none
    Command { id: String, command: Result<Command, GtpError> },
}

/// A command with its arguments.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// A command whose reply depends on the line alone, and is empty for those without effect
    Reply(String),
    /// `clear_board`, `boardsize 8`
    ClearBoard,
    /// `final_score`, `gogui-rules_final_result`
    FinalScore,
    /// `genmove COLOR`
    GenMove(Color),
    /// `loadsgf FILE [N]`: the position before move N, or after the last one
    LoadSgf { file: String, before: Option<usize> },
    /// `play COLOR VERTEX`
    Play { color: Color, played: Move },
    /// `quit`
    Quit,
    /// `reg_genmove COLOR`
    RegGenMove(Color),
    /// `gogui-rules_board`
    RulesBoard,
    /// `gogui-rules_legal_moves`
    RulesLegalMoves,
    /// `gogui-rules_side_to_move`
    RulesSideToMove,
    /// `umigame-last_search`
    LastSearch,
    /// `umigame-last_wdl`
    LastWdl,
    /// `umigame-move_overhead TIME`
    MoveOverhead(Duration),
    /// `set_level LEVEL`
    SetLevel(Strength),
    /// `umigame-seed [N]`
    Seed(Option<u64>),
    /// `showboard`
    ShowBoard,
    /// `time_left COLOR TIME MOVES`
    TimeLeft { color: Color, time: Duration, moves: u32 },
    /// `time_settings MAIN PERIOD MOVES`
    TimeSettings(Clock),
    /// `undo`
    Undo,
}

/// Parser of the arguments of a command.
type Parser = fn(Arguments<'_>) -> Result<Command, GtpError>;

/// Every command with the parser of its arguments, in the order of `list_commands`.
static COMMANDS: [(&str, Parser); 32] = [
    ("boardsize", board_size),
    ("clear_board", |_| Ok(Command::ClearBoard)),
    ("final_score", |_| Ok(Command::FinalScore)),
    ("genmove", |args| Ok(Command::GenMove(args.parsed(0)?))),
    ("gogui-interrupt", |_| reply("")),
    ("gogui-rules_board", |_| Ok(Command::RulesBoard)),
    ("gogui-rules_board_size", |_| reply("8")),
    ("gogui-rules_final_result", |_| Ok(Command::FinalScore)),
    ("gogui-rules_game_id", |_| reply("Othello")),
    ("gogui-rules_legal_moves", |_| Ok(Command::RulesLegalMoves)),
    ("gogui-rules_side_to_move", |_| Ok(Command::RulesSideToMove)),
    ("known_command", |args| reply(&args.word(0).is_ok_and(is_known).to_string())),
    ("komi", |args| args.parsed::<f64>(0).and_then(|_| reply(""))),
    ("list_commands", |_| reply(&names().join("\n"))),
    ("list_games", |_| reply("Othello")),
    ("loadsgf", load_sgf),
    ("name", |_| reply("umigame")),
    ("play", |args| Ok(Command::Play { color: args.parsed(0)?, played: args.parsed(1)? })),
    ("protocol_version", |_| reply("2")),
    ("quit", |_| Ok(Command::Quit)),
    ("reg_genmove", |args| Ok(Command::RegGenMove(args.parsed(0)?))),
    ("set_game", set_game),
    ("set_level", |args| Ok(Command::SetLevel(args.parsed(0)?))),
    ("showboard", |_| Ok(Command::ShowBoard)),
    ("time_left", |args| {
        Ok(Command::TimeLeft {
            color: args.parsed(0)?,
            time: args.time(1)?,
            moves: args.parsed(2)?,
        })
    }),
    ("time_settings", |args| {
        Ok(Command::TimeSettings(clock(args.time(0)?, args.time(1)?, args.parsed(2)?)))
    }),
    ("umigame-last_search", |_| Ok(Command::LastSearch)),
    ("umigame-last_wdl", |_| Ok(Command::LastWdl)),
    ("umigame-move_overhead", |args| {
        time::parse(args.0).map(Command::MoveOverhead).map_err(|_| GtpError::Syntax)
    }),
    ("umigame-seed", |args| match args.word(0) {
        Ok(_) => args.parsed(0).map(|seed| Command::Seed(Some(seed))),
        Err(_) => Ok(Command::Seed(None)),
    }),
    ("undo", |_| Ok(Command::Undo)),
    ("version", |_| reply(env!("CARGO_PKG_VERSION"))),
];

fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|(name, _)| *name).collect()
}

fn is_known(name: &str) -> bool {
    names().contains(&name)
}

fn reply(text: &str) -> Result<Command, GtpError> {
    Ok(Command::Reply(text.to_owned()))
}

fn board_size(args: Arguments<'_>) -> Result<Command, GtpError> {
    match args.parsed::<u32>(0)? {
        8 => Ok(Command::ClearBoard),
        _ => Err(GtpError::Size),
    }
}

fn set_game(args: Arguments<'_>) -> Result<Command, GtpError> {
    if args.word(0)?.eq_ignore_ascii_case("othello") { reply("") } else { Err(GtpError::Game) }
}

/// Parses `FILE [N]`. The name of the file may hold blanks.
fn load_sgf(args: Arguments<'_>) -> Result<Command, GtpError> {
    let text = args.0.trim();
    if text.is_empty() {
        return Err(GtpError::Syntax);
    }
    let numbered = text.rsplit_once(' ').and_then(|(name, last)| Some((name, last.parse().ok()?)));
    let (file, before) = match numbered {
        Some((name, before)) => (name.trim_end(), Some(before)),
        None => (text, None),
    };
    Ok(Command::LoadSgf { file: file.to_owned(), before })
}

/// The text after the name of a command.
#[derive(Clone, Copy)]
struct Arguments<'a>(&'a str);

impl<'a> Arguments<'a> {
    fn word(self, index: usize) -> Result<&'a str, GtpError> {
        self.0.split_whitespace().nth(index).ok_or(GtpError::Syntax)
    }

    fn parsed<T: FromStr>(self, index: usize) -> Result<T, GtpError> {
        self.word(index)?.parse().map_err(|_| GtpError::Syntax)
    }

    fn time(self, index: usize) -> Result<Duration, GtpError> {
        seconds(self.word(index)?)
    }
}

/// Parses seconds with or without a fraction; a negative number counts as 0.
fn seconds(text: &str) -> Result<Duration, GtpError> {
    let seconds: f64 = text.parse().map_err(|_| GtpError::Syntax)?;
    if seconds.is_nan() {
        return Err(GtpError::Syntax);
    }
    let seconds = seconds.clamp(0.0, MAX_CLOCK_SECONDS);
    Duration::try_from_secs_f64(seconds).map_err(|_| GtpError::Syntax)
}

/// Returns the clock that `time_settings` means. Clients contradict each other: `protocol.md` has
/// a table.
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

impl inbox::Request for Request {
    /// A client gets the full answer to every command.
    const FULL_QUEUE: Urgency = Urgency::Waits;

    fn parse(line: &InputLine) -> Request {
        let (text, is_comment) = match line.text.split_once('#') {
            Some((text, _)) => (text.trim(), true),
            None => (line.text.trim(), false),
        };
        let (first, rest) = split_word(text);
        if first.is_empty() {
            let interrupt = line.text.trim() == "# interrupt";
            return if interrupt { Request::Interrupt } else { Request::Silent };
        }
        let has_id = first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, (name, rest)) =
            if has_id { (first, split_word(rest)) } else { ("", (first, rest)) };
        // A cut comment is no loss.
        let command = if line.whole || is_comment {
            parse(name, Arguments(rest))
        } else {
            Err(GtpError::LineTooLong)
        };
        Request::Command { id: id.to_owned(), command }
    }

    fn urgency(&self) -> Urgency {
        match self {
            Request::Interrupt => Urgency::AnswerNow,
            Request::Command { command: Ok(Command::Quit), .. } => Urgency::Close,
            Request::Silent | Request::Command { .. } => Urgency::Waits,
        }
    }
}

fn parse(name: &str, args: Arguments<'_>) -> Result<Command, GtpError> {
    let known = COMMANDS.iter().find(|(known, _)| *known == name);
    known.map_or(Err(GtpError::UnknownCommand), |(_, parser)| parser(args))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::inbox::Request as _;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn request(text: &str) -> Request {
        Request::parse(&InputLine { text: text.to_owned(), whole: true })
    }

    fn command(text: &str) -> Result<Command, GtpError> {
        match request(text) {
            Request::Command { command, .. } => command,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_line_has_an_id_a_command_and_arguments() {
        let with_id = |id: &str, command| Request::Command { id: id.to_owned(), command };
        assert_eq!(request("17 name"), with_id("17", reply("umigame")));
        let played = Command::Play { color: Color::Black, played: "d3".parse().unwrap() };
        assert_eq!(request("  play  b   d3 # good"), with_id("", Ok(played)));
        assert_eq!(request("5"), with_id("5", Err(GtpError::UnknownCommand)));
        for silent in ["", "   ", "#", "  # 5 name"] {
            assert_eq!(request(silent), Request::Silent);
        }
        assert_eq!(request("# interrupt"), Request::Interrupt);
    }

    #[test]
    fn a_cut_line_is_an_error_and_a_cut_comment_is_not() {
        let cut = |text: &str| Request::parse(&InputLine { text: text.to_owned(), whole: false });
        let id = "7".to_owned();
        let too_long = Request::Command { id, command: Err(GtpError::LineTooLong) };
        assert_eq!(cut("7 quit xxx"), too_long);
        assert_eq!(too_long.urgency(), Urgency::Waits);
        let id = String::new();
        assert_eq!(cut("name # x"), Request::Command { id, command: reply("umigame") });
    }

    #[test]
    fn only_quit_and_the_interrupt_act_on_a_running_search() {
        for (line, urgency) in [
            ("play b d3", Urgency::Waits),
            ("genmove w", Urgency::Waits),
            ("ping 1", Urgency::Waits),
            ("stop", Urgency::Waits),
            ("", Urgency::Waits),
            ("# comment", Urgency::Waits),
            ("# interrupt", Urgency::AnswerNow),
            ("quit", Urgency::Close),
            ("3 quit # now", Urgency::Close),
        ] {
            assert_eq!(request(line).urgency(), urgency, "{line}");
        }
    }

    #[test]
    fn commands_are_sorted_by_name() {
        assert!(names().is_sorted());
    }

    #[test]
    fn a_file_name_may_hold_blanks_and_a_number_may_follow() {
        for (text, expected) in [
            ("loadsgf a.sgf", ("a.sgf", None)),
            ("loadsgf a game.sgf", ("a game.sgf", None)),
            ("loadsgf a game.sgf 12", ("a game.sgf", Some(12))),
        ] {
            let (file, before) = (expected.0.to_owned(), expected.1);
            assert_eq!(command(text), Ok(Command::LoadSgf { file, before }), "{text}");
        }
        assert_eq!(command("loadsgf"), Err(GtpError::Syntax));
    }

    #[test]
    fn time_settings_mean_what_the_document_says() {
        for (text, expected) in [
            ("0 15 1", Clock::Move(s(15))),
            ("300 0 0", Clock::sudden_death(s(300))),
            ("300 25 5", Clock::canadian(s(300), s(25), 5)),
            ("0 25 5", Clock::canadian(s(0), s(25), 5)),
            ("0 1 0", Clock::Unlimited),
            ("0 5 0", Clock::Move(s(5))),
            ("300 5 0", Clock::game(s(300), s(5))),
            ("0 0 0", Clock::Unlimited),
        ] {
            let found = command(&format!("time_settings {text}"));
            assert_eq!(found, Ok(Command::TimeSettings(expected)), "{text}");
        }
    }

    #[test]
    fn a_move_overhead_is_a_time_with_or_without_a_unit() {
        let overhead = |millis| Ok(Command::MoveOverhead(Duration::from_millis(millis)));
        for (text, expected) in [("15ms", overhead(15)), ("0.5", overhead(500)), ("0", overhead(0))]
        {
            assert_eq!(command(&format!("umigame-move_overhead {text}")), expected);
        }
        for bad in ["", "x", "-1", "1 2"] {
            assert_eq!(command(&format!("umigame-move_overhead {bad}")), Err(GtpError::Syntax));
        }
    }

    #[test]
    fn times_have_fractions_and_nonsense_is_a_syntax_error() {
        assert_eq!(seconds("12.5"), Ok(Duration::from_millis(12_500)));
        assert_eq!(seconds("-3"), Ok(s(0)));
        assert_eq!(seconds("inf"), Ok(s(1_000_000_000)));
        for bad in ["x", "", "NaN", "1:00"] {
            assert_eq!(seconds(bad), Err(GtpError::Syntax), "{bad}");
        }
    }
}
