//! The index of a folder of reports: the games, and the players by their
//! mean loss.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{disc, discs_of, escape, mean, open, result_words, share, write_footer};
use crate::summary::{Analysis, SideTotals};
use crate::text::{full_name, name, place_and_date};
use umigame_othello::Color;

/// What the index keeps of a game.
#[derive(Clone, Debug)]
pub struct IndexEntry {
    /// The file of the report, relative to the index.
    link: String,
    sides: [Side; 2],
    opening: &'static str,
    result: String,
    place: String,
}

/// What it keeps of a side.
#[derive(Clone, Debug)]
struct Side {
    /// As people are shown it.
    name: String,
    /// Whether that is a name, and not the colour of nobody in particular.
    is_named: bool,
    totals: SideTotals,
}

impl IndexEntry {
    /// The entry of a game whose report is in this file.
    pub fn new(analysis: &Analysis, link: String) -> IndexEntry {
        let [english, japanese] = analysis.openings();
        let result = match analysis.score_for_black() {
            Some(score) if analysis.board().is_over() => {
                let [black, white] = discs_of(score);
                format!("{black}\u{2013}{white}")
            }
            _ => result_words(analysis),
        };
        IndexEntry {
            link,
            sides: Color::ALL.map(|color| Side {
                name: name(analysis, color),
                is_named: full_name(analysis, color).is_some(),
                totals: analysis.totals(color),
            }),
            opening: english.or(japanese).map_or("", |opening| opening.name),
            result: match analysis.gap_sentence() {
                Some(gap) => format!("{result}; {gap}"),
                None => result,
            },
            place: place_and_date(analysis).join(", "),
        }
    }
}

/// The page with all games, and how they were searched; so many more were
/// not judged.
pub fn index(entries: &[IndexEntry], missing: usize, settings: &str) -> String {
    let mut html = String::with_capacity(8 << 10);
    open(&mut html, "Games analysed by umigame");
    let _ = write!(
        html,
        "<header><h1>{} {}</h1><p class=\"lead\">{}</p>",
        entries.len(),
        if entries.len() == 1 { "game" } else { "games" },
        escape(settings)
    );
    if missing > 0 {
        let were = if missing == 1 { "game was" } else { "games were" };
        let _ = write!(html, "<p class=\"gap\">Incomplete: {missing} more {were} not judged.</p>");
    }
    html.push_str("</header>");
    write_players(&mut html, entries);
    html.push_str(
        "<section><h2>Games</h2><div class=\"card whole scroll\"><table class=\"list games\"><thead><tr>\
         <th></th><th>Black</th><th class=\"n\">Lost a move</th><th>White</th>\
         <th class=\"n\">Lost a move</th><th>Result</th><th>Opening</th><th>Where</th></tr></thead>\
         <tbody>",
    );
    for (number, entry) in entries.iter().enumerate() {
        let [black, white] = entry.sides.each_ref().map(|side| escape(&side.name));
        let [black_mean, white_mean] = entry.sides.each_ref().map(|side| mean(&side.totals));
        let _ = write!(
            html,
            "<tr><td class=\"n\"><a href=\"{}\">{}</a></td>\
             <td class=\"wide\"><span class=\"who\">{}<bdi>{black}</bdi></span></td>\
             <td class=\"n\">{black_mean}</td>\
             <td class=\"wide\"><span class=\"who\">{}<bdi>{white}</bdi></span></td>\
             <td class=\"n\">{white_mean}</td><td class=\"result\">{}</td><td class=\"wide\">{}</td>\
             <td class=\"wide\">{}</td></tr>",
            escape(&entry.link),
            number + 1,
            disc(Color::Black),
            disc(Color::White),
            entry.result,
            escape(entry.opening),
            escape(&entry.place),
        );
    }
    html.push_str("</tbody></table></div></section>");
    write_footer(&mut html);
    html.push_str("</main></body></html>\n");
    html
}

/// The players that have names, who lost least a move first.
fn write_players(html: &mut String, entries: &[IndexEntry]) {
    let mut players: BTreeMap<&str, (u32, SideTotals)> = BTreeMap::new();
    for entry in entries {
        for side in entry.sides.iter().filter(|side| side.is_named) {
            let (games, sum) = players.entry(&side.name).or_default();
            *games += 1;
            sum.add(&side.totals);
        }
    }
    if players.is_empty() {
        return;
    }
    let mut players: Vec<_> = players.into_iter().collect();
    let key = |totals: &SideTotals| totals.mean_loss().unwrap_or(f64::INFINITY);
    players.sort_by(|(_, (_, one)), (_, (_, other))| key(one).total_cmp(&key(other)));
    html.push_str(
        "<section><h2>Players</h2><div class=\"card whole scroll\"><table class=\"list ranks\"><thead><tr>\
         <th>Player</th><th class=\"n\">Games</th><th class=\"n\">Lost a move</th>\
         <th class=\"n\">Best moves</th><th class=\"n\">Inaccuracies</th><th class=\"n\">Mistakes</th>\
         <th class=\"n\">Blunders</th></tr></thead><tbody>",
    );
    for (name, (games, totals)) in players {
        let _ = write!(
            html,
            "<tr><td class=\"wide\"><bdi>{}</bdi></td><td class=\"n\">{games}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(name),
            mean(&totals),
            share(&totals),
            totals.inaccuracies,
            totals.mistakes,
            totals.blunders,
        );
    }
    html.push_str("</tbody></table></div></section>");
}
