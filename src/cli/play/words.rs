//! What the prompt says: how the engine plays, what it has played, and its list of commands.

use umigame_analysis::estimate::uncertainty_text;
use umigame_analysis::values::score_text;
use umigame_engine::{Confidence, Level, ScoreKind};
use umigame_othello::Color;

use crate::cli::format::{book_support, pv};
use crate::session::{Choice, Session};

pub(super) const HELP: &str = "\
f5, f5d6c3    play one move or several
pass          pass; a forced pass is made for you
go            let the engine make the next move
undo, redo    take a move back, play it again
resign        give the game up
hint [N]      the N best moves (5), each with its score, how sure it is, depth and PV
values        the board with the score of every move; values on, values off: at each of your turns
analyze       the score of every move of the game, and its loss
analyze --html FILE [--open]   the same as a page for a browser, and open it
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

/// Returns the level, the bounds and the errors of the engine's play in words.
pub(super) fn limits_text(session: &Session) -> String {
    let options = session.options();
    let (limits, weakness) = (&options.limits, options.weakness);
    let named = weakness.and_then(|weakness| weakness.level());
    let mut words = match (named, limits.depth, limits.level) {
        (Some(level), ..) => vec![format!("level {}", level.name())],
        (None, Some(depth), _) => vec![format!("depth {depth}")],
        (None, None, Some(level)) => vec![format!("level {}", level.number())],
        (None, None, None) => Vec::new(),
    };
    words.extend(limits.move_time.map(|time| format!("{time:?} a move")));
    words.extend(options.game_time.map(|time| format!("{time:?} a game")));
    words.extend(limits.nodes.map(|nodes| format!("{nodes} nodes a move")));
    if words.is_empty() {
        words.push(format!("level {}", Level::DEFAULT.number()));
    }
    if let Some(weakness) = weakness {
        let bounded = weakness.max_error().filter(|_| named.is_none());
        words.extend(bounded.map(|discs| format!("at most {discs} discs lost in a move")));
        words.push(format!("seed {}", session.seed()));
    }
    words.join(", ")
}

/// Returns a move of the engine, which has `side`, with its score, depth and time.
pub(super) fn choice_text(choice: &Choice, side: Color) -> String {
    let seconds = choice.elapsed.as_secs_f64();
    if let Some(known) = &choice.book {
        let (eval, line) = (known.eval, pv(&known.line));
        return format!("{line}  score for {side} {eval}  book: {}", book_support(known));
    }
    match choice.report.as_ref().and_then(|report| Some((report, report.best()?))) {
        Some((report, line)) => {
            let score = score_text(line, report.kind);
            let score = format!("{score} {}", uncertainty_text(line.estimate));
            let (best, score, kind) = (choice.best, score.trim_end(), report.kind);
            format!("{best}  score for {side} {score}  depth {kind}  {seconds:.2} s")
        }
        None => format!("{}  the only move", choice.best),
    }
}

/// Returns whether the branches that a search left out have to be explained.
pub(super) fn is_selective(kind: ScoreKind) -> bool {
    match kind {
        ScoreKind::Depth { confidence, .. } => confidence != Confidence::FULL,
        ScoreKind::Endgame { .. } => true,
        ScoreKind::Exact | ScoreKind::WinLossDraw => false,
    }
}
