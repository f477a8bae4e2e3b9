//! Explanation of a position: counts and squares of both sides, and the summands of its value.

use std::fmt;

use crate::breakdown::{Breakdown, PatternValue};
use crate::evaluation::Evaluation;
use crate::parity::{around, odd_quadrants, regions};
use umigame_othello::edges::{Edge, EdgeShape, Shape, edge_shapes, line_shapes};
use umigame_othello::stability::{edge_runs, stable};
use umigame_othello::{Bitboard, Board, Color, Eval, Position, Square};

/// Counts a feature of the side to move.
type Count = fn(Position) -> u32;

/// Features that are counted for each side, with their names.
pub(super) const FEATURES: [(&str, Count); 14] = [
    ("discs", |own| own.player().count()),
    ("mobility", |own| own.legal_moves().count()),
    // Empties next to the other side's discs.
    ("potential mobility", |own| (around(own.opponent()) & own.empty()).count()),
    // Discs next to an empty square.
    ("frontier discs", |own| (own.player() & around(own.empty())).count()),
    ("corners", |own| (own.player() & Bitboard::CORNERS).count()),
    ("corner moves", |own| (own.legal_moves() & Bitboard::CORNERS).count()),
    ("C squares", |own| (own.player() & Bitboard::C_SQUARES).count()),
    ("X squares", |own| (own.player() & Bitboard::X_SQUARES).count()),
    ("C and X by empty corner", |own| risky_squares(own).count()),
    ("stable discs", |own| stable(own).count()),
    ("stable by edges alone", |own| edge_runs(own).count()),
    ("mountains", |own| count_shapes(own, |shape| shape == Shape::Mountain)),
    ("wings", |own| count_shapes(own, |shape| shape == Shape::Wing)),
    ("lone C squares", |own| count_shapes(own, |shape| matches!(shape, Shape::LoneC(_)))),
];

/// Counts some of the edge shapes of the side to move.
fn count_shapes(position: Position, is_wanted: fn(Shape) -> bool) -> u32 {
    let (player, opponent) = (position.player(), position.opponent());
    let of_edge = |edge: Edge| line_shapes(edge.line(player), edge.line(opponent));
    let shapes = Edge::ALL.into_iter().flat_map(of_edge).flatten();
    shapes.filter(|&shape| is_wanted(shape)).count() as u32
}

/// Counts of a feature for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureCount {
    /// Name of the feature.
    pub name: &'static str,
    /// Count for the side to move.
    pub player: u32,
    /// Count for the other side.
    pub opponent: u32,
}

/// Counts of both sides in a position, and the summands of its value.
///
/// Displays as the board, a table of counts, the squares of moves and stable discs, edge shapes,
/// regions, and the value as a sum.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The position.
    pub position: Position,
    /// Side to move.
    pub side: Color,
    /// Counts of all features.
    pub counts: Vec<FeatureCount>,
    /// Mountains, wings and lone C squares of both sides.
    pub shapes: Vec<EdgeShape>,
    /// Connected regions of empties, one word each.
    pub regions: Vec<Bitboard>,
    /// Value of the position without search, for the side to move.
    pub eval: Eval,
    /// Summands of the value.
    pub breakdown: Breakdown,
}

/// Explains `position` with `side` to move.
pub fn explain(evaluation: &Evaluation, position: Position, side: Color) -> Explanation {
    let count = |(name, count): (&'static str, Count)| FeatureCount {
        name,
        player: count(position),
        opponent: count(position.passed()),
    };
    Explanation {
        position,
        side,
        counts: FEATURES.map(count).into(),
        shapes: edge_shapes(position, side),
        regions: regions(position.empty()).collect(),
        eval: Eval::from_centidiscs(evaluation.evaluate_position(position)),
        breakdown: Breakdown::new(evaluation, position),
    }
}

/// Returns the C and X squares that the side to move holds next to an empty corner.
fn risky_squares(position: Position) -> Bitboard {
    let beside = Bitboard::C_SQUARES | Bitboard::X_SQUARES;
    position.player() & beside & around(Bitboard::CORNERS & position.empty())
}

