//! Searches of positions with known scores.

use std::collections::HashMap;

use crate::data::{Sample, SampleOutcome};
use crate::error::LearnError;
use crate::searches::Searches;
use umigame_engine::batch::Worker;
use umigame_engine::{Confidence, Engine, Limits, Megabytes, ScoreKind, score_features};
use umigame_eval::score_calibration::ScoreFeatures;
use umigame_othello::{Eval, Position};

/// Transposition table of a thread, cleared before every search.
const TABLE_PER_THREAD: Megabytes = Megabytes(8);
/// Maximum empties of positions that are also searched selectively to the end of the game.
const ENDING_MAX_EMPTIES: u32 = 26;
/// Maximum plies of the searches at other confidences than 73 %.
const SURE_MAX_DEPTH: u32 = 9;
/// Interval, in positions, of additional searches: at other confidences, and to the end of the game.
const RARE: usize = 4;

/// A position with a known score, exact or noisy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnownScore {
    /// Position; its side to move has a move.
    pub position: Position,
    /// Score for the side to move, in discs.
    pub discs: f64,
    /// Variance of the score around the one under perfect play, in square discs; 0 if exact.
    pub noise: f64,
}

/// The value of an iteration beside the known score, both for the side to move in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Observation {
    /// Inputs of the score model besides the value.
    pub features: ScoreFeatures,
    /// Value on the search's own scale.
    pub value: f64,
    /// Known score.
    pub truth: f64,
    /// Variance of the known score, see [`KnownScore::noise`].
    pub noise: f64,
}

/// Returns the variance of game results around exact scores one ply before the game is solved, in
/// square discs; `None` without a position that has both.
///
/// It is taken to grow with the root of the plies to the solved ending: errors before that are
/// smaller, and partly made good.
///
/// `games` are the samples of a file of games, `exact` the scores of some of their positions.
fn game_noise(games: &[Sample], exact: &HashMap<Position, f64>) -> Option<f64> {
    let solved = solved_empties(games);
    let (mut squares, mut above) = (0.0, 0.0);
    for sample in games {
        let empties = sample.position.empties();
        if let SampleOutcome::Games(mean) = sample.outcome()
            && let Some(exact) = exact.get(&sample.position)
            && empties > solved
        {
            squares += (mean.discs() - exact).powi(2);
            above += noise_growth(empties, solved);
        }
    }
    (above > 0.0).then(|| squares / above)
}

/// Returns the variance of a game result in units of that one ply before the game is solved.
fn noise_growth(empties: u32, solved: u32) -> f64 {
    f64::from(empties.saturating_sub(solved)).sqrt()
}

/// Returns the empties from which the games of a file are solved.
fn solved_empties(games: &[Sample]) -> u32 {
    let exact = games.iter().filter(|one| matches!(one.outcome(), SampleOutcome::Exact(_)));
    exact.map(|sample| sample.position.empties()).max().unwrap_or(0)
}

/// Returns the mean result of the games of a position with more than `max_exact` empties, in discs;
/// `None` for other samples.
fn result_above(sample: &Sample, max_exact: u32) -> Option<f64> {
    match sample.outcome() {
        SampleOutcome::Games(mean) if sample.position.empties() > max_exact => Some(mean.discs()),
        _ => None,
    }
}

