//! `umigame book show`: what the book knows of a position.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use umigame_book::{Book, BookEntry, BookValue, GameStats, MoveView, PositionView};
use umigame_othello::game::openings::Opening;
use umigame_othello::{Color, Move, position_text};

use super::explain;
use crate::cli::json::write_line;
use crate::cli::{Outcome, position};

/// Show what a book knows of a position and of its moves
///
/// Results and values are for the side to move. The win rate counts a draw
/// as half a win. A value is exact (every continuation is proven: the
/// position is fully searched), searched (every move was looked at by a
/// search), or played (the best that the games came to). Moves that are the
/// same by symmetry share one line.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book show start
  umigame book show f5d6c3 --jsonl
  umigame book show ---------------------------OX------XO--------------------------- X")]
pub(super) struct ShowArgs {
    /// `start`, the moves of a game such as f5d6c3, or 64 squares from a1 to
    /// h8 and the side to move
    #[arg(default_value = "start", allow_hyphen_values = true)]
    position: String,

    /// The side to move, unless it ends POSITION
    side: Option<String>,

    /// JSON, an object a line: the position, then each move
    #[arg(long)]
    jsonl: bool,
}

pub(super) fn run(args: &ShowArgs, book: &Path, out: &mut dyn Write) -> Result<Outcome> {
    let board = position::read(&args.position, args.side.as_slice())?;
    let open = Book::read(book).map_err(explain)?;
    let view = open.view(&board).map_err(explain)?;
    if args.jsonl {
        write_jsonl(&view, board.side_to_move(), out)?;
    } else {
        write_table(&view, board.side_to_move(), out)?;
    }
    Ok(if view.entry.is_some() { Outcome::Done } else { Outcome::Failed })
}

fn write_table(view: &PositionView, side: Color, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "# {}", position_text(view.position, side))?;
    let name = view.opening.and_then(|opening| opening.english());
    writeln!(out, "# ply {}{}", view.ply, name.map_or(String::new(), |name| format!(", {name}")))?;
    let Some(entry) = &view.entry else {
        writeln!(out, "not in the book")?;
        return Ok(());
    };
    let GameStats { games, wins, draws, losses, .. } = entry.tally;
    if games == 0 {
        writeln!(out, "# no games; scores for {side}")?;
    } else {
        let range = range(&entry.tally);
        writeln!(
            out,
            "# {games} games for {side}: {wins} won, {draws} drawn, {losses} lost; {range}"
        )?;
    }
    if let Some(searched) = &entry.searched {
        let best = searched.best.map_or(String::new(), |best| {
            format!(", best {}", umigame_book::CanonicalPosition::of(view.position).usual(best))
        });
        writeln!(out, "# search {} at {}{best}", searched.eval, searched.kind)?;
    }
    writeln!(out, "# value {}", value_text(entry.value))?;
    if !view.moves.is_empty() {
        writeln!(out, "move    games  win rate    mean  best worst  value              opening")?;
    }
    for one in &view.moves {
        let GameStats { games, .. } = one.tally;
        let rate =
            one.tally.win_rate().map_or("-".to_owned(), |rate| format!("{:.1}%", 100.0 * rate));
        let mean = one.tally.mean().map_or("-".to_owned(), |mean| format!("{mean:+.2}"));
        let best = one.tally.best().map_or("-".to_owned(), |discs| format!("{discs:+}"));
        let worst = one.tally.worst().map_or("-".to_owned(), |discs| format!("{discs:+}"));
        let name = one.opening.and_then(|opening| opening.english()).unwrap_or("");
        let line = format!(
            "{:4} {games:8}  {rate:>8}  {mean:>6}  {best:>4} {worst:>5}  {:18} {name}",
            one.played.to_string(),
            value_text(one.value),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Mean, best and worst.
fn range(tally: &GameStats) -> String {
    match (tally.mean(), tally.best(), tally.worst()) {
        (Some(mean), Some(best), Some(worst)) => {
            format!("mean {mean:+.2}, best {best:+}, worst {worst:+}")
        }
        _ => "no result".to_owned(),
    }
}

fn value_text(value: Option<BookValue>) -> String {
    value.map_or_else(
        || "-".to_owned(),
        |value| format!("{:6} {}", value.eval.to_string(), value.trust),
    )
}

/// What JSON says of games.
#[derive(Serialize, Debug)]
struct Games {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    win_rate: Option<f64>,
    mean: Option<f64>,
    best: Option<i8>,
    worst: Option<i8>,
}

impl From<&GameStats> for Games {
    fn from(tally: &GameStats) -> Games {
        Games {
            games: tally.games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            win_rate: tally.win_rate(),
            mean: tally.mean(),
            best: tally.best(),
            worst: tally.worst(),
        }
    }
}

/// What JSON says of a value, in discs for the side to move.
#[derive(Serialize, Debug)]
struct Worth {
    value: Option<f64>,
    trust: Option<String>,
    fully_searched: bool,
}

impl From<Option<BookValue>> for Worth {
    fn from(value: Option<BookValue>) -> Worth {
        Worth {
            value: value.map(|value| value.eval.discs()),
            trust: value.map(|value| value.trust.to_string()),
            fully_searched: value.is_some_and(|value| value.trust == umigame_book::Trust::Exact),
        }
    }
}

/// What JSON says of a position and of the one after a move.
#[derive(Serialize, Debug)]
struct Known {
    opening: Option<&'static str>,
    opening_japanese: Option<&'static str>,
    #[serde(flatten)]
    games: Games,
    #[serde(flatten)]
    worth: Worth,
}

impl Known {
    fn new(opening: Option<&Opening>, tally: &GameStats, value: Option<BookValue>) -> Known {
        Known {
            opening: opening.and_then(Opening::english),
            opening_japanese: opening.and_then(Opening::japanese),
            games: Games::from(tally),
            worth: Worth::from(value),
        }
    }
}

/// The first line of `--jsonl`.
#[derive(Serialize, Debug)]
struct PositionRecord {
    position: String,
    ply: i32,
    in_book: bool,
    #[serde(flatten)]
    known: Known,
    search: Option<f64>,
    depth: Option<String>,
}

/// A further line of `--jsonl`.
#[derive(Serialize, Debug)]
struct MoveRecord {
    r#move: String,
    like: Vec<String>,
    #[serde(flatten)]
    known: Known,
}

fn write_jsonl(view: &PositionView, side: Color, out: &mut dyn Write) -> Result<()> {
    let nothing = BookEntry::default();
    let entry = view.entry.as_ref().unwrap_or(&nothing);
    let record = PositionRecord {
        position: position_text(view.position, side),
        ply: view.ply,
        in_book: view.entry.is_some(),
        known: Known::new(view.opening.as_ref(), &entry.tally, entry.value),
        search: entry.searched.map(|searched| searched.eval.discs()),
        depth: entry.searched.map(|searched| searched.kind.to_string()),
    };
    write_line(&record, out)?;
    for one in &view.moves {
        write_line(&move_record(one), out)?;
    }
    Ok(())
}

fn move_record(one: &MoveView) -> MoveRecord {
    MoveRecord {
        r#move: one.played.to_string(),
        like: one.like.iter().map(Move::to_string).collect(),
        known: Known::new(one.opening.as_ref(), &one.tally, one.value),
    }
}
