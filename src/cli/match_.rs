//! `umigame match`: engines against each other. The work is in
//! [`umigame_lab::arena`]; here are its options, its progress and its files.

use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use umigame_lab::arena::config::{self, EngineConfig, GameTime, Limits, Seconds};
use umigame_lab::arena::folder::Folder;
use umigame_lab::arena::openings::{self, Opening};
use umigame_lab::arena::plot;
use umigame_lab::arena::process::Registry;
use umigame_lab::arena::record::GameLine;
use umigame_lab::arena::report;
use umigame_lab::arena::runner::{Match, MatchError, Runner, protocol_name};
use umigame_lab::arena::schedule::Shape;
use umigame_lab::arena::sprt::{Measure, Sprt, Verdict};
use umigame_lab::arena::standings::Standings;
use umigame_lab::files;
use umigame_othello::game::transcript;

use super::{Outcome, bad_input, complain, interrupt, position, shown};

/// Time a move where a binary is matched against another and nothing is said.
const SELF_MOVE_TIME: Duration = Duration::from_millis(100);

/// Play matches between engines that speak NBoard or GTP, and measure them
///
/// Every opening is played twice with colours swapped. The first engine's
/// view is taken: its wins, its discs, its Elo.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame match --self ./umigame-old --games 400 -j 2
  umigame match 'umigame nboard' gtp-rhino --openings xot.txt --level 6 --out rhino
  umigame match '[name=deep depth=8] umigame nboard' '[depth=6] umigame gtp'
  umigame match engines.toml --round-robin --game-time 60+0.5 --out cup
  umigame match --resume cup

An engine is a command line, with settings before it in brackets if need be,
or a TOML file with [[engine]] tables. Settings: name, folder, protocol
(nboard, gtp, auto), move_time, game_time, depth, level, nodes, margin, bank,
whole_seconds, passes (explicit, implicit, auto); in TOML also command, env,
options and start (lines sent at the start).")]
pub(super) struct MatchArgs {
    /// The engines: command lines or TOML files
    #[arg(value_name = "ENGINE", conflicts_with = "resume")]
    engines: Vec<String>,

    /// This binary against another build of it
    #[arg(long = "self", value_name = "OLD_BINARY", conflicts_with_all = ["engines", "resume"])]
    old: Option<PathBuf>,

    /// Games in each pairing; an odd number is rounded up
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    /// Everybody against everybody, instead of the first against the others
    #[arg(long)]
    round_robin: bool,

    /// Openings, one a line: moves (XOT lists), or positions (OBF)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Play the openings of the file in an order that depends on the seed
    #[arg(long, requires = "openings")]
    shuffle: bool,

    /// Random moves that begin a game where no openings are given
    #[arg(long, value_name = "COUNT", default_value_t = 8, conflicts_with = "openings",
          value_parser = clap::value_parser!(u32).range(1..=40))]
    random_plies: u32,

    /// Seed of everything that is random
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Time for a move: 0.1 (seconds), 100ms, 2m
    #[arg(long, value_name = "TIME", conflicts_with = "game_time")]
    move_time: Option<Seconds>,

    /// Time for a game, and what each move adds: 60, 60+0.5
    #[arg(long, value_name = "MAIN+INCREMENT")]
    game_time: Option<GameTime>,

    /// Plies to search
    #[arg(long, value_name = "1-60", conflicts_with = "level",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Level of the engines, as each of them counts levels
    #[arg(long, value_name = "NUMBER")]
    level: Option<u32>,

    /// Positions a move
    #[arg(long, value_name = "COUNT")]
    nodes: Option<u64>,

    /// Time over a clock that is forgiven
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: Seconds,

    /// How long an answer is waited for where no clock runs
    #[arg(long, value_name = "TIME", default_value = "60s")]
    patience: Seconds,

    /// How long an engine may take to start
    #[arg(long, value_name = "TIME", default_value = "60s")]
    start_patience: Seconds,

    /// Games at once; each should have a core of its own
    #[arg(short = 'j', long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,

    /// Bind the engines of each game to a core of its own (Linux)
    #[arg(long)]
    pin: bool,

    /// Stop when the Elo is known to be LOW or HIGH: 0,5
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Stop when the discs a game are known to be LOW or HIGH: 0,0.5
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_bounds, allow_hyphen_values = true,
          conflicts_with = "sprt")]
    sprt_discs: Option<(f64, f64)>,

    /// How often a sequential test may accept HIGH where LOW is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,

    /// How often a sequential test may accept LOW where HIGH is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,

    /// Keep games (GGF, JSON Lines), stderr, plot and summary in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Go on with the match of this folder
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,

    /// Draw the course of the match into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text.split_once(',').and_then(|(low, high)| {
        Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
    });
    match bounds {
        Some((low, high)) if low < high && low.is_finite() && high.is_finite() => Ok((low, high)),
        _ => Err("expected two numbers, the lower one first, such as 0,5".to_owned()),
    }
}

