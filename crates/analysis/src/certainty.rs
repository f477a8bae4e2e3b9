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
    fn from(Certainty { sigma, wdl }: Certainty) -> CertaintyRecord {
        CertaintyRecord {
            sigma: sigma.map(|sigma| sigma.discs()),
            win: wdl.map(|wdl| wdl.win()),
            draw: wdl.map(|wdl| wdl.draw()),
            loss: wdl.map(|wdl| wdl.loss()),
        }
    }
}

/// Returns `+-2.1`; empty where sigma is 0 or unknown.
pub fn sigma_text(certainty: Certainty) -> String {
    let sigma = certainty.sigma.filter(|sigma| sigma.discs() > 0.0);
    sigma.map_or_else(String::new, |sigma| format!("+-{sigma}"))
}

/// Returns `+-2.1, win 88 draw 5 loss 7 %`; empty where sigma is 0 or unknown.
pub fn certainty_text(certainty: Certainty) -> String {
    let sigma = sigma_text(certainty);
    match certainty.wdl {
        Some(wdl) if !sigma.is_empty() => format!("{sigma}, {wdl}"),
        _ => sigma,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::{Sigma, Wdl};
    use umigame_othello::Score;

    #[test]
    fn an_estimate_has_sigma_and_odds_and_an_exact_score_neither() {
        let text = |sigma, win, loss| {
            let wdl = Some(Wdl::new(win, loss));
            certainty_text(Certainty { sigma: Some(Sigma::from_discs(sigma)), wdl })
        };
        assert_eq!(text(2.1, 0.878, 0.071), "+-2.1, win 88 draw 5 loss 7 %");
        assert_eq!(text(0.84, 0.9996, 0.0), "+-0.8, win >99 draw <1 loss 0 %");
        assert_eq!(certainty_text(Certainty::exact(Score::MAX)), "");
        assert_eq!(certainty_text(Certainty::UNKNOWN), "");
    }
}
