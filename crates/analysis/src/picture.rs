//! A diagram asked for as JSON, in the words that pages, programs and the npm package share.

use std::collections::BTreeMap;

use serde::Deserialize;
use umigame_engine::{Bound, ReportLine, ScoreKind};
use umigame_othello::formats::transcript::read_position;
use umigame_othello::text::quote;
use umigame_othello::{Eval, ParseMoveError, ParseSquareError, Square};

use crate::diagram::Diagram;
use crate::report::BoundName;
use crate::values::{self, SquareValue};

/// Largest width of a drawing, in pixels.
pub const MAX_PIXELS: u32 = 20_000;

/// A board to draw, with its marks.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiagramRequest {
    /// A position or the moves of a game, in any form that `read_position` knows.
    pub board: String,
    /// Width and height in pixels, 16 to [`MAX_PIXELS`]; without it the drawing fills its container.
    pub size: Option<u32>,
    /// Dots on legal squares; on by default.
    pub legal: Option<bool>,
    /// A dot on the last move; on by default.
    pub last_move: Option<bool>,
    /// The moves numbered, instead of the position.
    #[serde(default)]
    pub numbers: bool,
    /// Values on squares.
    pub values: Option<GivenValues>,
}

/// Values for squares: discs for the side to move by square, or a report of a search.
#[derive(Deserialize, Clone, Debug)]
#[serde(untagged)]
pub enum GivenValues {
    /// A report, as [`crate::report::ReportRecord`] writes it.
    Report(ShownReport),
    /// Discs, -64 to 64, by the name of the square.
    Discs(BTreeMap<String, f64>),
}

/// The fields of a report that a diagram uses.
#[derive(Deserialize, Clone, Debug)]
pub struct ShownReport {
    lines: Vec<ShownLine>,
}

#[derive(Deserialize, Clone, Debug)]
struct ShownLine {
    r#move: String,
    eval: f64,
    std_dev: Option<f64>,
    #[serde(with = "BoundName")]
    bound: Bound,
    label: String,
}

impl DiagramRequest {
    /// Returns the drawing as SVG.
    ///
    /// # Errors
    /// A sentence about a board that cannot be read, or a number out of range.
    pub fn svg(&self) -> Result<String, String> {
        let board = read_position(&self.board).map_err(|error| error.to_string())?;
        let mut diagram = if self.numbers { Diagram::of_game(&board) } else { Diagram::of(&board) };
        if self.last_move.unwrap_or(true) && !self.numbers {
            diagram = diagram.with_last_move(&board);
        }
        if self.legal.unwrap_or(true) && !self.numbers {
            diagram = diagram.with_legal(&board);
        }
        if let Some(values) = &self.values {
            diagram = diagram.with_values(values.on_squares()?);
        }
        if let Some(size) = self.size {
            if !(16..=MAX_PIXELS).contains(&size) {
                return Err(format!("size of {size}: expected pixels, 16 to {MAX_PIXELS}"));
            }
            diagram = diagram.with_pixels(size);
        }
        Ok(diagram.svg())
    }
}

impl GivenValues {
    fn on_squares(&self) -> Result<Vec<SquareValue>, String> {
        match self {
            GivenValues::Discs(discs) => {
                let mut evals = Vec::new();
                for (name, discs) in discs {
                    let square: Square =
                        name.parse().map_err(|error: ParseSquareError| error.to_string())?;
                    evals.push((square, eval(*discs)?));
                }
                Ok(values::of_evals(&evals))
            }
            GivenValues::Report(ShownReport { lines }) => {
                let lines: Vec<_> = lines.iter().map(ShownLine::line).collect::<Result<_, _>>()?;
                Ok(values::of_lines(lines.iter().map(|line| (line, line.kind))))
            }
        }
    }
}

impl ShownLine {
    fn line(&self) -> Result<ReportLine, String> {
        let played = self.r#move.parse().map_err(|error: ParseMoveError| error.to_string())?;
        let kind = self.label.parse::<ScoreKind>();
        let kind = kind.map_err(|error| format!("label {}: {error}", quote(&self.label)))?;
        let mut line = ReportLine::unsure(vec![played], eval(self.eval)?, kind);
        line.estimate.std_dev = self.std_dev;
        line.bound = self.bound;
        Ok(line)
    }
}

fn eval(discs: f64) -> Result<Eval, String> {
    if (-64.0..=64.0).contains(&discs) {
        return Ok(Eval::from_centidiscs((100.0 * discs).round() as i32));
    }
    Err(format!("value of {discs}: expected discs, -64 to 64"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn drawn(json: &str) -> Result<String, String> {
        serde_json::from_str::<DiagramRequest>(json).map_err(|error| error.to_string())?.svg()
    }

    #[test]
    fn values_are_numbers_by_square_or_a_report() {
        let svg = drawn(r#"{"board":"f5","size":200,"values":{"d6":-1,"f4":-2.25}}"#).unwrap();
        assert!(svg.contains(">&#8722;1</text>") && svg.contains(">&#8722;2.2</text>"), "{svg}");
        let report = r#"{"label":"100%","lines":[
            {"move":"d6","moves":["d6"],"eval":4,"std_dev":0,"bound":"exact","label":"100%"}]}"#;
        let svg = drawn(&format!(r#"{{"board":"f5","values":{report}}}"#)).unwrap();
        assert!(svg.contains(">+4</text>") && svg.contains(">exact</text>"), "{svg}");
    }

    #[test]
    fn a_proven_value_among_estimates_is_exact() {
        let report = r#"{"lines":[
            {"move":"d6","eval":4,"std_dev":0,"bound":"exact","label":"100%"},
            {"move":"f4","eval":1.25,"std_dev":2.5,"bound":"exact","label":"12@73%"}]}"#;
        let svg = drawn(&format!(r#"{{"board":"f5","values":{report}}}"#)).unwrap();
        assert!(svg.contains(">+4</text>") && svg.contains(">exact</text>"), "{svg}");
        assert!(svg.contains(">+1.2</text>") && svg.contains("2.5</text>"), "{svg}");
    }

    #[test]
    fn what_cannot_be_drawn_is_said() {
        for (json, part) in [
            (r#"{"board":"f5f5"}"#, "f5"),
            (r#"{"board":"f5","size":3}"#, "size of 3"),
            (r#"{"board":"f5","values":{"d9":1}}"#, "d9"),
            (r#"{"board":"f5","values":{"d6":65}}"#, "value of 65"),
            (r#"{"board":"f5","values":{"d6":"a"}}"#, "did not match"),
            (r#"{"board":"f5","colour":1}"#, "colour"),
        ] {
            let why = drawn(json).unwrap_err();
            assert!(why.contains(part), "{json}: {why}");
        }
    }
}
