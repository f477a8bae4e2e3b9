//! The evaluation that the search calls: pattern weights and the network that corrects their sum.

use crate::file::{FittedModels, Weights, WeightsError, WeightsFile};
use crate::network::Network;
use crate::patterns::layout::{COUNTED, PACKING, counted};
use crate::patterns::{Lanes, MidBoard, PHASES, Tables, phase_of};
use crate::position_noise::{PositionNoise, TERMS};
use crate::probcut_model::ProbCutModel;
use crate::score_calibration::ScoreCalibration;
use crate::value::{Centidiscs, Window};
use umigame_othello::{Bitboard, Position, Square};

/// Largest value of an evaluation, and the negative of the smallest: 64 discs.
const MAX_CENTIDISCS: i32 = Centidiscs::MAX.0;
/// A window that contains every value, before and after clamping.
const FULL_WINDOW: Window<Centidiscs> = Window::new(Centidiscs(-7400), Centidiscs(7400));
/// Bound on the network's correction that lazy evaluation relies on: where the pattern sum lies
/// farther outside the window, the network is not asked.
const LAZY_MARGIN_CENTIDISCS: i32 = 850;

/// Pattern weights, a network and the models of searches with them, unpacked for lookup.
#[derive(Debug)]
pub struct Evaluation {
    tables: Tables,
    /// `None` for weights that were fitted without a network.
    network: Option<Network>,
    models: FittedModels,
    checksum: u32,
}

impl Evaluation {
    /// Unpacks the bytes of a weights file.
    ///
    /// # Errors
    /// Anything but a complete weights file for the patterns of this program.
    pub fn from_bytes(file: &[u8]) -> Result<Evaluation, WeightsError> {
        let file = WeightsFile::new(file)?;
        // One after the other, each on all processors: more threads would delay the first answer.
        let tables = Tables::from_blocks(|block| file.block(block))?;
        let (models, checksum) = (file.models(), file.checksum());
        let network = match file.has_network() {
            true => {
                let embeddings = |block| file.embeddings(block);
                Some(Network::from_blocks(embeddings, &file.layers()?, &models.noise)?)
            }
            false => None,
        };
        Ok(Evaluation { tables, network, models, checksum })
    }

    /// Lays out fitted weights, with [`FittedModels::DEFAULT`]. `None` if their count is wrong.
    pub fn from_weights(weights: &Weights) -> Option<Evaluation> {
        let network = match &weights.network {
            Some(parameters) => Some(Network::new(parameters)?),
            None => None,
        };
        Some(Evaluation {
            tables: Tables::new(&weights.patterns)?,
            network,
            models: FittedModels::DEFAULT,
            checksum: weights.checksum(),
        })
    }

    /// Returns the evaluation that values every position at 0.
    pub fn nothing() -> Evaluation {
        let zeros = vec![0; PHASES * PACKING.len];
        Evaluation::from_weights(&zeros.into()).expect("weights of every phase")
    }

    /// Checksum of the weights: the same for equal weights, however their file was compressed.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Distances between shallow and deep searches with these weights, for ProbCut.
    pub fn probcut_model(&self) -> &ProbCutModel {
        &self.models.probcut
    }

    /// Estimates of final scores from the values of searches with these weights.
    pub fn score_calibration(&self) -> &ScoreCalibration {
        &self.models.calibration
    }

    /// Replaces the score calibration.
    #[must_use]
    pub fn with_score_calibration(self, calibration: ScoreCalibration) -> Evaluation {
        Evaluation { models: FittedModels { calibration, ..self.models }, ..self }
    }

    /// Pattern weights, laid out for lookup.
    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the value of `board` for the side to move, from -6400 to 6400.
    ///
    /// A finished game is valued like any other position.
    #[inline(always)]
    pub fn evaluate(&self, board: &MidBoard) -> Centidiscs {
        self.evaluate_within(board, FULL_WINDOW)
    }

    /// Returns the value of `position` for the side to move, in centidiscs from -6400 to 6400.
    pub fn evaluate_position(&self, position: Position) -> i32 {
        self.evaluate(&MidBoard::new(position)).0
    }

    /// Returns the value of `board`, exact only near the window.
    ///
    /// Where the pattern sum lies far outside the window, a bound on the same side is returned: the
    /// sum and the largest correction towards the window.
    #[inline(always)]
    pub fn evaluate_within(&self, board: &MidBoard, window: Window<Centidiscs>) -> Centidiscs {
        self.value(board.position(), board.indices(), window)
    }

