//! How sure an estimate is, as text and as fields of JSON.

use serde::{Deserialize, Serialize};
use umigame_engine::Certainty;

/// Fields of a JSON object; null where unknown.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
pub struct CertaintyRecord {
    /// Discs.
    pub sigma: Option<f64>,
    /// Probability of a win, 0 to 1.
    pub win: Option<f64>,
    /// Probability of a draw.
    pub draw: Option<f64>,
    /// Probability of a loss.
    pub loss: Option<f64>,
}

impl From<Certainty> for CertaintyRecord {
    fn from(Certainty { sigma, odds }: Certainty) -> CertaintyRecord {
        CertaintyRecord {
            sigma: sigma.map(|sigma| sigma.discs()),
            win: odds.map(|odds| odds.win()),
            draw: odds.map(|odds| odds.draw()),
            loss: odds.map(|odds| odds.loss()),
        }
    }
}

/// Returns `+-2.1`; empty where sigma is 0 or unknown.
pub fn sigma_text(certainty: Certainty) -> String {
    let sigma = certainty.sigma.filter(|sigma| sigma.discs() > 0.0);
    sigma.map_or_else(String::new, |sigma| format!("+-{sigma}"))
}

/// Returns `+-2.1, win 91 %`; empty where sigma is 0 or unknown.
pub fn certainty_text(certainty: Certainty) -> String {
    let sigma = sigma_text(certainty);
    match certainty.odds {
        Some(odds) if !sigma.is_empty() => format!("{sigma}, win {}", percent(odds.win())),
        _ => sigma,
    }
}

/// Returns `91 %`; only certainty is 0 or 100 %.
fn percent(share: f64) -> String {
    match share {
        0.0 | 1.0 => format!("{:.0} %", 100.0 * share),
        _ => format!("{:.0} %", (100.0 * share).clamp(1.0, 99.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::{Odds, Sigma};
    use umigame_othello::Score;

    #[test]
    fn an_estimate_has_sigma_and_odds_and_an_exact_score_neither() {
        let text = |sigma, win| {
            let odds = Some(Odds::new(win, 0.0));
            certainty_text(Certainty { sigma: Some(Sigma::from_discs(sigma)), odds })
        };
        assert_eq!(text(2.1, 0.914), "+-2.1, win 91 %");
        assert_eq!(text(0.84, 0.9996), "+-0.8, win 99 %");
        assert_eq!(text(0.84, 0.001), "+-0.8, win 1 %");
        assert_eq!(certainty_text(Certainty::exact(Score::MAX)), "");
        assert_eq!(certainty_text(Certainty::UNKNOWN), "");
    }
}
