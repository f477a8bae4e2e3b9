//! A weak player with the seed of each game.

use umigame_engine::{
    Limits, Listener, Report, SharedEvaluation, WeakPlayer, WeakPlayerError, Weakness,
};
use umigame_othello::Position;

/// A player that errs, and the seed of its errors.
#[derive(Debug)]
pub(super) struct SeededPlayer {
    player: WeakPlayer,
    seed: u64,
}

impl SeededPlayer {
    /// Makes a player for a game with this seed, or a random one.
    pub fn new(evaluation: SharedEvaluation, seed: Option<u64>) -> SeededPlayer {
        // A seed that a person can type again.
        let seed = seed.unwrap_or_else(|| fastrand::u64(1..1_000_000));
        SeededPlayer { player: WeakPlayer::new(evaluation), seed }
    }

    /// Returns the seed of this game.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Sets the seed of this game.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Takes the next seed.
    pub fn begin_game(&mut self) {
        self.seed = self.seed.wrapping_add(1);
    }

    /// Chooses a move as [`WeakPlayer::choose`] does.
    ///
    /// # Errors
    /// As it.
    pub fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        weakness: &Weakness,
        listener: &dyn Listener,
    ) -> Result<Report, WeakPlayerError> {
        self.player.choose(position, limits, weakness, self.seed, listener)
    }
}
