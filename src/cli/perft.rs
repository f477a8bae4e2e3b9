//! `umigame perft`: counts the move sequences of every depth, and their speed.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use umigame_othello::{Board, PassRule, Position, kernels, perft, perft_mailbox};

use super::args::PerftArgs;
use umigame_support::exit::Exit;

pub(super) fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<Exit> {
    let rule = if args.pass_free { PassRule::Free } else { PassRule::CostsPly };
    let board = if args.mailbox { "mailbox" } else { kernels::NAME };
    let convention = if args.pass_free { "is free" } else { "costs a ply" };
    writeln!(out, "# board: {board}; a forced pass {convention}")?;
    writeln!(out, "# depth sequences seconds millions/s")?;
    for depth in 1..=args.depth {
        let start = Instant::now();
        let count = if args.mailbox {
            perft_mailbox(&mut Board::start(), depth, rule)
        } else {
            perft(Position::START, depth, rule)
        };
        let seconds = start.elapsed().as_secs_f64();
        let speed = count as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "{depth} {count} {seconds:.3} {speed:.1}")?;
        out.flush()?;
    }
    Ok(Exit::Done)
}
