//! `umigame diagram`: a board as SVG.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use umigame_analysis::diagram::Diagram;
use umigame_othello::{Board, Move};
use umigame_support::files;

use super::analyze;
use super::args::DiagramArgs;
use umigame_support::exit::{Exit, bad_input, shown};

pub(super) fn run(args: &DiagramArgs, out: &mut dyn Write) -> Result<Exit> {
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
    if numbered && (args.last || args.legal) {
        return Err(bad_input(
            "--last and --legal: these mark positions; add --position or --after",
        ));
    }
    let diagram = if numbered { Diagram::of_game(&game) } else { position(args, &game)? };
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
fn position(args: &DiagramArgs, game: &Board) -> Result<Diagram> {
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
    Ok(diagram)
}
