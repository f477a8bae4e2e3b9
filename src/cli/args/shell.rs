//! Arguments of `umigame completions` and `umigame man`.

use clap::Args;
use clap_complete::Shell;

/// Print the completions of a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame completions bash > ~/.local/share/bash-completion/completions/umigame
  umigame completions fish > ~/.config/fish/completions/umigame.fish
  umigame completions zsh > ~/.zfunc/_umigame")]
pub(in crate::cli) struct CompletionsArgs {
    /// Shell
    pub shell: Shell,
}

/// Print the manual page of umigame or of a command
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame man > ~/.local/share/man/man1/umigame.1
  umigame man hint | man -l -")]
pub(in crate::cli) struct ManArgs {
    /// Command, and the command under it: hint, book import
    pub commands: Vec<String>,
}
