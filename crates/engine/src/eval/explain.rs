//! The evaluation of a position in words and numbers: what each side has,
//! and what it is worth.

use std::fmt;

use super::features::{
    BOARD_FEATURES, EDGE_FEATURES, OF_EDGE, Topic, board_features, line_features,
};
use super::parity::{around, regions};
use super::tables::{STAGES, between_weights};
use super::weights::WEIGHTS;
use super::{Contributions, Evaluation, Group, MidBoard, evaluate_by_hand};
use umigame_othello::edges::{Edge, EdgeShape, edge_shapes};
use umigame_othello::stability::stable;
use umigame_othello::{
    Board, C_SQUARES, CORNERS, Color, Eval, Position, Square, X_SQUARES, squares,
};

/// One line of an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// What it is about.
    pub topic: Topic,
    /// The squares of the side to move and of the other side that the topic
    /// counts; `None` where they belong to neither.
    pub squares: Option<[u64; 2]>,
    /// What it is worth to the side to move, all features of the topic
    /// together, in thousandths of a disc.
    pub worth: i32,
}

/// Why a position is worth what [`evaluate_by_hand`] says.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The position that is explained.
    pub position: Position,
    /// Whose move it is.
    pub side: Color,
    /// What is counted and what it is worth. The worths add up to the sum,
    /// except where that would leave the board.
    pub terms: Vec<Term>,
    /// Mountains, wings and lone Cs.
    pub shapes: Vec<EdgeShape>,
    /// The empty squares in connected regions, one word each.
    pub regions: Vec<u64>,
    /// The worths together, for the side to move.
    pub sum: Eval,
    /// What trained weights say, where they are what the search sees.
    pub trained: Option<Eval>,
    /// The value of the trained weights taken apart, where they are what the
    /// search sees.
    pub contributions: Option<Contributions>,
}

/// Explains a position with this side to move.
pub fn explain(evaluation: &Evaluation, position: Position, side: Color) -> Explanation {
    Explanation {
        position,
        side,
        terms: terms(position),
        shapes: edge_shapes(position, side),
        regions: regions(position.empty()).collect(),
        sum: Eval::from_centidiscs(evaluate_by_hand(position)),
        trained: trained(evaluation, position),
        contributions: contributions(evaluation, position),
    }
}

fn trained(evaluation: &Evaluation, position: Position) -> Option<Eval> {
    let value = || evaluation.evaluate(&MidBoard::new(position));
    (evaluation.checksum() != 0).then(|| Eval::from_centidiscs(value()))
}

fn contributions(evaluation: &Evaluation, position: Position) -> Option<Contributions> {
    match evaluation {
        Evaluation::Trained(trained) => Some(Contributions::of(trained, position)),
        Evaluation::Handmade => None,
    }
}

fn terms(position: Position) -> Vec<Term> {
    let Position { player, opponent } = position;
    let empty = position.empty();
    let moves = [position.moves(), position.passed().moves()];
    let worth = worths(position, moves);
    let both = |squares: u64| Some([player & squares, opponent & squares]);
    let term = |topic, squares| Term { topic, squares, worth: worth(topic) };
    vec![
        term(Topic::Discs, both(u64::MAX)),
        term(Topic::Mobility, Some(moves)),
        term(Topic::PotentialMobility, Some([opponent, player].map(|discs| around(discs) & empty))),
        term(Topic::Corners, both(CORNERS)),
        term(Topic::CSquares, both(C_SQUARES)),
        term(Topic::XSquares, both(X_SQUARES)),
        term(Topic::Stability, Some([stable(player, opponent), stable(opponent, player)])),
        term(Topic::EdgeShapes, None),
        term(Topic::Parity, None),
    ]
}

/// What each topic is worth in a position with these moves of its two sides.
fn worths(position: Position, moves: [u64; 2]) -> impl Fn(Topic) -> i32 {
    let weights = between_weights(&WEIGHTS, position.empties() as i32);
    let mut edge = [0; OF_EDGE];
    for of in Edge::ALL {
        let features = line_features(of.line(position.player), of.line(position.opponent));
        edge.iter_mut().zip(features).for_each(|(sum, feature)| *sum += feature);
    }
    let board = board_features(position, moves[0], moves[1]);
    let [own, other] = moves.map(|moves| moves.count_ones() as usize);
    let stage = &STAGES[position.empties() as usize];
    let mobility = stage.moves[own] + stage.other_moves[other];
    move |topic| {
        let of_edge = EDGE_FEATURES.iter().zip(edge.iter().zip(&weights.edge));
        let of_board = BOARD_FEATURES.iter().zip(board.iter().zip(&weights.board));
        let sum: i32 = of_edge
            .chain(of_board)
            .filter(|((of, _), _)| *of == topic)
            .map(|(_, (feature, weight))| feature * weight)
            .sum();
        sum + if topic == Topic::Mobility { mobility } else { 0 }
    }
}

