//! An analysis as text for a terminal: ASCII, a line for each move.

use std::fmt::{self, Write as _};

use super::judge::{Judgement, Valuation};
use super::summary::{Analysis, Grade, SideTotals, TurningPoint};
use umigame_engine::search::ScoreKind;
use umigame_othello::text;
use umigame_othello::{Color, Eval, Move};

/// What stands behind a number, in one word: `exact`, `end@73%`, `16@73%`.
pub fn kind_word(kind: ScoreKind) -> String {
    match kind {
        ScoreKind::Exact => "exact".to_owned(),
        ScoreKind::WinLossDraw => "win-loss".to_owned(),
        ScoreKind::Ending { percent } => format!("end@{percent}%"),
        ScoreKind::Depth { .. } => kind.to_string(),
    }
}

/// What stands behind a number, in a sentence.
pub fn kind_sentence(kind: ScoreKind) -> String {
    match kind {
        ScoreKind::Exact => "the exact score under perfect play".to_owned(),
        ScoreKind::WinLossDraw => "win, loss or draw under perfect play".to_owned(),
        ScoreKind::Ending { percent } => format!("read to the end, each cut sure at {percent} %"),
        ScoreKind::Depth { plies, percent: 100 } => format!("every line to {plies} plies"),
        ScoreKind::Depth { plies, percent } => {
            format!("searched to {plies} plies, each cut sure at {percent} %")
        }
    }
}

/// A number for Black: whole discs where it is proven.
pub fn number(eval: Eval, kind: ScoreKind) -> String {
    match kind {
        ScoreKind::Exact => eval.round().to_string(),
        _ => eval.to_string(),
    }
}

/// The number of the move that was made or is due; a pass has none.
pub fn number_of(judged: &Judgement) -> String {
    if judged.position.must_pass() { "-".to_owned() } else { judged.number.to_string() }
}

/// A loss in discs: whole ones where it is proven.
pub fn lost(proven: bool, centidiscs: u32) -> String {
    match proven {
        true => (centidiscs / 100).to_string(),
        false => format!("{:.2}", f64::from(centidiscs) / 100.0),
    }
}

/// More letters than these of a text from a record nobody reads.
const MAX_NAME_CHARS: usize = 80;

/// A text from a record, without its end where it is too long to be read.
fn shortened(text: &str) -> String {
    let end = text.char_indices().nth(MAX_NAME_CHARS).map(|(end, _)| end);
    match end.and_then(|end| text.get(..end)) {
        Some(beginning) => format!("{beginning}..."),
        None => text.to_owned(),
    }
}

/// A player's name in full; none where the record has none.
pub fn full_name(analysis: &Analysis, color: Color) -> Option<&str> {
    Some(analysis.record().player(color).name.trim()).filter(|name| !name.is_empty())
}

/// A player's name as people are shown it, or the colour where there is none.
pub fn name(analysis: &Analysis, color: Color) -> String {
    full_name(analysis, color).map_or_else(|| color.to_string(), shortened)
}

/// Where and when it was played, as far as the record says.
pub fn place_and_date(analysis: &Analysis) -> Vec<String> {
    let record = analysis.record();
    let said = [record.place.trim(), record.date.trim()].into_iter();
    said.filter(|text| !text.is_empty()).map(shortened).collect()
}

/// The table of the moves of a judged game, the positions in order.
pub struct MoveTable<'a>(pub &'a [Judgement]);

impl fmt::Debug for MoveTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MoveTable({})", self.0.len())
    }
}

impl fmt::Display for MoveTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>3}    {:<4} {:>8}  {:<8} {:<4} {:>8}  {:<8} {:>6}",
            "no", "move", "score", "depth", "best", "score", "depth", "lost"
        )?;
        for judged in self.0 {
            let (Some(best), Some(played), Some(loss)) =
                (&judged.best, &judged.played, judged.loss())
            else {
                continue;
            };
            let black =
                |value: Valuation| number(value.seen_by(Color::Black, judged.side), value.kind);
            let mut line = format!(
                "{:>3} {}  {:<4} {:>8}  {:<8}",
                number_of(judged),
                judged.side.letter(),
                played.first().to_string(),
                black(played.value),
                kind_word(played.value.kind),
            );
            if best.first() != played.first() {
                let lost = lost(judged.is_proven(), loss);
                let best_move = best.first().to_string();
                let mark = Grade::of(judged).map_or("", Grade::mark);
                // Writing to a string cannot fail.
                let _ = write!(
                    line,
                    " {best_move:<4} {:>8}  {:<8} {lost:>6}  {mark}",
                    black(best.value),
                    kind_word(best.value.kind)
                );
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// What one side did, in a line.
fn totals_line(color: Color, name: &str, totals: &SideTotals) -> String {
    let Some((mean, accuracy)) = totals.mean_loss().zip(totals.accuracy()) else {
        return format!("{color}, {name}: no choice");
    };
    format!(
        "{color}, {name}: lost {:.2} discs a move, {:.2} in all; best {} of {} ({:.0} %); \
         inaccuracies {}, mistakes {}, blunders {}",
        mean,
        f64::from(totals.loss) / 100.0,
        totals.best,
        totals.choices,
        100.0 * accuracy,
        totals.inaccuracies,
        totals.mistakes,
        totals.blunders,
    )
}

/// A turning point in a sentence: `37. White g5: won by 4 with b2, lost by 2`.
pub fn turning_sentence(point: &TurningPoint) -> String {
    let TurningPoint { number, side, played, better, before, after, .. } = point;
    format!("{number}. {side} {played}: {before} with {better}, {after} now")
}

/// The head of a report: who, where, which opening, how it ended.
fn head(analysis: &Analysis) -> String {
    let [black, white] = Color::ALL.map(|color| text::shown(&name(analysis, color)));
    let mut text = format!("# {black} - {white}");
    if let Some(score) = analysis.score_for_black() {
        let _ = write!(text, ", {score} for Black");
    }
    let place = place_and_date(analysis);
    if !place.is_empty() {
        let _ = write!(text, "\n# {}", text::shown(&place.join(", ")));
    }
    // The Japanese names are not ASCII.
    if let [Some(opening), _] = analysis.openings() {
        let _ = write!(text, "\n# opening: {}, to move {}", opening.name, opening.plies);
    }
    if let Some(gap) = analysis.gap_sentence() {
        let _ = write!(text, "\n# incomplete: {gap}");
    }
    text
}

/// A whole analysis.
impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", head(self))?;
        writeln!(f, "# scores for Black")?;
        write!(f, "{}", MoveTable(self.judgements()))?;
        let last = self.judgements().last().filter(|judged| judged.best.is_some());
        if let Some((judged, best)) = last.and_then(|last| Some((last, last.best.as_ref()?))) {
            let score = number(judged.black(), judged.value.kind);
            writeln!(
                f,
                "{:>3} {}  to move {:>6}  {:<8} {}",
                number_of(judged),
                judged.side.letter(),
                score,
                kind_word(judged.value.kind),
                best.line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
            )?;
        }
        for color in Color::ALL {
            let totals = self.totals(color);
            writeln!(f, "# {}", totals_line(color, &text::shown(&name(self, color)), &totals))?;
        }
        for point in self.turning_points() {
            writeln!(f, "# {}", turning_sentence(&point))?;
        }
        Ok(())
    }
}
