//! The help of `umigame` without a command: its commands in groups, and the options of all of them.

/// Headings, and the names of the commands under them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["serve", "play", "nboard", "gtp", "levels"]),
    ("Positions and games", &["hint", "explain", "solve", "analyze", "diagram", "convert"]),
    ("Books, matches, weights", &["book", "match", "learn"]),
    ("Checks of the engine", &["bench", "perft"]),
    ("For the shell", &["completions", "man"]),
];

/// Gives the root command its help. Options that it shares with `nboard` and `play` are left out.
pub(super) fn grouped(command: clap::Command) -> clap::Command {
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{heading}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {name:11}  {about}\n");
        }
        groups.push('\n');
    }
    command
        .mut_args(|option| {
            let is_common = option.is_global_set();
            option.hide(!is_common)
        })
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Common:\n{{options}}{{after-help}}"
        ))
        .override_usage("umigame [COMMAND] [OPTIONS]")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let definition = super::super::Cli::command();
        let mut commands: Vec<&str> =
            definition.get_subcommands().map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        commands.sort_unstable();
        assert_eq!(grouped, commands);
    }
}
