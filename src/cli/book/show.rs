//! `umigame book show`: a position as a book knows it.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use umigame_book::{
    Book, BookValue, CanonicalPosition, GameStats, MoveRecord, MoveView, PositionRecord,
    PositionView,
};
use umigame_othello::{Color, position_text};

use super::common::{counted, explain};
use crate::cli::json::write_line;
use crate::cli::position;
use umigame_support::exit::Exit;

/// Show a position and its moves as a book knows them
///
/// Results and values are for the side to move. The win rate counts a draw as half a win. A value
/// is exact (proven: every continuation is fully searched), searched (a search considered every
/// move), or played (the best result of the games). Moves that are the same by symmetry share one
/// line.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book show start
  umigame book show f5d6c3 --jsonl
  umigame book show ---------------------------OX------XO--------------------------- X")]
pub(super) struct ShowArgs {
    /// `start`, the moves of a game such as f5d6c3, or 64 squares from a1 to
    /// h8 and the side to move
    #[arg(default_value = "start")]
    position: String,

    /// The side to move, unless it ends POSITION
    side: Option<String>,

    /// JSON, an object a line: the position, then each move
    #[arg(long)]
    jsonl: bool,
}

pub(super) fn run(args: &ShowArgs, book: &Path, out: &mut dyn Write) -> Result<Exit> {
    let board = position::read(&args.position, args.side.as_slice())?;
    let open = Book::read(book).map_err(explain)?;
    let view = open.view(&board).map_err(explain)?;
    if args.jsonl {
        write_jsonl(&view, board.side_to_move(), out)?;
    } else {
        write_table(&view, board.side_to_move(), out)?;
    }
    Ok(if view.entry.is_some() { Exit::Done } else { Exit::Failed })
}

fn write_table(view: &PositionView, side: Color, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "# {}", position_text(view.position, side))?;
    let name = view.opening.and_then(|opening| opening.english());
    writeln!(out, "# ply {}{}", view.ply, name.map_or(String::new(), |name| format!(", {name}")))?;
    let Some(entry) = &view.entry else {
        writeln!(out, "not in the book")?;
        return Ok(());
    };
    let GameStats { games, wins, draws, losses, .. } = entry.stats;
    if games == 0 {
        writeln!(out, "# no games; scores for {side}")?;
    } else {
        let (games, results) = (counted(games.into(), "game"), results_text(&entry.stats));
        writeln!(out, "# {games} for {side}: {wins} won, {draws} drawn, {losses} lost; {results}")?;
    }
    if let Some(search) = &entry.search {
        let best = search.best.map_or(String::new(), |best| {
            format!(", best {}", CanonicalPosition::of(view.position).usual_move(best))
        });
        writeln!(out, "# search {} at {}{best}", search.eval, search.kind)?;
    }
    writeln!(out, "# value {}", value_text(entry.value))?;
    if !view.moves.is_empty() {
        writeln!(out, "move    games  win rate    mean  best worst  value              opening")?;
    }
    for one in &view.moves {
        writeln!(out, "{}", move_line(one).trim_end())?;
    }
    Ok(())
}

/// Returns a line of the table of moves.
fn move_line(one: &MoveView) -> String {
    let GameStats { games, .. } = one.stats;
    let win_rate =
        one.stats.win_rate().map_or("-".to_owned(), |rate| format!("{:.1}%", 100.0 * rate));
    let mean = one.stats.mean().map_or("-".to_owned(), |mean| format!("{mean:+.2}"));
    let best = one.stats.best().map_or("-".to_owned(), |discs| format!("{discs:+}"));
    let worst = one.stats.worst().map_or("-".to_owned(), |discs| format!("{discs:+}"));
    let name = one.opening.and_then(|opening| opening.english()).unwrap_or("");
    format!(
        "{:4} {games:8}  {win_rate:>8}  {mean:>6}  {best:>4} {worst:>5}  {:18} {name}",
        one.played.to_string(),
        value_text(one.value),
    )
}

/// Returns mean, best and worst result.
fn results_text(stats: &GameStats) -> String {
    match (stats.mean(), stats.best(), stats.worst()) {
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

fn write_jsonl(view: &PositionView, side: Color, out: &mut dyn Write) -> Result<()> {
    write_line(&PositionRecord::new(view, side), out)?;
    for one in &view.moves {
        write_line(&MoveRecord::from(one), out)?;
    }
    Ok(())
}
