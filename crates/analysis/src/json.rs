//! An analysis as one line of JSON.

use serde::Serialize;

use crate::estimate::EstimateRecord;
use crate::judge::{Judgement, ValuedMove};
use crate::summary::{Analysis, Grade, SideTotals, Standing};
use crate::text::full_name;
use umigame_othello::formats::transcript;
use umigame_othello::text;
use umigame_othello::{Color, Move, position_text};

/// A game. All scores are discs for the side to move, unless the name says otherwise.
#[derive(Serialize, Debug)]
struct GameRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    game: usize,
    black: String,
    white: String,
    place: &'a str,
    date: &'a str,
    start: String,
    transcript: String,
    over: bool,
    /// Every position was judged; else the first ones are missing.
    complete: bool,
    score_for_black: Option<i32>,
    opening: Option<&'static str>,
    opening_japanese: Option<&'static str>,
    moves: Vec<PlyRecord>,
    last: Option<LastRecord>,
    totals: SidesRecord,
    turning_points: Vec<TurningPointRecord>,
}

#[derive(Serialize, Debug)]
struct SidesRecord {
    black: SideRecord,
    white: SideRecord,
}

#[derive(Serialize, Debug)]
struct SideRecord {
    moves: u32,
    choices: u32,
    best: u32,
    loss: f64,
    mean_loss: Option<f64>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

/// A move with its score for the side that moves.
#[derive(Serialize, Debug)]
struct MoveRecord {
    r#move: String,
    score: f64,
    #[serde(flatten)]
    estimate: EstimateRecord,
    depth: String,
    proven: bool,
    pv: Vec<String>,
}

/// One move of the game.
#[derive(Serialize, Debug)]
struct PlyRecord {
    /// Plies before it; passes count.
    ply: usize,
    /// Number of the move; `None` for a pass.
    number: Option<usize>,
    color: String,
    position: String,
    played: MoveRecord,
    best: MoveRecord,
    /// Other legal moves, best first, where they were valued.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<MoveRecord>,
    loss: f64,
    grade: &'static str,
    score_for_black: f64,
}

/// The last position of the game.
#[derive(Serialize, Debug)]
struct LastRecord {
    color: String,
    position: String,
    score: f64,
    #[serde(flatten)]
    estimate: EstimateRecord,
    depth: String,
    proven: bool,
    best: Option<MoveRecord>,
}

#[derive(Serialize, Debug)]
struct TurningPointRecord {
    number: usize,
    color: String,
    played: String,
    better: String,
    before: f64,
    after: f64,
    proven: bool,
}

/// Returns `black` or `white`.
fn color_word(color: Color) -> String {
    color.to_string().to_ascii_lowercase()
}

fn scored(scored: &ValuedMove) -> MoveRecord {
    MoveRecord {
        r#move: scored.first().to_string(),
        score: scored.value.eval().discs(),
        estimate: scored.value.estimate.into(),
        depth: scored.value.kind.to_string(),
        proven: scored.value.kind.is_proven(),
        pv: scored.line.iter().map(Move::to_string).collect(),
    }
}

fn ply(judged: &Judgement) -> Option<PlyRecord> {
    Some(PlyRecord {
        ply: judged.ply,
        number: (!judged.position.must_pass()).then_some(judged.number),
        color: color_word(judged.side),
        position: position_text(judged.position, judged.side),
        played: scored(judged.played.as_ref()?),
        best: scored(judged.best.as_ref()?),
        others: judged.others.iter().map(scored).collect(),
        loss: f64::from(judged.loss()?) / 100.0,
        grade: Grade::of(judged)?.word(),
        score_for_black: judged.black().discs(),
    })
}

fn last(judged: &Judgement) -> LastRecord {
    LastRecord {
        color: color_word(judged.side),
        position: position_text(judged.position, judged.side),
        score: judged.value.eval().discs(),
        estimate: judged.value.estimate.into(),
        depth: judged.value.kind.to_string(),
        proven: judged.value.kind.is_proven(),
        best: judged.best.as_ref().map(scored),
    }
}

fn side(totals: &SideTotals) -> SideRecord {
    SideRecord {
        moves: totals.moves,
        choices: totals.choices,
        best: totals.best,
        loss: f64::from(totals.loss) / 100.0,
        mean_loss: totals.mean_loss(),
        inaccuracies: totals.inaccuracies,
        mistakes: totals.mistakes,
        blunders: totals.blunders,
    }
}

/// Returns an analysis as one line of ASCII JSON, without a line end.
///
/// `game` is the number of the game in `file`, from 1.
pub fn json(analysis: &Analysis, file: Option<&str>, game: usize) -> String {
    let record = analysis.record();
    let [opening, japanese] = analysis.openings();
    let proven = |standing: Standing| standing.proven;
    let name =
        |color: Color| full_name(analysis, color).map_or_else(|| color.to_string(), str::to_owned);
    let game = GameRecord {
        file,
        game,
        black: name(Color::Black),
        white: name(Color::White),
        place: &record.place,
        date: &record.date,
        start: position_text(record.start, record.side),
        transcript: transcript::squares(record).map(|square| square.to_string()).collect(),
        over: analysis.board().is_over(),
        complete: analysis.is_complete(),
        score_for_black: analysis.score_for_black().map(|score| score.discs()),
        opening: opening.map(|opening| opening.name),
        opening_japanese: japanese.map(|opening| opening.name),
        moves: analysis.judgements().iter().filter_map(ply).collect(),
        last: analysis.judgements().last().map(last),
        totals: SidesRecord {
            black: side(&analysis.totals(Color::Black)),
            white: side(&analysis.totals(Color::White)),
        },
        turning_points: analysis
            .turning_points()
            .iter()
            .map(|point| TurningPointRecord {
                number: point.number,
                color: color_word(point.side),
                played: point.played.to_string(),
                better: point.better.to_string(),
                before: point.before.eval.discs(),
                after: point.after.eval.discs(),
                proven: proven(point.before) && proven(point.after),
            })
            .collect(),
    };
    // Serialisation fails for maps without text keys only; there are none.
    let text = serde_json::to_string(&game).unwrap_or_default();
    text::json(&text)
}
