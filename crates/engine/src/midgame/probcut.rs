//! Multi-ProbCut (MPC): a node is cut where a shallow search puts it far outside the window.
//!
//! "Far" is a number of standard deviations of the difference between the two searches. The
//! evaluation's error model predicts them for the empties and the depths, and its noise says how
//! much they differ for the position. Probes are not nested, and a search of full confidence makes
//! none. A cutoff is stored in the table only at a node that several threads meet.
//!
//! After: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995.

use crate::limits::confidence::Confidence;
use crate::thread_state::{Searched, Stopped, ThreadState};
use crate::time::iteration::PROBCUT_MIN_DEPTH;
use crate::tunable::tunable;
use umigame_eval::probcut_model::ShallowError;
use umigame_eval::value::{Centidiscs, Discs, NullWindow, Window};
use umigame_eval::{MidBoard, PositionNoise};

/// Minimum empties at which an endgame node is probed.
const PROBCUT_MIN_EMPTIES: u32 = 12;
/// Maximum nesting of probes.
const MAX_NESTED_PROBES: u32 = 1;

tunable! {
    /// A probe is made only if the evaluation is within this multiple of both sigmas, times the
    /// sigmas of the confidence, of the probe's bound.
    Accuracy NEAR_SIGMAS: f64 = 0.2 in 0.0..=3.0 by 0.1;
    /// Plies of a search for every two plies of its probe.
    Accuracy PROBE_DEPTH_DIVISOR: u32 = 6 in 4..=20 by 1;
    /// Minimum plies of an endgame probe.
    Accuracy ENDGAME_PROBE_PLIES: u32 = 2 in 0..=6 by 1;
    /// Empties from which an endgame probe has two plies more, at 73 %.
    Accuracy DEEP_PROBE_MIN_EMPTIES: u32 = 16 in 12..=60 by 1;
    /// Factor of the sigmas of endgame probes at 73 %.
    Accuracy ENDGAME_SIGMAS: f64 = 0.75 in 0.3..=3.0 by 0.1;
}

/// Returns the depth of a midgame probe: about a third, of the same parity, since odd and even
/// depths give the sides different numbers of moves. Deeper probes are surer, but cost more than
/// their cutoffs save.
fn probe_depth(depth: u32) -> u32 {
    2 * (depth / PROBE_DEPTH_DIVISOR.get()) + (depth & 1)
}

/// Returns the depth of an endgame probe: two or three plies, of the parity of the empties; at the most
/// selective level, whose margins are small, two plies more where many empties are left.
fn endgame_probe_depth(empties: u32, confidence: Confidence) -> u32 {
    let is_deep = confidence.is_most_selective() && empties >= DEEP_PROBE_MIN_EMPTIES.get();
    let plies = ENDGAME_PROBE_PLIES.get() + if is_deep { 2 } else { 0 };
    plies + ((empties ^ plies) & 1)
}

/// The midgame search that probes: in a null window, to a depth.
pub(crate) trait ProbeSearch:
    FnOnce(&mut ThreadState<'_>, &MidBoard, u32, NullWindow<Centidiscs>) -> Searched<Centidiscs>
{
}

impl<F> ProbeSearch for F where
    F: FnOnce(&mut ThreadState<'_>, &MidBoard, u32, NullWindow<Centidiscs>) -> Searched<Centidiscs>
{
}

/// A shallow search in place of a deep one, with the spreads of the deep value around it.
struct Probe {
    /// Plies of the shallow search; with 0 the evaluation serves.
    depth: u32,
    /// The deep value less the evaluation.
    eval_spread: ShallowError,
    /// The deep value less the shallow one.
    probe_spread: ShallowError,
    /// Sigmas at which the node is cut.
    sigmas: f64,
}

/// Returns a bound outside the window for a midgame search to `depth`, if a probe proves one at
/// the confidence of the search.
pub(crate) fn midgame_cutoff(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
    search: impl ProbeSearch,
) -> Result<Option<Centidiscs>, Stopped> {
    if depth < PROBCUT_MIN_DEPTH || !may_probe(thread) {
        return Ok(None);
    }
    let shallow = probe_depth(depth);
    let empties = board.position().empties();
    let model = thread.context.evaluation.probcut_model();
    let probe = Probe {
        depth: shallow,
        eval_spread: model.midgame(empties, 0, depth),
        probe_spread: model.midgame(empties, shallow, depth),
        sigmas: thread.confidence.sigmas(),
    };
    probe_node(thread, board, &probe, window, search)
}

/// [`midgame_cutoff`] for a search to the end of the game.
pub(crate) fn endgame_cutoff(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    window: NullWindow<Discs>,
    search: impl ProbeSearch,
) -> Result<Option<Discs>, Stopped> {
    let empties = board.position().empties();
    if empties < PROBCUT_MIN_EMPTIES || !may_probe(thread) {
        return Ok(None);
    }
    let shallow = endgame_probe_depth(empties, thread.confidence);
    let factor = if thread.confidence.is_most_selective() { ENDGAME_SIGMAS.get() } else { 1.0 };
    let model = thread.context.evaluation.probcut_model();
    let probe = Probe {
        depth: shallow,
        eval_spread: model.endgame(empties, 0),
        probe_spread: model.endgame(empties, shallow),
        sigmas: factor * thread.confidence.sigmas(),
    };
    let upper_end = NullWindow::below(window.beta().to_centidiscs());
    let bound = probe_node(thread, board, &probe, upper_end, search)?;
    Ok(bound.map(Centidiscs::floor))
}

/// Whether this search is selective and not itself a probe.
#[inline(always)]
fn may_probe(thread: &ThreadState<'_>) -> bool {
    thread.confidence != Confidence::FULL && thread.probes < MAX_NESTED_PROBES
}

fn probe_node(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    probe: &Probe,
    window: NullWindow<Centidiscs>,
    search: impl ProbeSearch,
) -> Result<Option<Centidiscs>, Stopped> {
    let Probe { depth, eval_spread, probe_spread, sigmas } = probe;
    let margin = (sigmas * probe_spread.sigma) as i32;
    let near = (NEAR_SIGMAS.get() * sigmas * (eval_spread.sigma + probe_spread.sigma)) as i32;
    let mean = Centidiscs(probe_spread.mean as i32);
    let widest = window.for_shallow(mean, Centidiscs(PositionNoise::MAX.times(margin)));
    thread.nodes += 1;
    let (eval, noise) = thread.context.evaluation.evaluate_with_noise(board, widest);
    let near = noise.times(near);
    let Window { alpha: low, beta: high } =
        window.for_shallow(mean, Centidiscs(noise.times(margin)));
    let expected = eval + Centidiscs((eval_spread.mean - probe_spread.mean) as i32);
    let value = |window| {
        if *depth == 0 {
            return Ok(eval);
        }
        thread.probes += 1;
        let value = search(thread, board, *depth, window);
        thread.probes -= 1;
        value
    };
    if expected + mean >= window.beta() {
        let worthwhile = high < Centidiscs::MAX && expected + Centidiscs(near) >= high;
        if worthwhile && value(NullWindow::below(high))? >= high {
            return Ok(Some(window.beta()));
        }
    } else {
        let worthwhile = low > Centidiscs::MIN && expected - Centidiscs(near) <= low;
        if worthwhile && value(NullWindow::above(low))? <= low {
            return Ok(Some(window.alpha));
        }
    }
    Ok(None)
}
