//! `umigame match`: engines against each other, by [`umigame_arena`].

use std::collections::HashSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::ProgressBar;
use umigame_arena::openings::{self, Opening};
use umigame_arena::{
    EngineConfig, EngineLimits, EngineProtocol, GameLine, GameTime, MatchError, MatchFolder,
    MatchPlan, MatchRunner, PairingScheme, ProcessRegistry, ResumedMatch, Seconds, Sprt,
    SprtMeasure, SprtVerdict, Standings, distinguish_names, plot, report,
};
use umigame_othello::formats::transcript;
use umigame_support::exit::{Exit, bad_input, complain, shown};
use umigame_support::{files, interrupt, progress};

use super::position;

/// Largest size of a TOML file with engines.
const MAX_ENGINES_BYTES: u64 = 1 << 20;
/// Time per move of `--self` when no limit is given.
const SELF_MOVE_TIME: Duration = Duration::from_millis(100);

/// Play matches between engines that speak NBoard or GTP, with statistics
///
/// Every opening is played twice with colours swapped. Wins, discs and Elo are those of the first
/// engine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame match --self ./umigame-old --games 400 -j 2
  umigame match 'umigame nboard' gtp-rhino --openings xot.txt --level 6 --out rhino
  umigame match '[name=deep depth=8] umigame nboard' '[depth=6] umigame gtp'
  umigame match engines.toml --round-robin --game-time 60+0.5 --out cup
  umigame match --resume cup

An engine is a command line, with settings in brackets before it if needed, or a TOML file with
[[engine]] tables. Settings: name, folder, protocol (nboard, gtp, auto), move_time, game_time,
depth, level, nodes, margin, bank, whole_seconds, passes (explicit, implicit, auto); in TOML also
command, env, options, and start (lines sent after the start).

An interrupt ends the match with exit code 130; with --out, --resume continues it.")]
pub(super) struct MatchArgs {
    /// Engines: command lines or TOML files
    #[arg(value_name = "ENGINE", conflicts_with = "resume")]
    engines: Vec<String>,

    /// Match this binary against another build of it
    #[arg(long = "self", value_name = "OLD_BINARY", conflicts_with_all = ["engines", "resume"])]
    old: Option<PathBuf>,

    /// Games in each pairing; an odd number is rounded up
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    /// Pair every engine with every other instead of the first with the others
    #[arg(long)]
    round_robin: bool,

    /// Openings, one per line: moves (XOT lists), or positions (OBF)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Shuffle the openings of the file; the order depends on the seed
    #[arg(long, requires = "openings")]
    shuffle: bool,

    /// Random moves at the start of a game when no openings are given
    #[arg(long, value_name = "COUNT", default_value_t = 8, conflicts_with = "openings",
          value_parser = clap::value_parser!(u32).range(1..=40))]
    random_plies: u32,

    /// Seed of all random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Time per move: 0.1 (seconds), 100ms, 2m
    #[arg(long, value_name = "TIME", conflicts_with = "game_time")]
    move_time: Option<Seconds>,

    /// Time per game, and increment per move: 60, 60+0.5, 1h
    #[arg(long, value_name = "MAIN+INCREMENT")]
    game_time: Option<GameTime>,

    /// Depth in plies
    #[arg(long, value_name = "1-60", conflicts_with = "level",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Level, on each engine's own scale
    #[arg(long, value_name = "NUMBER")]
    level: Option<u32>,

    /// Nodes per move
    #[arg(long, value_name = "COUNT")]
    nodes: Option<u64>,

    /// Tolerance beyond a clock
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: Seconds,

    /// Time to wait for an answer of an engine without a clock
    #[arg(long, value_name = "TIME", default_value = "60s")]
    patience: Seconds,

    /// Time that an engine may take to start
    #[arg(long, value_name = "TIME", default_value = "60s")]
    start_patience: Seconds,

    /// Games played at once; each needs a core of its own
    #[arg(short = 'j', long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,

    /// Bind the engines of each game to a core, and stop the one that is not to move (Linux)
    #[arg(long)]
    pin: bool,

    /// Stop when a sequential test accepts an Elo of LOW or HIGH, such as 0,5
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Stop when a sequential test accepts LOW or HIGH discs per game, such as 0,0.5
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_bounds, allow_hyphen_values = true,
          conflicts_with = "sprt")]
    sprt_discs: Option<(f64, f64)>,

    /// Error rate of the sequential test: HIGH accepted when LOW is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,

    /// Error rate of the sequential test: LOW accepted when HIGH is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,

    /// Keep games (GGF, JSON Lines), stderr, plot and summary in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Resume the match of this folder
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,

    /// Plot the course of the match into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Reads two numbers, the lower one first.
fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text.split_once(',').and_then(|(low, high)| {
        Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
    });
    match bounds {
        Some((low, high)) if low < high && low.is_finite() && high.is_finite() => Ok((low, high)),
        _ => Err("expected two numbers, the lower one first, such as 0,5".to_owned()),
    }
}

/// A match as it begins or goes on.
struct OpenMatch {
    plan: MatchPlan,
    folder: Option<MatchFolder>,
    /// Games played before.
    games: Vec<GameLine>,
}

pub(super) fn run(args: &MatchArgs, out: &mut dyn Write) -> Result<Exit> {
    let OpenMatch { plan, mut folder, games } = open(args)?;
    let mut standings = Standings::new(&plan);
    games.iter().for_each(|line| standings.add(line));
    let registry = Arc::new(ProcessRegistry::default());
    // Engines lead process groups of their own: an interrupt of the terminal does not reach them.
    let stopping = Arc::clone(&registry);
    interrupt::on_interrupt(move || stopping.stop())?;
    let stderr_folder = folder.as_ref().map(|folder| folder.path().to_path_buf());
    let runner = match MatchRunner::new(&plan, &registry, stderr_folder) {
        Err(_) if registry.is_stopping() => {
            return Ok(interrupted(&standings, folder.as_ref()));
        }
        runner => runner.map_err(|error| explain(error, true))?,
    };
    for engine in runner.engines() {
        log::info!("{}: {:?}, {}", engine.name, engine.protocol, engine.limits);
    }
    let bar = progress_bar(&standings);
    let played: HashSet<usize> = games.iter().map(|line| line.game).collect();
    let result = runner.run(&played, |line| {
        if let Some(folder) = &mut folder {
            folder.add(&line)?;
        }
        standings.add(&line);
        show(&bar, &standings, &line);
        Ok(is_undecided(&standings))
    });
    bar.finish_and_clear();
    finish(args, &plan, &standings, folder.as_ref(), out)?;
    result.map_err(|error| explain(error, false))?;
    if registry.is_stopping() {
        return Ok(interrupted(&standings, folder.as_ref()));
    }
    Ok(Exit::Done)
}

/// Opens the match of `--resume`, or begins a new one.
fn open(args: &MatchArgs) -> Result<OpenMatch> {
    let wrong = |error| explain(error, true);
    if let Some(path) = &args.resume {
        let ResumedMatch { folder, plan, games } = MatchFolder::resume(path).map_err(wrong)?;
        return Ok(OpenMatch { plan, folder: Some(folder), games });
    }
    let plan = plan(args)?;
    // The check comes before anything is written.
    plan.check().map_err(wrong)?;
    let folder = args.out.as_deref().map(|path| MatchFolder::create(path, &plan)).transpose();
    Ok(OpenMatch { folder: folder.map_err(wrong)?, plan, games: Vec::new() })
}

/// Says how an interrupted match can be resumed.
fn interrupted(standings: &Standings, folder: Option<&MatchFolder>) -> Exit {
    let how = folder.map_or(String::new(), |folder| {
        format!("; to go on: umigame match --resume {}", shown(folder.path()))
    });
    complain(&format!("interrupted after {} games{how}", standings.games()));
    Exit::Interrupted
}

