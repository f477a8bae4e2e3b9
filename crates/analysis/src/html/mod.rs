//! An analysis as a page: one file that needs no network, no fonts and no
//! other file, reads well on a worker and in a hand, in the light and in the
//! dark, and prints. Without scripts it lacks only the board that moves.

mod graph;
mod index;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde::Serialize;

use super::diagram::Diagram;
use super::judge::{Judgement, Valuation};
use super::summary::{Analysis, Grade, SideTotals, TurningPoint};
use super::text::{kind_sentence, kind_word, lost, name, number, number_of, place_and_date};
pub use index::{IndexEntry, index};
use umigame_engine::search::ScoreKind;
use umigame_othello::game::transcript;
use umigame_othello::{Board, Color, Move, Position, Score, Square, position_text};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A text that may hold anything, fit for HTML and for attributes in it.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// A minus sign as printers set it.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// What a number of this worth is for Black, in whole discs where proven.
fn for_black(value: Valuation, side: Color) -> String {
    minus(&number(value.seen_by(Color::Black, side), value.kind))
}

/// A disc of this colour.
fn disc(color: Color) -> &'static str {
    match color {
        Color::Black => "<i class=\"disc b\"></i>",
        Color::White => "<i class=\"disc w\"></i>",
    }
}

/// The class of a grade that is worth a colour.
fn class(grade: Grade) -> &'static str {
    match grade {
        Grade::Forced | Grade::Best | Grade::Good => "",
        Grade::Inaccuracy => "i",
        Grade::Mistake => "m",
        Grade::Blunder => "x",
    }
}

/// The page of a game. `settings` is a sentence that says how it was
/// searched; `back` leads to the index, where there is one.
pub fn page(analysis: &Analysis, settings: &str, back: Option<&str>) -> String {
    let mut html = String::with_capacity(96 << 10);
    let [black, white] = Color::ALL.map(|color| escape(&name(analysis, color)));
    open(&mut html, &format!("{black} \u{2013} {white}"));
    write_head(&mut html, analysis, back);
    write_graph(&mut html, analysis);
    write_sides(&mut html, analysis);
    write_turns(&mut html, analysis);
    write_table(&mut html, analysis);
    write_game(&mut html, analysis, settings);
    write_footer(&mut html);
    // The script finds its data in the page.
    let _ = writeln!(
        html,
        "</main><script type=\"application/json\" id=\"plies\">{}</script>\
         <script>{SCRIPT}</script></body></html>",
        plies(analysis)
    );
    html
}

/// The beginning of a page up to its first line; the title is escaped.
fn open(html: &mut String, title: &str) {
    // The policy keeps a page off the network whatever is in it.
    let _ = writeln!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\
         <meta name=\"generator\" content=\"umigame {version}\">\
         <link rel=\"icon\" href=\"data:,\"><title>{title}</title>\
         <style>{STYLE}</style></head><body><main>",
        version = env!("CARGO_PKG_VERSION"),
    );
}

fn write_footer(html: &mut String) {
    let _ = writeln!(
        html,
        "<footer>umigame {}, an Othello engine. Scores are for Black: plus where Black is \
         ahead. The winner takes the empty squares.</footer>",
        env!("CARGO_PKG_VERSION")
    );
}

fn write_head(html: &mut String, analysis: &Analysis, back: Option<&str>) {
    let mut eyebrow = escape(&place_and_date(analysis).join(" \u{b7} "));
    if let Some(back) = back {
        let gap = if eyebrow.is_empty() { "" } else { " \u{b7} " };
        let _ = write!(
            eyebrow,
            "<span class=\"screen\">{gap}<a href=\"{}\">all games</a></span>",
            escape(back)
        );
    }
    let [black, white] = Color::ALL.map(|color| {
        format!(
            "<span class=\"who\">{}<bdi>{}</bdi></span>",
            disc(color),
            escape(&name(analysis, color))
        )
    });
    let board = analysis.board();
    let score = match board.is_over() {
        true => {
            let [b, w] = discs_of(board.score_for_black());
            format!("<span class=\"score\">{b}\u{2013}{w}</span>")
        }
        false => "<span class=\"vs\">vs</span>".to_owned(),
    };
    let _ = write!(
        html,
        "<header><p class=\"eyebrow\">{eyebrow}</p>\
         <h1 class=\"players\">{black}{score}{white}</h1><p class=\"lead\">"
    );
    let mut facts = Vec::new();
    let [english, japanese] = analysis.openings();
    match (english, japanese) {
        (Some(english), Some(japanese)) => facts.push(format!(
            "Opening: <b>{}</b> <span lang=\"ja\">{}</span>",
            escape(english.name),
            escape(japanese.name)
        )),
        (Some(one), None) => facts.push(format!("Opening: <b>{}</b>", escape(one.name))),
        (None, Some(one)) => {
            facts.push(format!("Opening: <b lang=\"ja\">{}</b>", escape(one.name)));
        }
        (None, None) => {}
    }
    let moves = analysis.board().moves().filter(|played| played.square().is_some()).count();
    facts.push(format!("{moves} {}", if moves == 1 { "move" } else { "moves" }));
    facts.push(result_words(analysis));
    let _ = write!(html, "{}</p>", facts.join(" \u{b7} "));
    if let Some(gap) = analysis.gap_sentence() {
        let _ = write!(html, "<p class=\"gap\">Incomplete: {gap}.</p>");
    }
    html.push_str("</header>\n");
}