/// Returns the known scores of each file: exact ones with at least `min_empties` empties, and results of
/// games where no exact score of any file is in reach, above `max_exact` empties.
///
/// Results of games have one noise, the mean of those of the files with positions whose exact score is
/// known: of a few hundred results a handful decides. Without such a file they do not count.
pub fn known_scores(
    files: &[Vec<Sample>],
    min_empties: u32,
    max_exact: u32,
) -> Vec<Vec<KnownScore>> {
    let exact = |sample: &Sample| match sample.outcome() {
        SampleOutcome::Exact(score) => Some((sample.position, f64::from(score.discs()))),
        _ => None,
    };
    let exact: HashMap<Position, f64> = files.iter().flatten().filter_map(exact).collect();
    let noises: Vec<f64> = files.iter().filter_map(|games| game_noise(games, &exact)).collect();
    let noise = (!noises.is_empty()).then(|| noises.iter().sum::<f64>() / noises.len() as f64);
    let is_result = |sample: &Sample| result_above(sample, max_exact).is_some();
    if noise.is_none() && files.iter().flatten().any(is_result) {
        log::warn!(
            "results of games do not count: no file has exact scores of positions of these games"
        );
    }
    let of_file = |samples: &Vec<Sample>| {
        let solved = solved_empties(samples);
        let known = |sample: &Sample| {
            let (position, empties) = (sample.position, sample.position.empties());
            let (discs, noise) = match sample.outcome() {
                SampleOutcome::Exact(score) if empties >= min_empties => {
                    (f64::from(score.discs()), 0.0)
                }
                _ => (result_above(sample, max_exact)?, noise? * noise_growth(empties, solved)),
            };
            (!position.legal_moves().is_empty()).then_some(KnownScore { position, discs, noise })
        };
        samples.iter().filter_map(known).collect()
    };
    files.iter().map(of_file).collect()
}

/// Searches positions with known scores; `done` is called after each. When `stop` is set, the
/// observations made so far are returned.
///
/// Each position is searched to every depth at 73 %; a part also at other confidences, and to the end
/// of the game.
///
/// # Errors
/// No memory for the transposition table.
pub fn observe(
    known: &[KnownScore],
    depth: u32,
    searches: Searches<'_>,
    done: impl FnMut(),
) -> Result<Vec<Observation>, LearnError> {
    let answer = |worker: &mut Worker<'_>, (index, known): (usize, &KnownScore)| {
        let KnownScore { position, discs: truth, noise } = *known;
        let mut observations = Vec::new();
        for limits in limits(index, known, depth) {
            let found = search(position, &limits, searches, worker.own())?.into_iter();
            let observed =
                found.map(|(features, value)| Observation { features, value, truth, noise });
            observations.extend(observed);
        }
        Some(observations)
    };
    Ok(searches.all(known.iter().enumerate(), TABLE_PER_THREAD, answer, done)?.concat())
}

/// Returns the searches of a position.
fn limits(index: usize, known: &KnownScore, depth: u32) -> Vec<Limits> {
    let empties = known.position.empties();
    let to_depth = |depth: u32, confidence| {
        Limits::midgame(depth.min(empties.saturating_sub(1)).max(1), confidence)
    };
    let mut all = vec![to_depth(depth, Confidence::P73)];
    if known.noise > 0.0 {
        return all;
    }
    match index % RARE {
        0 if empties <= ENDING_MAX_EMPTIES => {
            all.push(Limits::midgame(60, Confidence::P95));
        }
        1 => all.push(to_depth(depth.min(SURE_MAX_DEPTH), Confidence::FULL)),
        2 => all.push(to_depth(depth.min(SURE_MAX_DEPTH), Confidence::P95)),
        _ => {}
    }
    all
}

/// Searches a position and returns features and value of each iteration; `None` if it was stopped.
fn search(
    position: Position,
    limits: &Limits,
    searches: Searches<'_>,
    engine: &mut Engine,
) -> Option<Vec<(ScoreFeatures, f64)>> {
    engine.clear();
    let found = searches.iterations(engine, position, limits)?;
    let features = |(kind, value): (ScoreKind, Eval)| {
        Some((score_features(position, kind, searches.evaluation)?, value.discs()))
    };
    let mut found: Vec<_> = found.into_iter().filter_map(features).collect();
    if limits.max_depth() >= position.empties() {
        // The iterations before the end of the game are those of a search to a depth.
        found.retain(|(features, _)| features.plies.is_none());
    }
    Some(found)
}