fn is_undecided(standings: &Standings) -> bool {
    standings.test().is_none_or(|test| test.verdict == SprtVerdict::Open)
}

/// Turns an error into one of bad input, if the user's input may be its cause. A full disk is not.
fn explain(error: MatchError, may_be_input: bool) -> anyhow::Error {
    let is_input = match &error {
        MatchError::Records { error, .. } => {
            matches!(
                error.kind(),
                ErrorKind::AlreadyExists | ErrorKind::NotFound | ErrorKind::ResourceBusy
            )
        }
        _ => true,
    };
    if is_input && may_be_input { bad_input(error) } else { error.into() }
}

fn plan(args: &MatchArgs) -> Result<MatchPlan> {
    let pairs = args.games.div_ceil(2) as usize;
    let test =
        |measure, (low, high)| Sprt { measure, low, high, alpha: args.alpha, beta: args.beta };
    let plan = MatchPlan {
        engines: engines(args)?,
        scheme: if args.round_robin { PairingScheme::RoundRobin } else { PairingScheme::Gauntlet },
        pairs,
        openings: openings(args, pairs)?,
        concurrency: args.concurrency as usize,
        pin: args.pin,
        margin: args.margin,
        patience: args.patience,
        start_patience: args.start_patience,
        sprt: (args.sprt.map(|bounds| test(SprtMeasure::Elo, bounds)))
            .or(args.sprt_discs.map(|bounds| test(SprtMeasure::Discs, bounds))),
    };
    if plan.openings.len() < pairs {
        log::warn!(
            "{} openings for {pairs} pairs of games: they repeat, and so do the games of \
             deterministic engines",
            plan.openings.len()
        );
    }
    let cores = umigame_engine::processors();
    if plan.concurrency > cores {
        log::warn!("{} games at once on {cores} cores: clocks are unfair", plan.concurrency);
    }
    Ok(plan)
}

/// Returns the engines, with limits and distinct names.
fn engines(args: &MatchArgs) -> Result<Vec<EngineConfig>> {
    let mut engines = match &args.old {
        Some(old) => this_and_old_binary(old)?,
        None => read_engines(&args.engines)?,
    };
    let mut limits = EngineLimits {
        move_time: args.move_time,
        game_time: args.game_time,
        depth: args.depth,
        level: args.level,
        nodes: args.nodes,
    };
    if limits.is_none() && args.old.is_some() {
        limits.move_time = Some(Seconds(SELF_MOVE_TIME));
    }
    for engine in &mut engines {
        // An engine's own limits replace those of the match.
        if engine.limits.is_none() {
            engine.limits = limits;
        }
        if args.old.is_some() {
            add_limits_to_command(engine);
        }
    }
    distinguish_names(&mut engines);
    Ok(engines)
}

/// Returns the path of this binary. One that runs from memory has no path but that of the system.
fn this_binary() -> Result<PathBuf> {
    let path = std::env::current_exe().context("finding this binary")?;
    Ok(if path.exists() { path } else { PathBuf::from("/proc/self/exe") })
}

/// Returns this binary and an old one, over NBoard, which reports evals.
fn this_and_old_binary(old: &Path) -> Result<Vec<EngineConfig>> {
    let new = this_binary()?;
    let engine = |name: &str, program: &Path| EngineConfig {
        name: name.to_string(),
        command: vec![program.to_string_lossy().into_owned(), "nboard".to_string()],
        protocol: EngineProtocol::Nboard,
        ..EngineConfig::default()
    };
    // A program without a folder would be looked up on the path.
    let old = std::path::absolute(old).context("finding the old binary")?;
    Ok(vec![engine("new", &new), engine("old", &old)])
}

