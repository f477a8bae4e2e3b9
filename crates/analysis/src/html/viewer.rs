//! The board that replays a game: its markup and the data of its script.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::parts::{for_black, sure_text};
use crate::diagram::Diagram;
use crate::judge::Judgement;
use crate::summary::{Analysis, Grade};
use crate::text::kind_word;
use umigame_othello::{Color, Move, Position, Square, position_text};

const SCRIPT: &str = include_str!("page.js");

/// Returns the board with its buttons; the script fills it.
pub(super) fn board() -> Markup {
    html! {
        div.card.viewer id="viewer" {
            div.board { (PreEscaped(Diagram::default().svg())) }
            div.controls {
                button id="back" aria-label="one move back" { "\u{2039}" }
                input id="ply" type="range" min="0" value="0" aria-label="move";
                button id="on" aria-label="one move on" { "\u{203a}" }
            }
            p.caption id="caption" {}
        }
    }
}

/// Returns the script and its data.
pub(super) fn scripts(analysis: &Analysis) -> Markup {
    html! {
        script type="application/json" id="plies" { (PreEscaped(plies_json(analysis))) }
        script { (PreEscaped(SCRIPT)) }
    }
}

/// A position of the game; the script knows the short names.
#[derive(Serialize, Debug)]
struct ViewerPly {
    /// The squares from a1 to h8.
    #[serde(rename = "b")]
    board: String,
    /// Index of the last move's square, -1 without one.
    #[serde(rename = "l")]
    last: i32,
    /// Index of the best move's square, -1 without one.
    #[serde(rename = "n")]
    best: i32,
    #[serde(rename = "t")]
    caption: String,
}

/// Returns the positions of the game as JSON that cannot end a script element.
fn plies_json(analysis: &Analysis) -> String {
    let moves: Vec<Move> = analysis.board().history().collect();
    let judgements = analysis.judgements();
    // An interrupted analysis lacks the judgements of the first positions.
    let missing = (moves.len() + 1).saturating_sub(judgements.len());
    let judgement_at = |ply: Option<usize>| judgements.get(ply?.checked_sub(missing)?);
    let index = |square: Option<Square>| square.map_or(-1, |square| square.index() as i32);
    let ply_at = |ply: usize| {
        let before = ply.checked_sub(1);
        let last = before.and_then(|before| moves.get(before));
        let judged = judgement_at(Some(ply));
        let best = judged.and_then(|judged| judged.best.as_ref());
        let (position, side) = analysis.position_at(ply);
        ViewerPly {
            board: board_text(position, side),
            last: index(last.and_then(|played| played.square())),
            best: index(best.and_then(|best| best.first().square())),
            caption: match judged {
                Some(judged) => caption(judged, judgement_at(before)),
                None => "This position was not judged.".to_owned(),
            },
        }
    };
    let plies: Vec<ViewerPly> = (0..=moves.len()).map(ply_at).collect();
    let json = serde_json::to_string(&plies).unwrap_or_else(|_| "[]".to_owned());
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn board_text(position: Position, side: Color) -> String {
    let mut text = position_text(position, side);
    text.truncate(64);
    text
}

/// Returns the caption of a position: the move before it, its score, its best move.
fn caption(judged: &Judgement, before: Option<&Judgement>) -> String {
    let mut text = before.and_then(move_text).unwrap_or_default();
    let after = if text.is_empty() { "" } else { "After it: " };
    let score = for_black(judged.value, judged.side);
    // Writing to a string cannot fail.
    let _ = match &judged.best {
        None => write!(text, "{after}{score} for Black, the end."),
        Some(best) => {
            let (kind, side) = (kind_word(judged.value.kind), judged.side);
            let best = best.first();
            let sure = sure_text(judged.black_estimate());
            let sure = if sure.is_empty() { sure } else { format!(" {sure}") };
            write!(text, "{after}{score}{sure} for Black ({kind}). {side} to move, best {best}.")
        }
    };
    text
}

/// Returns the move played, its mark, and a better move: `37. White g5? (b2 better by 4.0) `.
fn move_text(judged: &Judgement) -> Option<String> {
    let played = judged.played.as_ref()?.first();
    let mark = Grade::of(judged).map_or("", Grade::mark);
    let mut text = match played {
        Move::Pass => format!("{} passes ", judged.side),
        square => format!("{}. {} {square}{mark} ", judged.number, judged.side),
    };
    if let (Some(best), Some(loss)) = (&judged.best, judged.loss())
        && best.first() != played
    {
        let _ = write!(text, "({} better by {:.1}) ", best.first(), f64::from(loss) / 100.0);
    }
    Some(text)
}
