//! A weak player with the seed of each game.

use umigame_engine::{Limits, Listener, Report, SharedEvaluation, WeakPlayer, Weakness};
use umigame_othello::Position;

/// A player that errs, and the seed of its errors.
#[derive(Debug)]
pub(super) struct SeededPlayer {
    /// Made for the first move: most sessions never err.
    player: Option<WeakPlayer>,
    seed: u64,
}

impl SeededPlayer {
    /// Makes a player for a game with this seed, or a random one.
    pub fn new(seed: Option<u64>) -> SeededPlayer {
        // A seed that a person can type again.
        SeededPlayer { player: None, seed: seed.unwrap_or_else(|| fastrand::u64(1..1_000_000)) }
    }

    /// Returns the seed of this game.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Takes the next seed.
    pub fn begin_game(&mut self) {
        self.seed = self.seed.wrapping_add(1);
    }

    /// Chooses a move as [`WeakPlayer::choose`] does.
    ///
    /// # Errors
    /// The reason why there is none, in words.
    pub fn choose(
        &mut self,
        evaluation: SharedEvaluation,
        position: Position,
        limits: &Limits,
        weakness: &Weakness,
        listener: &dyn Listener,
    ) -> Result<Report, String> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(WeakPlayer::new(evaluation).map_err(|error| error.to_string())?),
        };
        player
            .choose(position, limits, weakness, self.seed, listener)
            .map_err(|fault| fault.to_string())
    }
}
