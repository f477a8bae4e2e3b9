//! An analysis as text for a terminal, one line for each move.

use std::fmt::{self, Write as _};

use crate::estimate::{std_dev_text, uncertainty_text};
use crate::judge::{Judgement, Valuation};
use crate::summary::{Analysis, Grade, SideTotals, TurningPoint};
use umigame_engine::{Confidence, ScoreKind};
use umigame_othello::text;
use umigame_othello::{Color, Eval, Move};

/// Returns the kind of a search in one word: `exact`, `end@73%`, `16@73%`.
pub fn kind_word(kind: ScoreKind) -> String {
    match kind {
        ScoreKind::Exact => "exact".to_owned(),
        ScoreKind::WinLossDraw => "win-loss".to_owned(),
        ScoreKind::Endgame { confidence } => format!("end@{confidence}"),
        ScoreKind::Depth { .. } => kind.to_string(),
    }
}

/// Returns the kind of a search in a sentence.
pub fn kind_sentence(kind: ScoreKind) -> String {
    match kind {
        ScoreKind::Exact => "the exact score under perfect play".to_owned(),
        ScoreKind::WinLossDraw => "win, loss or draw under perfect play".to_owned(),
        ScoreKind::Endgame { confidence } => {
            let percent = confidence.percent();
            format!("searched to the end of the game; {}", left_out(percent))
        }
        ScoreKind::Depth { plies, confidence: Confidence::FULL } => {
            format!("searched {plies} moves deep in full")
        }
        ScoreKind::Depth { plies, confidence } => {
            let percent = confidence.percent();
            format!("searched {plies} moves deep; {}", left_out(percent))
        }
    }
}

fn left_out(percent: u8) -> String {
    format!("each branch left out is irrelevant with a probability of {percent} %")
}

/// Returns a value in discs, whole ones where it is exact, else tenths.
pub fn number(eval: Eval, kind: ScoreKind) -> String {
    match kind {
        ScoreKind::Exact => eval.round().to_string(),
        _ if eval.centidiscs().abs() < 5 => "0.0".to_owned(),
        _ => format!("{:+.1}", eval.discs()),
    }
}

/// Returns the number of the move; `-` for a pass.
pub(crate) fn number_of(judged: &Judgement) -> String {
    if judged.position.must_pass() { "-".to_owned() } else { judged.number.to_string() }
}

/// Returns a loss in discs, whole ones where it is proven, else tenths.
pub(crate) fn lost(proven: bool, centidiscs: u32) -> String {
    if proven {
        (centidiscs / 100).to_string()
    } else {
        format!("{:.1}", f64::from(centidiscs) / 100.0)
    }
}

/// Characters shown of a name or place; records may contain longer ones.
const MAX_NAME_CHARS: usize = 80;

/// Cuts a text from a record at [`MAX_NAME_CHARS`].
fn shortened(text: &str) -> String {
    let end = text.char_indices().nth(MAX_NAME_CHARS).map(|(end, _)| end);
    match end.and_then(|end| text.get(..end)) {
        Some(beginning) => format!("{beginning}..."),
        None => text.to_owned(),
    }
}

/// Returns the whole name of a player; `None` where the record has none.
pub(crate) fn full_name(analysis: &Analysis, color: Color) -> Option<&str> {
    Some(analysis.record().player(color).name.trim()).filter(|name| !name.is_empty())
}

/// Returns the name of a player, cut where it is long; the color where the record has none.
pub(crate) fn name(analysis: &Analysis, color: Color) -> String {
    full_name(analysis, color).map_or_else(|| color.to_string(), shortened)
}

/// Returns place and date, where the record has them.
pub(crate) fn place_and_date(analysis: &Analysis) -> Vec<String> {
    let record = analysis.record();
    let fields = [record.place.trim(), record.date.trim()].into_iter();
    fields.filter(|text| !text.is_empty()).map(shortened).collect()
}

/// A table of moves; displays the judgements of a game in order.
#[derive(Debug)]
pub struct MoveTable<'a>(pub &'a [Judgement]);

impl fmt::Display for MoveTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>3}    {:<4} {:>6} {:<32}  {:<8} {:<4} {:>6} {:<6}  {:<8} {:>6}",
            "no", "move", "score", "", "depth", "best", "score", "", "depth", "lost"
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
                "{:>3} {}  {:<4} {:>6} {:<32}  {:<8}",
                number_of(judged),
                judged.side.letter(),
                played.first().to_string(),
                black(played.value),
                uncertainty_text(played.value.estimate_for(Color::Black, judged.side)),
                kind_word(played.value.kind),
            );
            if best.first() != played.first() {
                let lost = lost(judged.is_proven(), loss);
                let best_move = best.first().to_string();
                let mark = Grade::of(judged).map_or("", Grade::mark);
                // Writing to a string cannot fail.
                let _ = write!(
                    line,
                    " {best_move:<4} {:>6} {:<6}  {:<8} {lost:>6}  {mark}",
                    black(best.value),
                    std_dev_text(best.value.estimate),
                    kind_word(best.value.kind)
                );
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Returns the totals of a side in a line.
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

/// Returns a turning point in a sentence: `37. White g5: won by 4 with b2, lost by 2`.
pub(crate) fn turning_sentence(point: &TurningPoint) -> String {
    let TurningPoint { number, side, played, better, before, after, .. } = point;
    format!("{number}. {side} {played}: {before} with {better}, {after} now")
}

/// Returns the head of a report: players, result, place, opening.
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

/// The whole report.
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
                "{:>3} {}  to move {:>3} {:<32}  {:<8} {}",
                number_of(judged),
                judged.side.letter(),
                score,
                uncertainty_text(judged.black_estimate()),
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
