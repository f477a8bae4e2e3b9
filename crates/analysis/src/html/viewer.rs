//! The board and the graph of a game: their markup, and the data of their script.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use umigame_web::REPORT_SCRIPT;

use super::parts::{for_black, in_script, sure_text};
use crate::json::json;
use crate::judge::Judgement;
use crate::summary::{Analysis, Grade};
use crate::text::kind_word;
use umigame_othello::Move;

/// Buttons around the slider: id, name for screen readers, sign.
const BEFORE: [(&str, &str, &str); 2] =
    [("first", "To the start", "\u{ab}"), ("back", "Back", "\u{2039}")];
const AFTER: [(&str, &str, &str); 2] =
    [("forward", "Forward", "\u{203a}"), ("last", "To the end", "\u{bb}")];

/// Returns the board with its buttons; the script fills it.
pub(super) fn board() -> Markup {
    html! {
        section.stage.scripted aria-labelledby="board-title" {
            h2.hidden id="board-title" { "Board" }
            umigame-board id="board" {}
            div.standing {
                span.discs id="discs-black" { span.chip.black {} b {} }
                p id="status" role="status" {}
                span.discs id="discs-white" { b {} span.chip.white {} }
            }
            div.steps {
                (buttons(BEFORE))
                input id="place" type="range" min="0" max="0" value="0" aria-label="Place in the game";
                (buttons(AFTER))
            }
            div.buttons {
                button.quiet id="to-game" type="button" hidden { "Back to the game" }
                button.quiet id="mistake" type="button" title="Key m" { "Next mistake" }
            }
            ol.variations id="variations" {}
        }
    }
}

fn buttons(buttons: [(&str, &str, &str); 2]) -> Markup {
    html! {
        @for (id, label, sign) in buttons {
            button.icon id=(id) type="button" title=(label) aria-label=(label) { (sign) }
        }
    }
}

/// Returns the place of the graph; the script draws it.
pub(super) fn graph() -> Markup {
    html! {
        section.card.scripted aria-labelledby="graph-title" {
            h2 id="graph-title" { "Score for Black" }
            div.graph id="graph" {}
            p.legend {
                span { i.curve {} "score" }
                span { i.sure {} "one standard deviation" }
                @for (grade, shape, discs) in [
                    (Grade::Inaccuracy, "M0-4 4 0 0 4-4 0Z", 2),
                    (Grade::Mistake, "M0-5 5 4-5 4Z", 4),
                    (Grade::Blunder, "M-4-4H4V4H-4Z", 10),
                ] {
                    span {
                        svg viewBox="-6 -6 12 12" { path d=(shape) {} }
                        (grade.word()) " " (grade.mark()) " (" (discs) "+)"
                    }
                }
            }
        }
    }
}

/// Returns the script and its data.
pub(super) fn scripts(analysis: &Analysis) -> Markup {
    let captions = serde_json::to_string(&captions(analysis)).unwrap_or_else(|_| "[]".to_owned());
    // Names may be long, and the script shows none.
    let analysis = json(&analysis.anonymous(), None, 1);
    let data = format!("{{\"analysis\":{analysis},\"captions\":{captions}}}");
    html! {
        script type="application/json" id="report" { (PreEscaped(in_script(&data))) }
        script type="module" { (PreEscaped(REPORT_SCRIPT)) }
    }
}

/// Returns a caption for each position in which a side may move, and for the last.
fn captions(analysis: &Analysis) -> Vec<String> {
    let plies = analysis.board().plies();
    let judgements = analysis.judgements();
    // An interrupted analysis lacks the judgements of the first positions.
    let missing = (plies + 1).saturating_sub(judgements.len());
    let judgement_at = |ply: usize| judgements.get(ply.checked_sub(missing)?);
    let must_pass = |ply: usize| analysis.position_at(ply).0.must_pass();
    let mut captions = Vec::new();
    for ply in 0..=plies {
        if must_pass(ply) && ply < plies {
            continue;
        }
        captions.push(match judgement_at(ply) {
            Some(judged) => {
                let mut before = ply.checked_sub(1).and_then(judgement_at);
                let mut text = String::new();
                // The move comes before the pass.
                if let Some(pass) = before.filter(|judged| judged.position.must_pass()) {
                    text = move_text(pass).unwrap_or_default();
                    before = ply.checked_sub(2).and_then(judgement_at);
                }
                caption(judged, before.and_then(move_text).unwrap_or_default() + &text)
            }
            None => "This position was not judged.".to_owned(),
        });
    }
    captions
}

/// Returns the caption of a position: the move before it, its score, its best move.
fn caption(judged: &Judgement, moves: String) -> String {
    let mut text = moves;
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
        Move::Pass => format!("{} passes. ", judged.side),
        square => format!("{}. {} {square}{mark} ", judged.number, judged.side),
    };
    if let (Some(best), Some(loss)) = (&judged.best, judged.loss())
        && best.first() != played
    {
        let _ = write!(text, "({} better by {:.1}) ", best.first(), f64::from(loss) / 100.0);
    }
    Some(text)
}