/// Discs of Black and White by the score for Black, the winner taking the
/// empty squares.
fn discs_of(score: Score) -> [i32; 2] {
    [(64 + score.discs()) / 2, (64 - score.discs()) / 2]
}

fn result_words(analysis: &Analysis) -> String {
    let over = analysis.board().is_over();
    match analysis.score_for_black().map(|score| score.discs()) {
        None => "not finished".to_owned(),
        Some(0) => "a draw".to_owned(),
        Some(discs) => {
            let winner = if discs > 0 { "Black" } else { "White" };
            let how = if over { "" } else { ", as the record says" };
            format!("{winner} wins by {}{how}", discs.abs())
        }
    }
}

fn write_graph(html: &mut String, analysis: &Analysis) {
    html.push_str(
        "<section class=\"stage\"><div class=\"card\"><h2>Score</h2><div class=\"wide\">",
    );
    graph::write(html, analysis, 700, 400);
    html.push_str("</div><div class=\"narrow\">");
    graph::write(html, analysis, 360, 250);
    html.push_str(
        "</div><p class=\"legend\"><span><i class=\"full\"></i>exact</span>\
         <span><i class=\"dash\"></i>estimate</span>",
    );
    for (grade, from) in [(Grade::Inaccuracy, 2), (Grade::Mistake, 4), (Grade::Blunder, 10)] {
        let _ = write!(
            html,
            "<span><svg viewBox=\"0 0 10 10\"><circle cx=\"5\" cy=\"5\" r=\"5\" \
             class=\"{}\"/></svg>{} ({from}+)</span>",
            class(grade),
            grade.word()
        );
    }
    html.push_str("</p></div><div class=\"card viewer\" id=\"viewer\"><div class=\"board\">");
    html.push_str(&Diagram::default().svg());
    html.push_str(
        "</div><div class=\"controls\"><button id=\"back\" aria-label=\"one move back\">\
         &#8249;</button><input id=\"ply\" type=\"range\" min=\"0\" value=\"0\" \
         aria-label=\"move\"><button id=\"on\" aria-label=\"one move on\">&#8250;</button></div>\
         <p class=\"caption\" id=\"caption\"></p></div></section>\n",
    );
}

fn write_sides(html: &mut String, analysis: &Analysis) {
    html.push_str("<section class=\"sides\">");
    for color in Color::ALL {
        let totals = analysis.totals(color);
        let SideTotals { choices, best, loss, inaccuracies, mistakes, blunders, .. } = totals;
        let (mean, share) = (mean(&totals), share(&totals));
        let _ = write!(
            html,
            "<div class=\"card side\"><h2 class=\"who\">{}<bdi>{}</bdi></h2>\
             <div class=\"figures\"><div><b>{mean}</b><span>discs lost a move</span></div>\
             <div><b>{:.1}</b><span>lost in all</span></div>\
             <div><b>{share}</b><span>best: {best} of {choices}</span></div></div>\
             <p class=\"marks\"><span>{}</span><span>{}</span><span>{}</span></p></div>",
            disc(color),
            escape(&name(analysis, color)),
            f64::from(loss) / 100.0,
            counted(inaccuracies, "inaccuracy", "inaccuracies"),
            counted(mistakes, "mistake", "mistakes"),
            counted(blunders, "blunder", "blunders"),
        );
    }
    html.push_str("</section>\n");
}

