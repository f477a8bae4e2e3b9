//! `umigame-lab kernels`: time per call of the board kernels.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use umigame::bench::parse_runs;
use umigame_lab::measure::measure_kernels;
use umigame_othello::kernels;
use umigame_support::exit::Exit;

/// Time the board kernels of this build against the portable ones
#[derive(Args, Debug)]
pub(super) struct KernelsArgs {
    /// Repeat each measurement and report the median
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = parse_runs)]
    runs: usize,
}

pub(super) fn run(args: &KernelsArgs, out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "# {} kernels, median of {} runs, ns a call", kernels::NAME, args.runs)?;
    writeln!(out, "# kernel          chosen  portable   ratio")?;
    measure_kernels(args.runs, |row| -> Result<()> {
        let ratio = row.ratio();
        writeln!(out, "{:16} {:7.2} {:9.2} {ratio:7.2}", row.name, row.chosen, row.portable)?;
        Ok(out.flush()?)
    })?;
    Ok(Exit::Done)
}
