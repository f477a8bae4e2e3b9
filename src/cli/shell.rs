//! `umigame completions` and `umigame man`: what a shell and its user read about the commands.

use std::io::Write;

use anyhow::Result;
use clap_complete::generate;
use clap_mangen::Man;
use umigame_othello::text::quote;
use umigame_support::exit::{Exit, bad_input};

use super::args::{Cli, CompletionsArgs, ManArgs};

pub(super) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> Result<Exit> {
    // The generator panics where it cannot write.
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::definition(), "umigame", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}

pub(super) fn man(args: &ManArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut command = Cli::definition();
    command.build();
    let mut name = command.get_name().to_owned();
    for word in &args.commands {
        let Some(inner) = command.find_subcommand(word) else {
            return Err(bad_input(format!("`{}` is no command of {name}", quote(word))));
        };
        command = inner.clone();
        name = format!("{name} {word}");
    }
    // The first line alone: a faster build is no matter of the manual.
    let version = format!("umigame {}", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(version).render(out)?;
    Ok(Exit::Done)
}