/// Discs lost a move, or a dash where there was no choice.
fn mean(totals: &SideTotals) -> String {
    totals.mean_loss().map_or("\u{2013}".to_owned(), |mean| format!("{mean:.2}"))
}

/// The share of the moves that lost nothing, or a dash.
fn share(totals: &SideTotals) -> String {
    totals.accuracy().map_or("\u{2013}".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

/// `1 mistake`, `3 mistakes`, the number bold.
fn counted(count: u32, one: &str, many: &str) -> String {
    format!("<b>{count}</b> {}", if count == 1 { one } else { many })
}

fn write_turns(html: &mut String, analysis: &Analysis) {
    let points = analysis.turning_points();
    html.push_str("<section><h2>Turning points</h2>");
    if points.is_empty() {
        html.push_str("<p class=\"soft\">None: no move gave the result away.</p></section>\n");
        return;
    }
    // Rows of three where that leaves no single board behind.
    let rows = if [3, 5, 6].contains(&points.len()) { " three" } else { "" };
    let _ = write!(html, "<div class=\"turns{rows}\">");
    for point in points {
        let TurningPoint { ply, number, side, played, better, before, after, .. } = point;
        let (position, _) = analysis.position_at(ply);
        let board = Board::from_position(position, side);
        let line = analysis.judgements().iter().find(|judged| judged.ply == ply);
        let line = line.and_then(|judged| judged.best.as_ref());
        let rest: Vec<String> = line
            .iter()
            .flat_map(|best| best.line.iter().skip(1).take(5))
            .map(Move::to_string)
            .collect();
        let then = if rest.is_empty() {
            String::new()
        } else {
            format!("<p class=\"soft\">then {}</p>", rest.join(" "))
        };
        let _ = write!(
            html,
            "<figure class=\"turn card\"><div class=\"board\">{}</div>\
             <figcaption><h3>{number}. {} {played}</h3><p class=\"swing\">{} \u{2192} {}</p>\
             <p>{better} was better</p>{then}</figcaption></figure>",
            Diagram::of(&board).with_choice(played, better).svg(),
            disc(side),
            capital(&before.to_string()),
            after,
        );
    }
    html.push_str(
        "</div><p class=\"legend\">On the boards: a red cross where the move was played, a yellow \
         ring where a better one was.</p></section>\n",
    );
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn write_table(html: &mut String, analysis: &Analysis) {
    let rows: Vec<String> = analysis.judgements().iter().filter_map(row).collect();
    if rows.is_empty() {
        return;
    }
    html.push_str(
        "<section class=\"whole moves-section\"><h2>Moves</h2><div class=\"card whole\"><div class=\"tables\">",
    );
    for half in rows.chunks(rows.len().div_ceil(2).max(1)) {
        let _ = write!(
            html,
            "<div><table><thead><tr><th>No.</th><th>Move</th><th class=\"n\">Score</th>\
             <th>Depth</th><th>Best</th><th class=\"n opt\">Score</th><th class=\"n\">Lost</th>\
             </tr></thead><tbody>{}</tbody></table></div>",
            half.concat()
        );
    }
    html.push_str("</div></div></section>\n");
}

/// A row of the table of moves.
fn row(judged: &Judgement) -> Option<String> {
    let (best, played) = (judged.best.as_ref()?, judged.played.as_ref()?);
    let (grade, loss) = (Grade::of(judged)?, judged.loss()?);
    let (better, score, less) = match best.first() == played.first() {
        true => ("<span class=\"ok\">\u{2713}</span>".to_owned(), String::new(), String::new()),
        false => (
            best.first().to_string(),
            format!(
                "<span title=\"{}\">{}</span>",
                kind_sentence(best.value.kind),
                for_black(best.value, judged.side)
            ),
            lost(judged.is_proven(), loss),
        ),
    };
    let better =
        if grade == Grade::Forced { "<span class=\"soft\">only</span>".to_owned() } else { better };
    Some(format!(
        "<tr class=\"{}\" data-p=\"{}\"><td class=\"no\">{}</td><td class=\"move\">{} {}</td>\
         <td class=\"n\">{}</td><td>{}</td><td>{better}</td><td class=\"n opt\">{score}</td>\
         <td class=\"n lost\">{less}<span class=\"mark\">{}</span></td></tr>",
        class(grade),
        judged.ply + 1,
        number_of(judged),
        disc(judged.side),
        played.first(),
        for_black(played.value, judged.side),
        pill(played.value.kind),
        grade.mark(),
    ))
}

fn pill(kind: ScoreKind) -> String {
    let guess = if kind == ScoreKind::Exact { "" } else { " guess" };
    format!(
        "<span class=\"pill{guess}\" title=\"{}\">{}</span>",
        kind_sentence(kind),
        kind_word(kind)
    )
}

fn write_game(html: &mut String, analysis: &Analysis, settings: &str) {
    let moves: String =
        transcript::squares(analysis.record()).map(|square| square.to_string()).collect();
    let _ = writeln!(
        html,
        "<section><h2>The game</h2><div class=\"card final\"><div class=\"board\">{}</div><div>\
         <p class=\"moves\">{moves}</p><h2>How to read this</h2><ul>\
         <li>{}</li><li><b>exact</b> is the score under perfect play. <b>end@73%</b> was read to \
         the end of the game and <b>16@73%</b> to 16 plies, leaving out branches of which each \
         does not matter with a probability of 73 %.</li>\
         <li>An estimate is the mean of two searches, one a ply deeper than the other.</li>\
         <li><b>Lost</b> is what a move is value less than the best one, both looked at equally \
         deep, or exactly where that was possible.</li>\
         <li>The means count moves where there was a choice.</li></ul></div></div></section>",
        Diagram::of_game(analysis.board()).svg(),
        escape(settings),
    );
}

/// One position for the board that moves.
#[derive(Serialize, Debug)]
struct Ply {
    /// The squares from a1 to h8.
    b: String,
    /// The square of the last move, -1 without one.
    l: i32,
    /// The square of the best move, -1 without one.
    n: i32,
    /// What is said of it.
    t: String,
}

fn plies(analysis: &Analysis) -> String {
    let moves: Vec<Move> = analysis.board().moves().collect();
    let judgements = analysis.judgements();
    // Those that were not judged are missing at the beginning.
    let missing = (moves.len() + 1).saturating_sub(judgements.len());
    let mut all = Vec::new();
    for ply in 0..=moves.len() {
        let last = ply.checked_sub(1).and_then(|before| moves.get(before));
        let of = |ply: Option<usize>| judgements.get(ply?.checked_sub(missing)?);
        let judged = of(Some(ply));
        let best = judged.and_then(|judged| judged.best.as_ref());
        let index = |square: Option<Square>| square.map_or(-1, |square| square.index() as i32);
        let (position, side) = analysis.position_at(ply);
        all.push(Ply {
            b: letters(position, side),
            l: index(last.and_then(|played| played.square())),
            n: index(best.and_then(|best| best.first().square())),
            t: match judged {
                Some(judged) => caption(judged, of(ply.checked_sub(1))),
                None => "This position was not judged.".to_owned(),
            },
        });
    }
    // A text in a script must not end it.
    let json = serde_json::to_string(&all).unwrap_or_else(|_| "[]".to_owned());
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn letters(position: Position, side: Color) -> String {
    let mut text = position_text(position, side);
    text.truncate(64);
    text
}

/// What is said of a position: the move before it, the score, the best move.
fn caption(judged: &Judgement, before: Option<&Judgement>) -> String {
    let mut text = String::new();
    if let Some((before, played)) =
        before.and_then(|before| Some((before, before.played.as_ref()?)))
    {
        let grade = Grade::of(before).map_or("", Grade::mark);
        let _ = match played.first() {
            Move::Pass => write!(text, "{} passes ", before.side),
            square => write!(text, "{}. {} {square}{grade} ", before.number, before.side),
        };
        if let (Some(best), Some(loss)) = (&before.best, before.loss())
            && best.first() != played.first()
        {
            let _ = write!(text, "({} better by {:.1}) ", best.first(), f64::from(loss) / 100.0);
        }
    }
    let score = for_black(judged.value, judged.side);
    match &judged.best {
        None => {
            let _ = write!(text, "\u{2192} {score} for Black, the end.");
        }
        Some(best) => {
            let kind = kind_word(judged.value.kind);
            let side = judged.side;
            let _ = write!(
                text,
                "\u{2192} {score} for Black ({kind}). {side} to move, best {}.",
                best.first()
            );
        }
    }
    text
}
