//! The engine of an instance, and its answers to requests.

use serde::Serialize;
use umigame_analysis::Analysis;
use umigame_analysis::layers::LayersRecord;
use umigame_analysis::levels::LevelRecord;
use umigame_analysis::pasted::PastedRecord;
use umigame_engine::{
    Engine, EngineOptions, Evaluation, Limits, Megabytes, ParseStrengthError, Strength, WeakLevel,
    WeakOptions, WeakPlayer,
};
use umigame_eval::kernels;
use umigame_othello::formats::{pasted, transcript};
use umigame_othello::{Eval, PassRule, Position, parse_position, perft};

use crate::host::{Host, HostListener};
use crate::replies::Fault;
use crate::requests::{PlayRequest, Request};
use crate::{check, replies};

/// Deepest perft: the next takes minutes, and nothing can stop it.
const MAX_PERFT_DEPTH: u32 = 12;
/// Maximum rounds of a check of the kernels.
const MAX_CHECK_ROUNDS: u32 = 1_000_000;

/// An engine that answers requests.
#[derive(Debug)]
pub struct Service {
    engine: Engine,
    weak: WeakPlayer,
}

/// The engine in figures.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    hash_mb: usize,
    kernels: &'static str,
    weights: String,
}

impl Service {
    /// Unpacks the weights and makes an engine of one thread.
    ///
    /// # Errors
    /// A sentence about weights that are damaged, or a table that the memory has no room for.
    pub fn new(weights: &[u8], hash_mb: usize) -> Result<Service, String> {
        let evaluation = Evaluation::from_bytes(weights).map_err(|error| error.to_string())?;
        let options = EngineOptions { hash: Megabytes(hash_mb), threads: 1 };
        let engine = Engine::new(evaluation, options).map_err(|error| error.to_string())?;
        let weak = WeakPlayer::new(engine.evaluation().clone());
        Ok(Service { engine, weak })
    }

    /// Returns the reply that describes the engine.
    pub fn info(&self) -> String {
        replies::json(&Info {
            hash_mb: self.engine.hash_size().0,
            kernels: kernels::NAME,
            weights: format!("{:08x}", self.engine.evaluation().checksum()),
        })
    }

    /// Chooses a move to play.
    fn play(&mut self, request: PlayRequest, host: &dyn Host) -> Result<String, String> {
        let PlayRequest { position, limits, name, seed, error, max_error } = request;
        let position = read_position(&position)?;
        let level = name.as_deref().map(named).transpose()?;
        let weakness = WeakOptions { level, error, max_error }.weakness();
        let (weakness, stated) = (weakness.map_err(|why| why.to_string())?, limits.options()?);
        let listener = HostListener::new(host, false);
        let report = match weakness {
            None => self.engine.search(position, &stated.limits(), &listener),
            Some(weakness) => {
                let limits = weakness.limits(&stated);
                let found = self.weak.choose(position, &limits, &weakness, seed, &listener);
                found.map_err(|fault| fault.to_string())?
            }
        };
        Ok(replies::report(&report))
    }

    /// Judges a game, from its end. Each judgement is reported with all before it.
    fn analyze(&mut self, game: &str, limits: &Limits, host: &dyn Host) -> Result<String, String> {
        let record = transcript::parse(game).map_err(|error| error.to_string())?;
        let mut search = |position, limits: &Limits| {
            // A short search may never ask.
            if !host.go_on() {
                return None;
            }
            let listener = HostListener::new(host, false);
            let report = self.engine.search(position, limits, &listener);
            (!listener.is_stopped()).then_some(report)
        };
        let json = |analysis: &Analysis| umigame_analysis::json(analysis, None, 1);
        let mut grown = |analysis: &Analysis| host.report(&json(analysis));
        let analysis = Analysis::of_game(record, limits, &mut search, &mut grown);
        analysis.map(|analysis| json(&analysis)).map_err(|error| error.to_string())
    }
}

/// Answers a request; what asks no engine needs none.
pub fn serve(service: Option<&mut Service>, request: &[u8], host: &dyn Host) -> String {
    let request = serde_json::from_slice(request).map_err(|error| Fault::from(error.to_string()));
    request.and_then(|request| answer(service, request, host)).unwrap_or_else(replies::error)
}

fn answer(
    service: Option<&mut Service>,
    request: Request,
    host: &dyn Host,
) -> Result<String, Fault> {
    let opened = || service.ok_or_else(|| "there is no engine yet: call open first".to_owned());
    match request {
        Request::Search { position, limits } => {
            let limits = limits.options()?.limits();
            let position = read_position(&position)?;
            let listener = HostListener::new(host, true);
            Ok(replies::report(&opened()?.engine.search(position, &limits, &listener)))
        }
        Request::Play(request) => Ok(opened()?.play(request, host)?),
        Request::Levels {} => Ok(replies::json(&LevelRecord::all())),
        Request::Read { text } => Ok(replies::json(&PastedRecord::from(pasted::read(&text)?))),
        Request::Layers { position } => {
            let (position, side) = parse_position(&position).map_err(|error| error.to_string())?;
            Ok(replies::json(&LayersRecord::of(position, side)))
        }
        Request::Diagram(request) => Ok(replies::json(&request.svg()?)),
        Request::Analyze { game, limits } => {
            Ok(opened()?.analyze(&game, &limits.options()?.limits(), host)?)
        }
        Request::Evaluate { position } => {
            let position = read_position(&position)?;
            let centidiscs = opened()?.engine.evaluation().evaluate_position(position);
            Ok(replies::json(&Eval::from_centidiscs(centidiscs).discs()))
        }
        Request::Perft { position, depth } if depth <= MAX_PERFT_DEPTH => {
            let position = read_position(&position)?;
            Ok(replies::json(&perft(position, depth, PassRule::CostsPly)))
        }
        Request::Perft { depth, .. } => {
            Err(format!("perft depth of {depth}: expected at most {MAX_PERFT_DEPTH}").into())
        }
        Request::Clear {} => {
            let service = opened()?;
            service.engine.clear();
            Ok(service.info())
        }
        Request::CheckKernels { rounds, seed } => {
            check::kernels(rounds.min(MAX_CHECK_ROUNDS), seed)?;
            Ok(opened()?.info())
        }
    }
}

/// Reads the name of a level that errs.
fn named(name: &str) -> Result<WeakLevel, String> {
    let strength: Strength = name.parse().map_err(|why: ParseStrengthError| why.to_string())?;
    strength.weak().ok_or_else(|| format!("level `{name}`: expected a number, or a name"))
}

fn read_position(text: &str) -> Result<Position, String> {
    parse_position(text).map(|(position, _)| position).map_err(|error| error.to_string())
}
