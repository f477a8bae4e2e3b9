//! The parts that several pages share.

use std::borrow::Cow;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::estimate::uncertainty_text;
use crate::judge::Valuation;
use crate::summary::{Analysis, Grade, SideTotals};
use crate::text::{name, number};
use umigame_engine::Estimate;
use umigame_othello::{Color, Score};
use umigame_web::{REPORT_STYLE, STYLE};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const GENERATOR: &str = "umigame";
/// Keeps a page off the network whatever it contains: from a file, it reaches nothing. `umigame serve`
/// sends it with a token, and answers it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
     connect-src 'self'";

/// Returns a whole page.
pub(super) fn document(title: &str, content: &Markup, scripts: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(CONTENT_SECURITY_POLICY);
                meta name="umigame-token" content="";
                meta name="generator" content={ (GENERATOR) " " (VERSION) };
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(REPORT_STYLE)) }
            }
            body {
                (content)
                (footer())
                (scripts)
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns whether the first bytes of a file are those of a page of any version.
pub fn is_page(start: &[u8]) -> bool {
    let mark = format!("<meta name=\"generator\" content=\"{GENERATOR} ");
    start.windows(mark.len()).any(|part| part == mark.as_bytes())
}

fn footer() -> Markup {
    html! {
        footer {
            "umigame " (VERSION) ", an Othello engine. Scores are for Black: plus where Black is \
             ahead. The winner takes the empty squares."
        }
    }
}

/// Replaces control characters, which HTML forbids, by spaces.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        text.replace(char::is_control, " ").into()
    } else {
        text.into()
    }
}

/// Returns a name with the disc of its color.
pub(super) fn player(color: Color, name: &str) -> Markup {
    html! { span.who { (disc(color)) bdi { (printable(name)) } } }
}

/// Returns the name of a side with its disc.
pub(super) fn side(analysis: &Analysis, color: Color) -> Markup {
    player(color, &name(analysis, color))
}

/// Returns a disc.
pub(super) fn disc(color: Color) -> Markup {
    let class = match color {
        Color::Black => "chip black",
        Color::White => "chip white",
    };
    html! { i class=(class) {} }
}

/// Returns the style class of a grade, empty where the grade has no color.
pub(super) fn grade_class(grade: Grade) -> &'static str {
    match grade {
        Grade::Forced | Grade::Best | Grade::Good => "",
        Grade::Inaccuracy => "i",
        Grade::Mistake => "m",
        Grade::Blunder => "x",
    }
}

/// The head of a table that sorts: for each column its title, and whether it holds numbers.
pub(super) fn table_head(columns: &[(&str, bool)]) -> Markup {
    html! {
        thead {
            tr {
                @for &(title, is_number) in columns {
                    th class=[is_number.then_some("n")] { button type="button" { (title) } }
                }
            }
        }
    }
}

/// Returns JSON that cannot end a script element.
pub(super) fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Replaces hyphens by minus signs.
pub(super) fn with_minus_signs(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// Returns how sure a value is, `\u{b1}2.1, win 88 draw 5 loss 7 %`; empty where it is exact or unknown.
pub(super) fn sure_text(estimate: Estimate) -> String {
    uncertainty_text(estimate).replace("+-", "\u{b1}")
}

/// Returns a value for Black: whole discs where it is exact.
pub(super) fn for_black(value: Valuation, side: Color) -> String {
    with_minus_signs(&number(value.seen_by(Color::Black, side), value.kind))
}

/// Returns `one` or `many` after a count: `1 mistake`, `3 mistakes`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns discs lost a move, or a dash where there was no choice.
pub(super) fn mean_loss_text(totals: &SideTotals) -> String {
    totals.mean_loss().map_or("\u{2013}".to_owned(), |mean| format!("{mean:.2}"))
}

/// Returns the share of moves that lost nothing, or a dash where there was no choice.
pub(super) fn accuracy_text(totals: &SideTotals) -> String {
    totals.accuracy().map_or("\u{2013}".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

/// Returns the discs of both sides, `36–28`, the winner taking the empty squares.
pub(super) fn discs_text(score_for_black: Score) -> String {
    let discs = score_for_black.discs();
    format!("{}\u{2013}{}", (64 + discs) / 2, (64 - discs) / 2)
}

/// Returns the result in words.
pub(super) fn result_text(analysis: &Analysis) -> String {
    let source = if analysis.board().is_over() { "" } else { ", as the record says" };
    match analysis.score_for_black().map(|score| score.discs()) {
        None => "not finished".to_owned(),
        Some(0) => format!("a draw{source}"),
        Some(discs) => {
            let winner = if discs > 0 { Color::Black } else { Color::White };
            format!("{winner} wins by {}{source}", discs.abs())
        }
    }
}
