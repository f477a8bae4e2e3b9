//! The report of one game.

use maud::{Markup, PreEscaped, html};

use super::parts::{
    accuracy_text, counted, disc, discs_text, document, for_black, grade_class, mean_loss_text,
    printable, result_text, side, sure_text,
};
use super::viewer;
use crate::diagram::Diagram;
use crate::judge::{Judgement, Valuation};
use crate::summary::{Analysis, Grade, SideTotals, TurningPoint};
use crate::text::{kind_sentence, kind_word, lost, name, number_of, place_and_date};
use umigame_engine::ScoreKind;
use umigame_othello::formats::transcript;
use umigame_othello::{Board, Color, Move};

/// Moves of the better line shown for a turning point.
const MAX_LINE_MOVES: usize = 5;

/// Returns the page of a game.
///
/// `settings` is a sentence on how the game was searched; `back` is a link to the index.
pub fn page(analysis: &Analysis, settings: &str, back: Option<&str>) -> String {
    let [black, white] = Color::ALL.map(|color| name(analysis, color));
    let title = format!("{black} \u{2013} {white}");
    let content = html! {
        (header(analysis, back))
        main {
            (viewer::board())
            div.report {
                (viewer::graph())
                (sides(analysis))
                (turning_points(analysis))
                (move_table(analysis))
                (game(analysis, settings))
            }
        }
    };
    document(&printable(&title), &content, &viewer::scripts(analysis))
}

fn header(analysis: &Analysis, back: Option<&str>) -> Markup {
    let place = place_and_date(analysis);
    let board = analysis.board();
    let moves = board.history().filter(|played| played.square().is_some()).count();
    html! {
        header {
            p.eyebrow {
                @for (index, part) in place.iter().enumerate() {
                    @if index > 0 { " \u{b7} " }
                    bdi { (printable(part)) }
                }
                @if let Some(back) = back {
                    span.screen {
                        @if !place.is_empty() { " \u{b7} " }
                        a href=(back) { "all games" }
                    }
                }
            }
            h1.players {
                (side(analysis, Color::Black))
                @if board.is_over() {
                    span.score { (discs_text(board.score_for_black())) }
                } @else {
                    span.vs { "vs" }
                }
                (side(analysis, Color::White))
            }
            p.lead {
                (opening(analysis))
                (counted(moves, "move", "moves")) " \u{b7} " (result_text(analysis))
            }
            @if let Some(gap) = analysis.gap_sentence() {
                p.gap { "Incomplete: " (gap) "." }
            }
        }
    }
}

/// Returns the English and Japanese names of the opening, and a separator.
fn opening(analysis: &Analysis) -> Markup {
    let [english, japanese] = analysis.openings();
    html! {
        @if english.is_some() || japanese.is_some() {
            "Opening: "
            @if let Some(english) = english {
                b { (english.name) }
                @if let Some(japanese) = japanese { " " span lang="ja" { (japanese.name) } }
            } @else if let Some(japanese) = japanese {
                b lang="ja" { (japanese.name) }
            }
            " \u{b7} "
        }
    }
}

fn sides(analysis: &Analysis) -> Markup {
    html! {
        section.sides {
            @for color in Color::ALL { (side_card(analysis, color)) }
        }
    }
}

fn side_card(analysis: &Analysis, color: Color) -> Markup {
    let totals = analysis.totals(color);
    let SideTotals { choices, best, loss, inaccuracies, mistakes, blunders, .. } = totals;
    let marks = [
        (inaccuracies, "inaccuracy", "inaccuracies"),
        (mistakes, "mistake", "mistakes"),
        (blunders, "blunder", "blunders"),
    ];
    html! {
        div.card.side {
            h2 { (side(analysis, color)) }
            div.figures {
                div { b { (mean_loss_text(&totals)) } span { "discs lost a move" } }
                div { b { (format!("{:.1}", f64::from(loss) / 100.0)) } span { "lost in all" } }
                div { b { (accuracy_text(&totals)) } span { "best: " (best) " of " (choices) } }
            }
            p.marks {
                @for (count, one, many) in marks {
                    span { b { (count) } " " (if count == 1 { one } else { many }) }
                }
            }
        }
    }
}

fn turning_points(analysis: &Analysis) -> Markup {
    let points = analysis.turning_points();
    // Rows of three where no board is left alone in a row.
    let class = if [3, 5, 6].contains(&points.len()) { "turns three" } else { "turns" };
    html! {
        section {
            h2 { "Turning points" }
            @if points.is_empty() {
                p.soft { "None: no move gave the result away." }
            } @else {
                div class=(class) {
                    @for point in &points { (turning_point(analysis, point)) }
                }
                p.legend {
                    "On the boards: a red cross on the move played, a yellow ring on a better one. "
                    span.screen.scripted { "A click shows the position on the large board." }
                }
            }
        }
    }
}

