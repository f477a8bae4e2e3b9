//! The index of a folder of reports: its games, the players by mean loss, and the worst moves of all. Its
//! tables sort by a click.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use umigame_web::INDEX_SCRIPT;

use super::parts::{
    accuracy_text, counted, discs_text, document, mean_loss_text, player, printable, result_text,
    table_head,
};
use crate::judge::Judgement;
use crate::summary::{Analysis, Grade, SideTotals};
use crate::text::{full_name, lost, name, place_and_date};
use umigame_othello::{Color, Move};

/// Worst moves listed, at most.
const MAX_WORST_MOVES: usize = 20;

/// A game in the index.
#[derive(Clone, Debug)]
pub struct IndexEntry {
    /// File of the report, relative to the index.
    link: String,
    sides: [IndexSide; 2],
    opening: &'static str,
    result: String,
    /// Discs for Black, where there is a result.
    score: Option<i32>,
    place: String,
    /// Mistakes and blunders, the largest loss first.
    worst: Vec<WorstMove>,
}

/// A move that lost four discs or more.
#[derive(Clone, Debug)]
struct WorstMove {
    number: usize,
    side: Color,
    played: Move,
    better: Move,
    /// Hundredths of a disc.
    loss: u32,
    is_proven: bool,
    mark: &'static str,
}

impl WorstMove {
    fn of(judged: &Judgement) -> Option<WorstMove> {
        let (best, played, grade) =
            (judged.best.as_ref()?, judged.played.as_ref()?, Grade::of(judged)?);
        (grade >= Grade::Mistake).then_some(WorstMove {
            number: judged.number,
            side: judged.side,
            played: played.first(),
            better: best.first(),
            loss: judged.loss()?,
            is_proven: judged.is_proven(),
            mark: grade.mark(),
        })
    }
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
        let mut worst: Vec<WorstMove> =
            analysis.judgements().iter().filter_map(WorstMove::of).collect();
        worst.sort_by_key(|worst| (Reverse(worst.loss), worst.number));
        worst.truncate(MAX_WORST_MOVES);
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
            score: analysis.score_for_black().map(|score| score.discs()),
            place: place_and_date(analysis).join(", "),
            worst,
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
        main.index {
            div.report {
                (games(entries))
                (worst_moves(entries))
                (players(entries))
            }
        }
    };
    let script = html! { script type="module" { (PreEscaped(INDEX_SCRIPT)) } };
    document("Games analysed by umigame", &content, &script)
}

fn games(entries: &[IndexEntry]) -> Markup {
    html! {
        section {
            h2 { "Games" }
            div.card.whole.scroll {
                table.list.games.sorts {
                    (table_head(&[
                        ("No.", true), ("Black", false), ("Lost a move", true), ("White", false),
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
            td.n data-key=(number) { a href=(entry.link) { (number) } }
            @for (color, side) in Color::ALL.into_iter().zip(&entry.sides) {
                td.wide { (player(color, &side.name)) }
                td.n { (mean_loss_text(&side.totals)) }
            }
            td.result data-key=[entry.score] { (entry.result) }
            td.wide { (entry.opening) }
            td.wide { bdi { (printable(&entry.place)) } }
        }
    }
}

/// Returns the moves of all games that lost most.
fn worst_moves(entries: &[IndexEntry]) -> Markup {
    let of = |entry: (usize, &IndexEntry)| {
        let moves = entry.1.worst.clone();
        moves.into_iter().map(move |worst| (entry.0 + 1, worst))
    };
    let mut moves: Vec<(usize, WorstMove)> = entries.iter().enumerate().flat_map(of).collect();
    moves.sort_by_key(|(game, worst)| (Reverse(worst.loss), *game, worst.number));
    moves.truncate(MAX_WORST_MOVES);
    html! {
        @if !moves.is_empty() {
            section {
                h2 { "Worst moves" }
                p.legend { "A click on a move shows the position before it." }
                div.card.whole.scroll {
                    table.list.worst.sorts {
                        (table_head(&[
                            ("Lost", true), ("Move", false), ("Better", false), ("Player", false),
                            ("Game", true),
                        ]))
                        tbody {
                            @for (game, worst) in &moves {
                                @if let Some(entry) = entries.get(game - 1) {
                                    (worst_row(*game, entry, worst))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn worst_row(game: usize, entry: &IndexEntry, worst: &WorstMove) -> Markup {
    let WorstMove { number, side, played, better, loss, is_proven, mark } = worst;
    let player_name = entry.sides.get(side.index()).map_or("", |side| &side.name);
    html! {
        tr {
            td.n.lost data-key=(loss) { (lost(*is_proven, *loss)) }
            td data-key=(number) {
                a href={ (entry.link) "#" (number - 1) } { (number) ". " (played.to_string()) }
                " " (mark)
            }
            td { (better.to_string()) }
            td.wide { (player(*side, player_name)) }
            td.n data-key=(game) { a href=(entry.link) { (game) } }
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
                    table.list.ranks.sorts {
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
            td.n data-key=[totals.accuracy()] { (accuracy_text(totals)) }
            td.n { (totals.inaccuracies) }
            td.n { (totals.mistakes) }
            td.n { (totals.blunders) }
        }
    }
}