    /// Returns the value as [`Self::evaluate_within`], and how uncertain it is: average where it is a
    /// bound, or without a network.
    #[inline(always)]
    pub fn evaluate_with_noise(
        &self,
        board: &MidBoard,
        window: Window<Centidiscs>,
    ) -> (Centidiscs, PositionNoise) {
        self.value_by(board.position(), board.indices(), window, Network::value_and_noise)
    }

    /// Returns how uncertain the value of `position` is: average without a network.
    pub fn noise(&self, position: Position) -> PositionNoise {
        self.evaluate_with_noise(&MidBoard::new(position), FULL_WINDOW).1
    }

    /// Returns the terms of the noise of `position`; `None` without a network.
    pub fn noise_terms(&self, position: Position) -> Option<[f64; TERMS]> {
        let board = MidBoard::new(position);
        let (phase, counted) = (phase_of(position.empties()), counted(position));
        let terms = |network: &Network| network.noise_terms(phase, board.indices(), &counted);
        self.network.as_ref().map(terms)
    }

    /// Returns the value after a disc on `square` that flips `flips`, for the side then to move; exact
    /// only near the window of that side, as [`Self::evaluate_within`].
    #[inline(always)]
    pub fn evaluate_after(
        &self,
        board: &MidBoard,
        square: Square,
        flips: Bitboard,
        window: Window<Centidiscs>,
    ) -> Centidiscs {
        let next = board.position().after(square, flips);
        self.value(next, &board.indices_after(square, flips), window)
    }

    /// Returns the pattern sum after a disc on `square` that flips `flips`, for the side then to move:
    /// faster than [`Self::evaluate_after`], for move ordering.
    #[inline(always)]
    pub fn pattern_eval_after(
        &self,
        board: &MidBoard,
        square: Square,
        flips: Bitboard,
    ) -> Centidiscs {
        let next = board.position().after(square, flips);
        let lanes = board.indices_after(square, flips);
        let sum = self.tables.sum(phase_of(next.empties()), &lanes, &counted(next));
        Centidiscs(sum.clamp(-MAX_CENTIDISCS, MAX_CENTIDISCS))
    }

    /// Returns the network's correction to the pattern sum, in centidiscs for the side to move;
    /// `None` without a network.
    pub fn correction(&self, board: &MidBoard) -> Option<i32> {
        let (position, lanes) = (board.position(), board.indices());
        let (phase, counted) = (phase_of(position.empties()), counted(position));
        self.network.as_ref().map(|network| network.value(phase, lanes, &counted))
    }

    #[inline(always)]
    fn value(&self, position: Position, lanes: &Lanes, window: Window<Centidiscs>) -> Centidiscs {
        let network = |network: &Network, phase, lanes: &Lanes, counted: &[usize; COUNTED]| {
            (network.value(phase, lanes, counted), PositionNoise::AVERAGE)
        };
        self.value_by(position, lanes, window, network).0
    }

    /// Returns the value and the noise, those of `network` where the pattern sum is not far
    /// outside the window.
    #[inline(always)]
    fn value_by(
        &self,
        position: Position,
        lanes: &Lanes,
        window: Window<Centidiscs>,
        network: impl Fn(&Network, usize, &Lanes, &[usize; COUNTED]) -> (i32, PositionNoise),
    ) -> (Centidiscs, PositionNoise) {
        let (phase, counted) = (phase_of(position.empties()), counted(position));
        let sum = self.tables.sum(phase, lanes, &counted);
        let average = |correction| (correction, PositionNoise::AVERAGE);
        let (correction, noise) = match &self.network {
            Some(_) if sum <= window.alpha.0 - LAZY_MARGIN_CENTIDISCS => {
                average(LAZY_MARGIN_CENTIDISCS)
            }
            Some(_) if sum >= window.beta.0 + LAZY_MARGIN_CENTIDISCS => {
                average(-LAZY_MARGIN_CENTIDISCS)
            }
            Some(own) => network(own, phase, lanes, &counted),
            None => average(0),
        };
        let value = (sum + correction).clamp(-MAX_CENTIDISCS, MAX_CENTIDISCS);
        (Centidiscs(value), noise)
    }
}
