//! The index of a folder of reports: its games, and the players by mean loss.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::parts::{
    accuracy_text, counted, discs_text, document, mean_loss_text, player, printable, result_text,
    table_head,
};
use crate::summary::{Analysis, SideTotals};
use crate::text::{full_name, name, place_and_date};
use umigame_othello::Color;

/// A game in the index.
#[derive(Clone, Debug)]
pub struct IndexEntry {
    /// File of the report, relative to the index.
    link: String,
    sides: [IndexSide; 2],
    opening: &'static str,
    result: String,
    place: String,
}

/// A side of a game in the index.
#[derive(Clone, Debug)]
struct IndexSide {
    /// Name, or color where the record has none.
    name: String,
    is_named: bool,
    totals: SideTotals,
}

impl IndexEntry {
    /// Makes the entry of a game whose report is the file `link`, relative to the index.
    pub fn new(analysis: &Analysis, link: String) -> IndexEntry {
        let [english, japanese] = analysis.openings();
        let result = match analysis.score_for_black() {
            Some(score) if analysis.board().is_over() => discs_text(score),
            _ => result_text(analysis),
        };
        IndexEntry {
            link,
            sides: Color::ALL.map(|color| IndexSide {
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

/// Returns the page with all games.
///
/// `missing` is the number of games that were not judged; `settings` is a sentence on how games
/// were searched.
pub fn index(entries: &[IndexEntry], missing: usize, settings: &str) -> String {
    let content = html! {
        header {
            h1 { (counted(entries.len(), "game", "games")) }
            p.lead { (printable(settings)) }
            @if missing > 0 {
                p.gap {
                    "Incomplete: " (counted(missing, "more game was", "more games were"))
                    " not judged."
                }
            }
        }
        (players(entries))
        (games(entries))
    };
    document("Games analysed by umigame", &content, &html! {})
}

fn games(entries: &[IndexEntry]) -> Markup {
    html! {
        section {
            h2 { "Games" }
            div.card.whole.scroll {
                table.list.games {
                    (table_head(&[
                        ("", false), ("Black", false), ("Lost a move", true), ("White", false),
                        ("Lost a move", true), ("Result", false), ("Opening", false), ("Where", false),
                    ]))
                    tbody {
                        @for (index, entry) in entries.iter().enumerate() {
                            (game_row(index + 1, entry))
                        }
                    }
                }
            }
        }
    }
}

fn game_row(number: usize, entry: &IndexEntry) -> Markup {
    html! {
        tr {
            td.n { a href=(entry.link) { (number) } }
            @for (color, side) in Color::ALL.into_iter().zip(&entry.sides) {
                td.wide { (player(color, &side.name)) }
                td.n { (mean_loss_text(&side.totals)) }
            }
            td.result { (entry.result) }
            td.wide { (entry.opening) }
            td.wide { bdi { (printable(&entry.place)) } }
        }
    }
}

/// The games of a player.
#[derive(Default)]
struct PlayerTotals {
    games: u32,
    totals: SideTotals,
}

/// Returns the table of the players with names, least mean loss first.
fn players(entries: &[IndexEntry]) -> Markup {
    let mut players: BTreeMap<&str, PlayerTotals> = BTreeMap::new();
    for side in entries.iter().flat_map(|entry| &entry.sides).filter(|side| side.is_named) {
        let player = players.entry(&side.name).or_default();
        player.games += 1;
        player.totals += side.totals;
    }
    let mut players: Vec<_> = players.into_iter().collect();
    let mean_loss = |player: &PlayerTotals| player.totals.mean_loss().unwrap_or(f64::INFINITY);
    players.sort_by(|(_, one), (_, other)| mean_loss(one).total_cmp(&mean_loss(other)));
    html! {
        @if !players.is_empty() {
            section {
                h2 { "Players" }
                div.card.whole.scroll {
                    table.list.ranks {
                        (table_head(&[
                            ("Player", false), ("Games", true), ("Lost a move", true),
                            ("Best moves", true), ("Inaccuracies", true), ("Mistakes", true),
                            ("Blunders", true),
                        ]))
                        tbody {
                            @for (name, player) in &players { (player_row(name, player)) }
                        }
                    }
                }
            }
        }
    }
}

fn player_row(name: &str, player: &PlayerTotals) -> Markup {
    let PlayerTotals { games, totals } = player;
    html! {
        tr {
            td.wide { bdi { (printable(name)) } }
            td.n { (games) }
            td.n { (mean_loss_text(totals)) }
            td.n { (accuracy_text(totals)) }
            td.n { (totals.inaccuracies) }
            td.n { (totals.mistakes) }
            td.n { (totals.blunders) }
        }
    }
}
