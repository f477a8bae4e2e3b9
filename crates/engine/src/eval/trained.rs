//! The trained evaluation: weights of patterns, and a network that corrects
//! their sum.

use super::ErrorModel;
use super::file::{Weights, WeightsError, WeightsFile};
use super::network::Network;
use super::patterns::layout::counted;
use super::patterns::{Lanes, MidBoard, Tables, stage_of};
use crate::threads::beside;
use umigame_othello::{Position, Square};

/// The values of an evaluation lie between less and more than none of this.
const MOST: i32 = 6400;
/// What the network adds is as good as never more, in hundredths of a disc:
/// where the sum of the weights is so far outside a window, it need not be
/// asked.
const REACH: i32 = 800;

/// Weights as the search uses them.
#[derive(Debug)]
pub struct Trained {
    /// The weights of the patterns.
    pub(super) tables: Tables,
    /// What corrects their sum; files without it have weaker values.
    network: Option<Network>,
    /// How far shallow searches are from deep ones.
    pub(super) error_model: ErrorModel,
    /// The checksum by which the weights are known.
    pub(super) checksum: u32,
}

impl Trained {
    /// Unpacks a file.
    ///
    /// # Errors
    /// A file whose weights cannot be unpacked.
    pub(super) fn unpack(file: &WeightsFile<'_>) -> Result<Trained, WeightsError> {
        let network = || Ok(file.network()?.as_ref().and_then(Network::new));
        let (tables, network) = beside(|| Tables::unpack(file), network);
        let (tables, network) = (tables?, network?);
        Ok(Trained { tables, network, error_model: file.error_model(), checksum: file.checksum() })
    }

    /// The evaluation of weights that were not in a file yet; `None` where
    /// their number is not right.
    pub(super) fn new(weights: &Weights) -> Option<Trained> {
        let network = match &weights.network {
            Some(numbers) => Some(Network::new(numbers)?),
            None => None,
        };
        let tables = Tables::new(&weights.patterns)?;
        Some(Trained {
            tables,
            network,
            error_model: ErrorModel::USUAL,
            checksum: weights.checksum(),
        })
    }

    /// What the network adds to what the weights of the patterns say, in
    /// hundredths of a disc for the side to move; `None` without a network.
    pub fn correction(&self, board: &MidBoard) -> Option<i32> {
        let (position, lanes) = (board.position(), board.indices());
        let (stage, counted) = (stage_of(position.empties()), counted(position));
        self.network.as_ref().map(|network| network.value(stage, lanes, &counted))
    }

    /// See [`super::Evaluation::evaluate`].
    #[inline(always)]
    pub(super) fn evaluate(&self, board: &MidBoard, window: (i32, i32)) -> i32 {
        self.value(board.position(), board.indices(), window)
    }

    /// See [`super::Evaluation::evaluate_after`].
    #[inline(always)]
    pub(super) fn evaluate_after(
        &self,
        board: &MidBoard,
        (square, flips): (Square, u64),
        window: (i32, i32),
    ) -> i32 {
        let next = board.position().after(square, flips);
        self.value(next, &board.indices_after(square, flips), window)
    }

    #[inline(always)]
    fn value(&self, position: Position, lanes: &Lanes, (alpha, beta): (i32, i32)) -> i32 {
        let (stage, counted) = (stage_of(position.empties()), counted(position));
        let sum = self.tables.sum(stage, lanes, &counted);
        match &self.network {
            Some(network) if sum > alpha - REACH && sum < beta + REACH => {
                (sum + network.value(stage, lanes, &counted)).clamp(-MOST, MOST)
            }
            _ => sum.clamp(-MOST, MOST),
        }
    }

    /// See [`super::Evaluation::pattern_eval_after`].
    #[inline(always)]
    pub(super) fn pattern_eval_after(
        &self,
        board: &MidBoard,
        (square, flips): (Square, u64),
    ) -> i32 {
        let next = board.position().after(square, flips);
        let lanes = board.indices_after(square, flips);
        self.tables.sum(stage_of(next.empties()), &lanes, &counted(next)).clamp(-MOST, MOST)
    }
}