pub(super) fn run(args: &MatchArgs, out: &mut dyn Write) -> Result<Outcome> {
    let (plan, mut folder, done) = match &args.resume {
        Some(path) => {
            let (folder, plan, done) =
                Folder::resume(path).map_err(|error| explain(error, true))?;
            (plan, Some(folder), done)
        }
        None => {
            let plan = plan(args)?;
            // Before anything is written: what does not fit, does not begin.
            plan.check().map_err(|error| explain(error, true))?;
            let folder = args.out.as_deref().map(|path| Folder::create(path, &plan)).transpose();
            (plan, folder.map_err(|error| explain(error, true))?, Vec::new())
        }
    };
    let mut standings = Standings::new(&plan);
    done.iter().for_each(|line| standings.add(line));
    let registry = Arc::new(Registry::default());
    // Engines lead process groups of their own: an interrupt of the terminal does not reach them.
    let stopping = Arc::clone(&registry);
    interrupt::on_interrupt(move || stopping.stop())?;
    let stderr_folder = folder.as_ref().map(|folder| folder.path().to_path_buf());
    let runner = match Runner::new(&plan, &registry, stderr_folder) {
        Err(_) if registry.stopping() => {
            return Ok(interrupted(&standings, folder.as_ref()));
        }
        runner => runner.map_err(|error| explain(error, true))?,
    };
    for engine in runner.engines() {
        log::info!("{}: {}, {}", engine.name, protocol_name(engine), engine.limits());
    }
    let progress = Progress::new(&standings);
    let played: HashSet<usize> = done.iter().map(|line| line.game).collect();
    let result = runner.run(&played, |line| {
        if let Some(folder) = &mut folder {
            folder.add(&line)?;
        }
        standings.add(&line);
        progress.show(&standings, &line);
        Ok(undecided(&standings))
    });
    progress.end();
    finish(args, &plan, &standings, folder.as_ref(), out)?;
    result.map_err(|error| explain(error, false))?;
    if registry.stopping() {
        return Ok(interrupted(&standings, folder.as_ref()));
    }
    Ok(Outcome::Done)
}

/// Says how an interrupted match can go on.
fn interrupted(standings: &Standings, folder: Option<&Folder>) -> Outcome {
    let how = folder.map_or(String::new(), |folder| {
        format!("; to go on: umigame match --resume {}", shown(folder.path()))
    });
    complain(&format!("interrupted after {} games{how}", standings.games()));
    Outcome::Interrupted
}

fn undecided(standings: &Standings) -> bool {
    standings.test().is_none_or(|(_, verdict, _)| verdict == Verdict::Open)
}

/// What the user gave is the reason where `given`; a disk is nobody's.
fn explain(error: MatchError, given: bool) -> anyhow::Error {
    match error {
        MatchError::Records { .. }
            if !matches!(&error, MatchError::Records { error, .. }
            if matches!(error.kind(), std::io::ErrorKind::AlreadyExists | std::io::ErrorKind::NotFound)) =>
        {
            error.into()
        }
        error if given => bad_input(error),
        error => error.into(),
    }
}

fn plan(args: &MatchArgs) -> Result<Match> {
    let mut engines = match &args.old {
        Some(old) => self_match(old)?,
        None => read_engines(&args.engines)?,
    };
    let mut limits = Limits {
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
        engine.limit_by_default(limits);
        if args.old.is_some() {
            tell_limits_in_command(engine);
        }
    }
    config::distinguish(&mut engines);
    let pairs = args.games.div_ceil(2) as usize;
    let mut openings = read_openings(args, pairs)?;
    if openings.len() < pairs {
        log::warn!(
            "{} openings for {pairs} pairs of games: they repeat, and engines that \
             always play alike repeat their games",
            openings.len()
        );
    }
    openings.truncate(pairs);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if args.concurrency as usize > cores {
        log::warn!("{} games at once on {cores} cores: clocks will be unfair", args.concurrency);
    }
    let test =
        |measure, (low, high)| Sprt { measure, low, high, alpha: args.alpha, beta: args.beta };
    Ok(Match {
        engines,
        shape: if args.round_robin { Shape::RoundRobin } else { Shape::Gauntlet },
        pairs,
        openings: openings.iter().map(|opening| transcript::text(&opening.record)).collect(),
        concurrency: args.concurrency as usize,
        pin: args.pin,
        margin: args.margin,
        patience: args.patience,
        start_patience: args.start_patience,
        sprt: (args.sprt.map(|bounds| test(Measure::Elo, bounds)))
            .or(args.sprt_discs.map(|bounds| test(Measure::Discs, bounds))),
    })
}

