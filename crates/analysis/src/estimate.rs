//! How sure an estimate is, as text and as fields of JSON.

use serde::{Deserialize, Serialize};
use umigame_engine::{Estimate, Wdl};

/// Fields of a JSON object; null where unknown.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
pub struct EstimateRecord {
    /// Discs.
    pub std_dev: Option<f64>,
    /// Probabilities for the side to move.
    pub wdl: Option<WdlRecord>,
}

/// Probabilities, 0 to 1.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct WdlRecord {
    /// Of a win.
    pub win: f64,
    /// Of a draw.
    pub draw: f64,
    /// Of a loss.
    pub loss: f64,
}

impl From<Estimate> for EstimateRecord {
    fn from(Estimate { std_dev, wdl, .. }: Estimate) -> EstimateRecord {
        let record = |wdl: Wdl| WdlRecord { win: wdl.win(), draw: wdl.draw(), loss: wdl.loss() };
        EstimateRecord { std_dev, wdl: wdl.map(record) }
    }
}

/// Returns `+-2.1`; empty where the standard deviation is 0 or unknown.
pub fn std_dev_text(estimate: Estimate) -> String {
    let std_dev = estimate.std_dev.filter(|&discs| discs > 0.0);
    std_dev.map_or_else(String::new, |discs| format!("+-{discs:.1}"))
}

/// Returns `+-2.1, win 88 draw 5 loss 7 %`; empty where the standard deviation is 0 or unknown.
pub fn uncertainty_text(estimate: Estimate) -> String {
    let std_dev = std_dev_text(estimate);
    match estimate.wdl {
        Some(wdl) if !std_dev.is_empty() => format!("{std_dev}, {wdl}"),
        _ => std_dev,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::{Eval, Score};

    #[test]
    fn an_estimate_says_how_sure_it_is_and_an_exact_score_does_not() {
        let text = |std_dev, win, loss| {
            let wdl = Some(Wdl::new(win, loss));
            uncertainty_text(Estimate { eval: Eval::default(), std_dev: Some(std_dev), wdl })
        };
        assert_eq!(text(2.1, 0.878, 0.071), "+-2.1, win 88 draw 5 loss 7 %");
        assert_eq!(text(0.84, 0.9996, 0.0), "+-0.8, win >99 draw <1 loss 0 %");
        assert_eq!(uncertainty_text(Estimate::exact(Score::MAX)), "");
        assert_eq!(uncertainty_text(Estimate::unsure(Eval::default())), "");
    }
}
