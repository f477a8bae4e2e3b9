//! `umigame completions` and `umigame man`: what a shell and its user read about the commands.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use umigame_othello::text::quote;
use umigame_support::exit::{Exit, bad_input};

use super::args::Cli;

/// Print the completions of a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame completions bash > ~/.local/share/bash-completion/completions/umigame
  umigame completions fish > ~/.config/fish/completions/umigame.fish
  umigame completions zsh > ~/.zfunc/_umigame")]
pub(super) struct CompletionsArgs {
    /// Shell
    shell: Shell,
}

/// Print the manual page of umigame or of a command
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame man > ~/.local/share/man/man1/umigame.1
  umigame man hint | man -l -")]
pub(super) struct ManArgs {
    /// Command, and the command under it: hint, book import
    commands: Vec<String>,
}

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