/// This binary and the old one, over NBoard, which tells evaluations.
fn self_match(old: &Path) -> Result<Vec<EngineConfig>> {
    let new = std::env::current_exe().context("finding this binary")?;
    let engine = |name: &str, program: &Path| EngineConfig {
        name: name.to_string(),
        command: vec![program.to_string_lossy().into_owned(), "nboard".to_string()],
        protocol: config::Protocol::Nboard,
        ..EngineConfig::default()
    };
    // Without a folder in it, a program would be looked for on the path.
    let old = std::path::absolute(old).context("finding the old binary")?;
    Ok(vec![engine("new", &new), engine("old", &old)])
}

/// Binaries may be called anything here, so their options are written out.
fn tell_limits_in_command(engine: &mut EngineConfig) {
    let given = [
        ("depth", engine.depth.is_some()),
        ("level", engine.level.is_some()),
        ("nodes", engine.nodes.is_some()),
        ("move_time", engine.move_time.is_some()),
    ];
    for (name, _) in given.iter().filter(|(_, is_given)| *is_given) {
        let option = format!("--{}", name.replace('_', "-"));
        engine.command.extend([option, format!("{{{name}}}")]);
    }
}

fn read_engines(texts: &[String]) -> Result<Vec<EngineConfig>> {
    let mut engines = Vec::new();
    for text in texts {
        let path = Path::new(text);
        if path.extension().is_some_and(|extension| extension == "toml") {
            let file = std::fs::read_to_string(path)
                .map_err(|error| bad_input(format!("{text}: {error}")))?;
            let base = path.parent().unwrap_or(Path::new(""));
            let read = EngineConfig::parse_toml(&file, base)
                .map_err(|error| bad_input(format!("{text}: {error}")))?;
            engines.extend(read);
        } else {
            engines.push(EngineConfig::parse(text).map_err(bad_input)?);
        }
    }
    Ok(engines)
}

fn read_openings(args: &MatchArgs, pairs: usize) -> Result<Vec<Opening>> {
    let Some(path) = &args.openings else {
        return openings::random(args.random_plies as usize, pairs, args.seed)
            .map_err(|error| bad_input(format!("--random-plies: {error}")));
    };
    let mut openings = position::read_openings(path)?;
    if args.shuffle {
        openings::shuffle(&mut openings, args.seed);
    }
    Ok(openings)
}

/// Plot and summary: into the folder, where asked for, and on stdout.
fn finish(
    args: &MatchArgs,
    plan: &Match,
    standings: &Standings,
    folder: Option<&Folder>,
    out: &mut dyn Write,
) -> Result<()> {
    let json = report::json(plan, standings);
    if args.plot.is_some() || folder.is_some() {
        let picture = plot::svg(standings).map_err(anyhow::Error::msg).context("drawing")?;
        if let Some(folder) = folder {
            folder.write("plot.svg", &picture)?;
            folder.write("summary.json", &format!("{json:#}\n"))?;
        }
        if let Some(path) = &args.plot {
            files::replace(path, picture.as_bytes()).with_context(|| shown(path))?;
        }
    }
    if args.json {
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{}", report::text(plan, standings))?;
    }
    Ok(())
}

/// On a terminal a table that is always up to date, else a line a game; both
/// on stderr.
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(standings: &Standings) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { bar: None };
        }
        let bar = ProgressBar::new(standings.schedule.games() as u64);
        let style = ProgressStyle::with_template(
            "{pos}/{len} games in {elapsed}, {eta} to go [{bar:30}]\n{msg}",
        );
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()).progress_chars("=> "));
        // Games before a resume say nothing of the speed.
        bar.set_position(standings.games());
        bar.reset_eta();
        bar.set_message(report::table(standings));
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress { bar: Some(bar) }
    }

    fn show(&self, standings: &Standings, line: &GameLine) {
        let text = game_text(standings, line);
        match &self.bar {
            Some(bar) => {
                if line.forfeit.is_some() {
                    bar.println(text);
                }
                bar.set_message(report::table(standings));
                bar.set_position(standings.games());
            }
            // Nobody may be reading any more.
            None => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn game_text(standings: &Standings, line: &GameLine) -> String {
    let mut text = format!(
        "{}/{} game {}: {} - {} {:+}",
        standings.games(),
        standings.schedule.games(),
        line.game,
        line.black,
        line.white,
        line.score
    );
    if let Some(forfeit) = &line.forfeit {
        let loser = match forfeit.loser {
            umigame_lab::arena::record::Side::Black => &line.black,
            umigame_lab::arena::record::Side::White => &line.white,
        };
        text.push_str(&format!("; {loser} {}: {}", forfeit.failing.label(), forfeit.why));
    }
    text
}