/// The board, what the weights see, a table of terms, and what is to be said
/// in words.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explanation { position, side, sum, .. } = self;
        write!(f, "{}", Board::from_position(*position, *side))?;
        writeln!(f, "{side} to move, {} empty", position.empties())?;
        if let Some(trained) = self.trained {
            writeln!(f, "\nwithout looking ahead: {trained} for {side}")?;
        }
        writeln!(f)?;
        let head = format!("for {side}");
        writeln!(f, "{:<20}{:>6}{:>7}{head:>12}", "", "Black", "White")?;
        for Term { topic, squares, worth } in &self.terms {
            let [black, white] = match (squares, side) {
                (None, _) => ["-".to_owned(), "-".to_owned()],
                (Some([own, other]), Color::Black) => counts([*own, *other]),
                (Some([own, other]), Color::White) => counts([*other, *own]),
            };
            let worth = f64::from(*worth) / 1000.0;
            writeln!(f, "{topic:<20}{black:>6}{white:>7}{worth:>+12.2}")?;
        }
        writeln!(f, "{:<20}{:>25}", "sum", sum.to_string())?;
        if self.trained.is_some() {
            writeln!(f, "{:<20}{:>25}", "", "(by the handmade weights)")?;
        }
        writeln!(f)?;
        self.fmt_words(f)?;
        match &self.contributions {
            Some(apart) => self.fmt_contributions(f, &apart),
            None => Ok(()),
        }
    }
}

/// A name that fits over a board.
fn short(name: &str) -> String {
    name.replace("diagonal of 7 and its corners", "diagonal of 7")
}

fn counts(squares: [u64; 2]) -> [String; 2] {
    squares.map(|squares| squares.count_ones().to_string())
}

/// Squares as `a1 h8`, or a word where there are none.
fn list(found: impl Iterator<Item = Square>) -> String {
    let names: Vec<String> = found.map(|square| square.to_string()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}

/// Patterns that are drawn.
const DRAWN: usize = 8;
/// Boards beside each other.
const IN_A_ROW: usize = 4;
/// Letters for one board, with the gap behind it.
const COLUMN: usize = 20;

impl Explanation {
    /// What the trained weights see, by group, and the patterns that weigh
    /// most, drawn.
    fn fmt_contributions(&self, f: &mut fmt::Formatter<'_>, apart: &Contributions) -> fmt::Result {
        let side = self.side;
        let empties = self.position.empties();
        writeln!(f, "\nwhat the trained weights see, in discs for {side}:")?;
        writeln!(
            f,
            "  {:<34}{:>+8.2}",
            format!("an ordinary position, {empties} empty"),
            apart.ordinary
        )?;
        for group in Group::ALL {
            writeln!(f, "  {group:<34}{:>+8.2}", apart.sum_of(group))?;
        }
        writeln!(f, "\nthe patterns that weigh most beside their means:")?;
        let heaviest = apart.heaviest();
        let drawn: Vec<_> =
            heaviest.iter().filter_map(|one| Some((one.pattern?, one.worth))).take(DRAWN).collect();
        for row in drawn.chunks(IN_A_ROW) {
            writeln!(f)?;
            let mut lines = vec![String::new(); 10];
            for ((name, squares), worth) in row {
                let head = [format!("{worth:+.2}"), short(name)];
                let board = self.pattern_lines(*squares);
                for (line, text) in lines.iter_mut().zip(head.iter().chain(&board)) {
                    *line += &format!("  {text:<width$}", width = COLUMN - 2);
                }
            }
            for line in lines {
                writeln!(f, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }

    /// The board in eight lines with the discs of these squares only.
    fn pattern_lines(&self, shown: u64) -> [String; 8] {
        let (own, other) = (self.side.letter(), (!self.side).letter());
        let letter = |square: Square| match square.bit() {
            bit if bit & shown == 0 => '.',
            bit if bit & self.position.player != 0 => own,
            bit if bit & self.position.opponent != 0 => other,
            _ => '-',
        };
        std::array::from_fn(|row| {
            let letters = Square::all().skip(8 * row).take(8).map(letter);
            letters.map(|letter| format!("{letter} ")).collect::<String>().trim_end().to_owned()
        })
    }

    /// What numbers do not say: where.
    fn fmt_words(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explanation { position, side, .. } = self;
        for (color, own) in [(*side, position.player), (!*side, position.opponent)] {
            let moves = if color == *side { position.moves() } else { position.passed().moves() };
            writeln!(f, "{color} may move to {}", list(squares(moves)))?;
            let risky = own & (C_SQUARES | X_SQUARES) & around(CORNERS & position.empty());
            if risky != 0 {
                writeln!(f, "{color} holds {} beside an empty corner", list(squares(risky)))?;
            }
        }
        for (color, own, other) in [
            (*side, position.player, position.opponent),
            (!*side, position.opponent, position.player),
        ] {
            let safe = stable(own, other);
            if safe != 0 {
                writeln!(f, "{color} can never lose {}", list(squares(safe)))?;
            }
        }
        for shape in &self.shapes {
            writeln!(f, "{} has a {shape}", shape.color)?;
        }
        let sizes: Vec<String> = self
            .regions
            .iter()
            .map(|&region| {
                let size = region.count_ones();
                let parity = if size % 2 == 0 { "even" } else { "odd" };
                match size {
                    1 => format!("{} (odd)", Square::lowest(region)),
                    _ => format!("{size} around {} ({parity})", Square::lowest(region)),
                }
            })
            .collect();
        match sizes.len() {
            0 => writeln!(f, "no square is empty"),
            1 => writeln!(f, "one region of empty squares: {}", sizes[0]),
            count => writeln!(f, "{count} regions of empty squares: {}", sizes.join(", ")),
        }
    }
}

/// `mobility`, `C squares`.
impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Topic::Discs => "discs",
            Topic::Mobility => "mobility",
            Topic::PotentialMobility => "potential mobility",
            Topic::Corners => "corners",
            Topic::CSquares => "C squares",
            Topic::XSquares => "X squares",
            Topic::Stability => "stable discs",
            Topic::EdgeShapes => "edge shapes",
            Topic::Parity => "parity",
        })
    }
}