/// Formats squares as `a1 h8`, or as `none`.
fn list(squares: Bitboard) -> String {
    let names: Vec<String> = squares.iter().map(|square| square.to_string()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}

/// Patterns that are drawn.
const DRAWN_PATTERNS: usize = 8;
/// Patterns drawn beside each other.
const PATTERNS_PER_ROW: usize = 4;
/// Width of a drawn pattern with the gap before it, in characters.
const PATTERN_WIDTH: usize = 20;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explanation { position, side, .. } = self;
        write!(f, "{}", Board::from_position(*position, *side))?;
        writeln!(f, "{side} to move, {} empties\n", position.empties())?;
        writeln!(f, "{:<24}{:>6}{:>7}", "", "Black", "White")?;
        for FeatureCount { name, player, opponent } in &self.counts {
            let (black, white) = match side {
                Color::Black => (player, opponent),
                Color::White => (opponent, player),
            };
            writeln!(f, "{name:<24}{black:>6}{white:>7}")?;
        }
        writeln!(f)?;
        self.fmt_sides(f)?;
        self.fmt_regions(f)?;
        self.fmt_breakdown(f)?;
        self.fmt_patterns(f)
    }
}

impl Explanation {
    /// Writes where the moves, stable discs, risky squares and edge shapes of both sides are.
    fn fmt_sides(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = (self.side, self.position);
        let other = (!self.side, self.position.passed());
        for (color, position) in [own, other] {
            writeln!(f, "{color} moves: {}", list(position.legal_moves()))?;
            let risky = risky_squares(position);
            if !risky.is_empty() {
                writeln!(f, "{color} holds {} next to an empty corner", list(risky))?;
            }
            let stable = stable(position);
            if !stable.is_empty() {
                writeln!(f, "{color} stable discs: {}", list(stable))?;
            }
        }
        for shape in &self.shapes {
            writeln!(f, "{} has a {shape}", shape.color)?;
        }
        Ok(())
    }

    /// Writes the regions of empties and their parity.
    fn fmt_regions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.regions.is_empty() {
            return writeln!(f, "no empties");
        }
        let region = |region: &Bitboard| {
            let size = region.count();
            let parity = if size.is_multiple_of(2) { "even" } else { "odd" };
            format!("{size} at {} ({parity})", region.lowest())
        };
        let regions: Vec<String> = self.regions.iter().map(region).collect();
        writeln!(f, "regions of empties: {}", regions.join(", "))?;
        let odd = odd_quadrants(self.position.empty()).count_ones();
        writeln!(f, "quadrants with an odd number of empties: {odd}")?;
        let last = if self.position.empties().is_multiple_of(2) { !self.side } else { self.side };
        writeln!(f, "{last} moves last if nobody passes")
    }

    /// Writes the summands of the value and their sum.
    fn fmt_breakdown(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nvalue without search, in discs for {}:", self.side)?;
        let mut line = |name: &str, centidiscs: i32| {
            writeln!(f, "  {name:<34}{:>+8.2}", f64::from(centidiscs) / 100.0)
        };
        let Breakdown { baseline, groups, excess, .. } = &self.breakdown;
        line("mean of quick games at this phase", *baseline)?;
        for of in groups {
            line(&of.group.to_string(), of.centidiscs)?;
        }
        if *excess != 0 {
            line("limit of 64 discs", *excess)?;
        }
        line("value", self.eval.centidiscs())
    }

    /// Draws the patterns with the largest values.
    fn fmt_patterns(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\npatterns with the largest values, relative to their means:")?;
        let patterns = &self.breakdown.patterns;
        let drawn = patterns.get(..DRAWN_PATTERNS).unwrap_or(patterns);
        for row in drawn.chunks(PATTERNS_PER_ROW) {
            writeln!(f)?;
            let mut lines = vec![String::new(); 10];
            for &PatternValue { name, squares, discs } in row {
                let name = name.strip_suffix(" and its corners").unwrap_or(name);
                let head = [format!("{discs:+.2}"), name.to_owned()];
                let board = self.pattern_lines(squares);
                for (line, text) in lines.iter_mut().zip(head.iter().chain(&board)) {
                    *line += &format!("  {text:<width$}", width = PATTERN_WIDTH - 2);
                }
            }
            for line in lines {
                writeln!(f, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }

    /// Draws the board in eight lines with the discs of `shown` alone.
    fn pattern_lines(&self, shown: Bitboard) -> [String; 8] {
        let (own, other) = (self.side.letter(), (!self.side).letter());
        let letter = |square: Square| match square {
            square if !shown.contains(square) => '.',
            square if self.position.player().contains(square) => own,
            square if self.position.opponent().contains(square) => other,
            _ => '-',
        };
        std::array::from_fn(|row| {
            let letters = Square::all().skip(8 * row).take(8).map(letter);
            letters.map(|letter| format!("{letter} ")).collect::<String>().trim_end().to_owned()
        })
    }
}