/// Adds umigame's options for the limits: the binaries may have any name, so that the runner does
/// not recognise them.
fn add_limits_to_command(engine: &mut EngineConfig) {
    for (name, _) in engine.limits.by_name() {
        let option = format!("--{}", name.replace('_', "-"));
        engine.command.extend([option, format!("{{{name}}}")]);
    }
}

fn read_engines(texts: &[String]) -> Result<Vec<EngineConfig>> {
    let mut engines = Vec::new();
    for text in texts {
        let path = Path::new(text);
        if path.extension().is_some_and(|extension| extension == "toml") {
            let wrong = |why: &dyn std::fmt::Display| bad_input(format!("{}: {why}", shown(path)));
            let file =
                files::text_at_most(path, MAX_ENGINES_BYTES).map_err(|error| wrong(&error))?;
            let base = path.parent().unwrap_or(Path::new(""));
            let read = EngineConfig::parse_toml(&file, base).map_err(|error| wrong(&error))?;
            engines.extend(read);
        } else {
            engines.push(EngineConfig::parse(text).map_err(bad_input)?);
        }
    }
    Ok(engines)
}

/// Returns the transcripts of at most `pairs` openings.
fn openings(args: &MatchArgs, pairs: usize) -> Result<Vec<String>> {
    let mut openings = match &args.openings {
        Some(path) => position::read_openings(path)?,
        None => openings::random(args.random_plies as usize, pairs, args.seed)
            .map_err(|error| bad_input(format!("--random-plies: {error}")))?,
    };
    if args.shuffle {
        openings::shuffle(&mut openings, args.seed);
    }
    let text = |opening: &Opening| transcript::text(&opening.record);
    Ok(openings.iter().take(pairs).map(text).collect())
}

/// Writes plot and summary into the folder and the file asked for, and the summary to `out`.
fn finish(
    args: &MatchArgs,
    plan: &MatchPlan,
    standings: &Standings,
    folder: Option<&MatchFolder>,
    out: &mut dyn Write,
) -> Result<()> {
    let json = report::json(plan, standings);
    if args.plot.is_some() || folder.is_some() {
        let plot = plot::svg(standings).map_err(anyhow::Error::msg).context("drawing")?;
        if let Some(folder) = folder {
            folder.write("plot.svg", &plot)?;
            folder.write("summary.json", &format!("{json:#}\n"))?;
        }
        if let Some(path) = &args.plot {
            files::replace(path, plot.as_bytes()).with_context(|| shown(path))?;
        }
    }
    if args.json {
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{}", report::text(plan, standings))?;
    }
    Ok(())
}

/// Starts the progress bar of a match, on a terminal.
fn progress_bar(standings: &Standings) -> ProgressBar {
    let bar = progress::bar(Some(standings.schedule.games() as u64), "games");
    // Games before a resume say nothing about the speed.
    bar.set_position(standings.games());
    bar.reset_eta();
    bar.set_message(format!("\n{}", report::table(standings)));
    bar
}

/// Shows a finished game: in the bar, or as a line of standard error where there is none.
fn show(bar: &ProgressBar, standings: &Standings, line: &GameLine) {
    let text = game_text(standings, line);
    if bar.is_hidden() {
        // The match goes on when stderr cannot be written.
        let _ = writeln!(std::io::stderr(), "{text}");
        return;
    }
    if line.forfeit.is_some() {
        bar.println(text);
    }
    bar.set_message(format!("\n{}", report::table(standings)));
    bar.set_position(standings.games());
}

fn game_text(standings: &Standings, line: &GameLine) -> String {
    let (played, all) = (standings.games(), standings.schedule.games());
    let GameLine { game, black, white, score, .. } = line;
    let mut text = format!("{played}/{all} game {game}: {black} - {white} {score:+}");
    if let Some(forfeit) = &line.forfeit {
        let loser = [black, white][forfeit.loser.index()];
        text.push_str(&format!("; {loser} {}: {}", forfeit.kind.label(), forfeit.why));
    }
    text
}
