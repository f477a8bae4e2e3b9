//! `umigame diagram`: a board as SVG.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use umigame_analysis::diagram::Diagram;
use umigame_analysis::values::{self, SquareValue};
use umigame_engine::{LimitOptions, SharedEvaluation, Silent};
use umigame_othello::{Board, Move};
use umigame_support::files;

use super::args::{DiagramArgs, EngineArgs};
use super::{analyze, settings};
use umigame_support::exit::{Exit, bad_input, shown};

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &DiagramArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    settings::require_number(&args.engine)?;
    if let Some(option) = args.engine.first_given().filter(|_| !args.values) {
        return Err(bad_input(format!("{option}: nothing is searched: add --values")));
    }
    let to_stdout = args.out == Path::new("-");
    let is_picture = |name: &Path| name.extension().is_none_or(|e| e.eq_ignore_ascii_case("svg"));
    if !to_stdout && !is_picture(&args.out) {
        return Err(bad_input(format!("{}: expected a name in .svg, or -", shown(&args.out))));
    }
    let number = args.number as usize;
    let sources = analyze::input::read(&args.game, Some(number..=number))?;
    let Some(source) = sources.games.first() else {
        return Ok(Exit::BadInput);
    };
    let game = source.record.board().context("a game was read with an illegal move")?;
    let numbered = game.plies() > 0 && !args.position && args.after.is_none();
    if numbered && (args.last || args.legal || args.values) {
        return Err(bad_input(
            "--last, --legal and --values: these mark positions; add --position or --after",
        ));
    }
    let diagram =
        if numbered { Diagram::of_game(&game) } else { position(evaluation, args, &game)? };
    let svg = diagram.with_pixels(args.size).svg();
    if to_stdout {
        writeln!(out, "{svg}")?;
    } else {
        let bytes = format!("{svg}\n").into_bytes();
        files::replace(&args.out, &bytes).with_context(|| shown(&args.out))?;
        analyze::pages::announce(&args.out);
    }
    Ok(Exit::Done)
}

/// Returns the diagram of the chosen position, with the requested marks.
fn position(evaluation: &SharedEvaluation, args: &DiagramArgs, game: &Board) -> Result<Diagram> {
    let mut board = game.clone();
    if let Some(wanted) = args.after {
        let placed = |board: &Board| board.history().filter(|m| *m != Move::Pass).count();
        let moves = placed(&board);
        if wanted as usize > moves {
            return Err(bad_input(format!(
                "--after {wanted}: the game has {moves} {}",
                if moves == 1 { "move" } else { "moves" }
            )));
        }
        while placed(&board) > wanted as usize {
            board.undo();
        }
    }
    let mut diagram = Diagram::of(&board);
    if args.last {
        diagram = diagram.with_last_move(&board);
    }
    if args.legal {
        diagram = diagram.with_legal(&board);
    }
    if args.values {
        diagram = diagram.with_values(searched_values(evaluation, &args.engine, &board)?);
    }
    Ok(diagram)
}

/// Searches the values of all moves.
fn searched_values(
    evaluation: &SharedEvaluation,
    args: &EngineArgs,
    board: &Board,
) -> Result<Vec<SquareValue>> {
    let lines = Some(board.position().legal_moves().count() as usize);
    let limits = LimitOptions { lines, ..settings::limit_options(args) }.limits();
    let mut engine = settings::engine(evaluation, settings::engine_options(&args.machine))?;
    engine.prepare(&limits);
    Ok(values::of_report(&engine.search(board.position(), &limits, &Silent::default())))
}