fn turning_point(analysis: &Analysis, point: &TurningPoint) -> Markup {
    let TurningPoint { ply, number, side, played, better, before, after, .. } = *point;
    let (position, _) = analysis.position_at(ply);
    let board = Board::from_position(position, side);
    let judged = analysis.judgements().iter().find(|judged| judged.ply == ply);
    let best = judged.and_then(|judged| judged.best.as_ref());
    let rest: Vec<String> = best
        .iter()
        .flat_map(|best| best.line.iter().skip(1).take(MAX_LINE_MOVES))
        .map(Move::to_string)
        .collect();
    html! {
        figure.turn.card data-n=(number - 1) {
            div.picture {
                (PreEscaped(Diagram::of(&board).with_choice(played, better).svg()))
            }
            figcaption {
                h3 {
                    a href={ "#" (number - 1) } {
                        (number) ". " (disc(side)) " " (played.to_string())
                    }
                }
                p.swing { "Before: " (before.to_string()) "; after: " (after.to_string()) }
                p { (better.to_string()) " was better" }
                @if !rest.is_empty() { p.soft { "then " (rest.join(" ")) } }
            }
        }
    }
}

fn move_table(analysis: &Analysis) -> Markup {
    let judgements = analysis.judgements();
    let rows: Vec<Markup> =
        judgements.windows(2).filter_map(|pair| row(pair.first()?, pair.last()?)).collect();
    html! {
        @if !rows.is_empty() {
            section.whole.moves-section {
                h2 { "Moves" }
                p.legend {
                    "The score is that of the position after the move, for Black, as on board and graph. "
                    "What a move lost comes from searches before it, of this move and the best one to the "
                    "same depth: estimates on both sides of a move may differ by another amount. "
                    span.screen.scripted { "A click on a row shows the move on the large board." }
                }
                div.card.whole {
                    div.tables {
                        @for half in rows.chunks(rows.len().div_ceil(2)) { (half_table(half)) }
                    }
                }
            }
        }
    }
}

fn half_table(rows: &[Markup]) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th { "No." }
                    th { "Move" }
                    th.n { "Score" }
                    th { "Depth" }
                    th { "Best" }
                    th.n { "Lost" }
                }
            }
            tbody { @for row in rows { (row) } }
        }
    }
}

/// Returns the row of a move, with the position after it.
fn row(judged: &Judgement, after: &Judgement) -> Option<Markup> {
    let (best, played) = (judged.best.as_ref()?, judged.played.as_ref()?);
    let (grade, loss) = (Grade::of(judged)?, judged.loss()?);
    let is_best = best.first() == played.first();
    // A pass belongs to the position before it.
    let place = if judged.position.must_pass() { judged.number - 1 } else { judged.number };
    Some(html! {
        tr class=(grade_class(grade)) data-n=(place) {
            td.no { (number_of(judged)) }
            td.name { a href={ "#" (place) } { (disc(judged.side)) " " (played.first().to_string()) } }
            td.n {
                span title=[sure(after.value, after.side)] { (for_black(after.value, after.side)) }
            }
            td { (depth(after.value.kind)) }
            td {
                @if grade == Grade::Forced {
                    span.soft { "only" }
                } @else if is_best {
                    span.ok { "\u{2713}" }
                } @else {
                    span title={ "before the move: " (for_black(best.value, judged.side)) " with "
                        (best.first().to_string()) ", " (for_black(played.value, judged.side)) " with "
                        (played.first().to_string()) ", for Black" } { (best.first().to_string()) }
                }
            }
            td.n.lost {
                @if !is_best { (lost(judged.is_proven(), loss)) }
                span.mark { (grade.mark()) }
            }
        }
    })
}

/// Returns how sure a value is for Black; `None` where it is exact or unknown.
fn sure(value: Valuation, side: Color) -> Option<String> {
    let text = sure_text(value.estimate_for(Color::Black, side));
    (!text.is_empty()).then_some(text)
}

fn depth(kind: ScoreKind) -> Markup {
    let class = if kind == ScoreKind::Exact { "pill" } else { "pill guess" };
    html! { span class=(class) title=(kind_sentence(kind)) { (kind_word(kind)) } }
}

/// Returns the numbered game, its transcript, and how to read the page.
fn game(analysis: &Analysis, settings: &str) -> Markup {
    let moves: String =
        transcript::squares(analysis.record()).map(|square| square.to_string()).collect();
    html! {
        section {
            h2 { "The game" }
            div.card.final {
                div.picture { (PreEscaped(Diagram::of_game(analysis.board()).svg())) }
                div {
                    p.moves { (moves) }
                    h2 { "How to read this" }
                    ul {
                        li { (printable(settings)) }
                        li {
                            b { "exact" } " is the score under perfect play. " b { "end@73%" }
                            " was searched to the end of the game and " b { "16@73%" }
                            " 16 moves deep; each branch left out is irrelevant with a probability \
                             of 73 %."
                        }
                        li {
                            "An estimate is the mean of two searches, one a ply deeper. In two of \
                             three positions the score under perfect play lies within one standard \
                             deviation of it, the band of the graph."
                        }
                        li {
                            b { "Lost" } " is the difference to the best move, both searched to \
                            the same depth, or exactly where that was possible."
                        }
                        li { "Means count moves where there was a choice." }
                    }
                }
            }
        }
    }
}
