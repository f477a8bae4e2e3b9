#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::{Analysis, Judgement, json, judge};
use umigame_engine::{Engine, EngineOptions, Evaluation, Level, Limits, Megabytes, Silent};
use umigame_othello::{Record, formats::transcript};

fn analysed(record: Record) -> Analysis {
    let options = EngineOptions { hash: Megabytes(2), threads: 1 };
    let mut engine = Engine::new(Evaluation::embedded(), options).unwrap();
    let mut search =
        |position, limits: &Limits| Some(engine.search(position, limits, &Silent::default()));
    let mut found: Vec<Judgement> = Vec::new();
    let board = record.board().unwrap();
    let limits = Level::new(2).unwrap().limits();
    judge(&board, &limits, &mut search, &mut |judged| found.push(judged.clone()));
    Analysis::new(record, found).unwrap()
}

const WIPE_OUT: &str = "f5d6c5f4e7f6g5e6e3";

/// Returns a game whose names contain markup.
fn hostile() -> Record {
    let mut record = transcript::parse(WIPE_OUT).unwrap();
    record.players[0].name = "<script>alert(1)</script>".to_owned();
    record.players[1].name = "\"'><img src=x onerror=alert(2)>&amp;\0\n".to_owned();
    record.place = "</title><svg onload=alert(3)>".to_owned();
    record.date = "</script><style>*{display:none}".to_owned();
    record
}

/// Checks that elements and attributes are closed in order; returns the names of the elements.
fn elements(html: &str) -> Vec<String> {
    const VOID: &[&str] = &["meta", "link", "input", "!DOCTYPE"];
    let (mut open, mut all, mut rest) = (Vec::new(), Vec::new(), html);
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "before {rest:.80}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
        all.push(name.clone());
        if name == "script" || name == "style" {
            let end = rest.find(&format!("</{name}>")).expect("it ends");
            rest = &rest[end + name.len() + 3..];
        } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<String>::new());
    all
}

#[test]
fn markup_in_names_is_escaped() {
    let analysis = analysed(hostile());
    let settings = "<b>searched</b>";
    let entries = [IndexEntry::new(&analysis, "0001.html".to_owned())];
    for html in [page(&analysis, settings, Some("index.html")), index(&entries, 1, settings)] {
        let found = elements(&html);
        assert!(!found.iter().any(|name| name == "img" || name == "b>searched"), "{found:?}");
        let scripts = found.iter().filter(|name| *name == "script").count();
        assert!(scripts == 1 || scripts == 2, "{scripts}");
        assert_eq!(found.iter().filter(|name| *name == "style").count(), 1);
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(html.contains("&quot;'&gt;&lt;img src=x onerror=alert(2)&gt;&amp;amp;"));
        assert!(!html.contains("alert(1)</script>") && !html.contains('\0'));
    }
}

#[test]
fn a_page_needs_no_network_and_no_other_file() {
    let html = page(&analysed(hostile()), "Level 2.", None);
    // The script asks an engine only where a server sent the page with a token.
    let (markup, script) = html.split_once("<script type=\"module\">").unwrap();
    assert!(html.contains("<meta name=\"umigame-token\" content=\"\">"));
    for part in ["import ", "export ", "importScripts", " src=\""] {
        assert!(!script.contains(&format!("\n{part}")), "{part}");
    }
    let outside = markup.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "");
    for part in ["http", " src=\"", "url(", "@import", "<iframe", "<object", "fetch("] {
        assert!(!outside.contains(part), "{part}");
    }
    assert!(html.contains("default-src 'none'"));
}

/// Returns the data of the script.
fn data(html: &str) -> &str {
    html.split("id=\"report\">").nth(1).unwrap().split("</script>").next().unwrap()
}

fn captions(html: &str) -> Vec<String> {
    let data: serde_json::Value = serde_json::from_str(data(html)).unwrap();
    serde_json::from_value(data["captions"].clone()).unwrap()
}

#[test]
fn the_data_of_the_script_is_valid_json_and_cannot_end_the_script() {
    let analysis = analysed(hostile());
    let html = page(&analysis, "", None);
    let read: serde_json::Value = serde_json::from_str(data(&html)).unwrap();
    let own: serde_json::Value = serde_json::from_str(&json(&analysis, None, 1)).unwrap();
    for field in ["moves", "last", "start", "transcript"] {
        assert_eq!(read["analysis"][field], own[field], "{field}");
    }
    assert_eq!(captions(&html).len(), 10);
    assert!(!data(&html).contains('<'));
}

/// Row, graph and board show the value of the position after the move: one number.
#[test]
fn a_row_has_the_score_of_the_position_after_its_move() {
    let analysis = analysed(transcript::parse(WIPE_OUT).unwrap());
    let html = page(&analysis, "", None);
    let captions = captions(&html);
    let rows: Vec<&str> = html.split("<tr class=").skip(1).collect();
    assert_eq!(rows.len(), 9);
    for (row, (caption, after)) in
        rows.iter().zip(captions.iter().zip(analysis.judgements()).skip(1))
    {
        let score = parts::for_black(after.value, after.side);
        assert!(row.contains(&format!(">{score}</span>")), "{score}: {row}");
        assert!(caption.contains(&format!("After it: {score}")), "{score}: {caption}");
    }
}

#[test]
fn empty_short_passing_and_finished_games_have_pages() {
    let full = "X".repeat(64);
    let passing = "-OXXXXXX-------------------------------------------------------- O; a1";
    for text in ["", "f5", WIPE_OUT, passing, &format!("{full} X;"), &format!("{full} O;")] {
        let analysis = analysed(transcript::parse(text).unwrap());
        let html = page(&analysis, "Level 2.", None);
        elements(&html);
        for nonsense in ["NaN", "inf", "None", "Some("] {
            assert!(!html.split("<style>").nth(1).unwrap().contains(&format!("{nonsense} ")));
            assert!(!html.contains(&format!("\"{nonsense}")), "{text}: {nonsense}");
        }
        let rows = html.matches("<tr class=").count();
        assert_eq!(rows, analysis.judgements().len() - 1, "{text}");
    }
}

/// The board replays the whole game, judged or not.
#[test]
fn the_page_of_an_incomplete_analysis_says_so() {
    let whole = analysed(transcript::parse(WIPE_OUT).unwrap());
    for left in 0..=10 {
        let found = whole.judgements()[10 - left..].to_vec();
        let part = Analysis::new(whole.record().clone(), found).unwrap();
        let html = page(&part, "Level 2.", None);
        elements(&html);
        assert_eq!(html.contains("class=\"gap\">Incomplete: "), left < 10);
        assert_eq!(html.matches("<tr class=").count(), left.saturating_sub(1));
        let (these, all) = (captions(&html), captions(&page(&whole, "Level 2.", None)));
        assert_eq!(these.len(), all.len());
        assert_eq!(these[11 - left.max(1)..], all[11 - left.max(1)..]);
        let entry = IndexEntry::new(&part, "a.html".to_owned());
        assert_eq!(index(&[entry], 0, "").contains("judged</td>"), left < 10);
    }
}

#[test]
fn the_index_lists_every_game_and_ranks_the_players() {
    let games = ["f5d6c3d3c4f4", WIPE_OUT];
    let entries: Vec<IndexEntry> = games
        .iter()
        .enumerate()
        .map(|(number, moves)| {
            let mut record = transcript::parse(moves).unwrap();
            record.players[0].name = "Careful".to_owned();
            record.players[1].name = format!("Rival {number}");
            IndexEntry::new(&analysed(record), format!("{:04}.html", number + 1))
        })
        .collect();
    let html = index(&entries, 0, "Level 2.");
    elements(&html);
    assert!(html.contains("href=\"0001.html\"") && html.contains("href=\"0002.html\""));
    let place = |name: &str| html.find(&format!("<bdi>{name}</bdi>")).unwrap();
    // The loser of the wipeout in nine moves comes last.
    assert!(place("Careful") < place("Rival 1") && place("Rival 0") < place("Rival 1"));
    assert!(html.contains("64\u{2013}0") && html.contains("Tiger"));
}

#[test]
fn players_without_names_are_not_ranked_and_missing_games_are_counted() {
    let mut record = transcript::parse("f5d6c3d3c4f4").unwrap();
    let unnamed = IndexEntry::new(&analysed(record.clone()), "a.html".to_owned());
    let html = index(std::slice::from_ref(&unnamed), 2, "");
    elements(&html);
    assert!(!html.contains("<h2>Players</h2>") && html.contains("<bdi>White</bdi>"));
    assert!(html.contains("Incomplete: 2 more games were not judged."));
    // A player may be named like a color.
    record.players[0].name = "White".to_owned();
    let html = index(&[unnamed, IndexEntry::new(&analysed(record), "b.html".to_owned())], 0, "");
    elements(&html);
    let players = html.split("<h2>Players</h2>").nth(1).unwrap();
    let players = players.split("</table>").next().unwrap();
    assert_eq!(players.matches("<bdi>").count(), 1);
    let players = players.split("</table>").next().unwrap_or_default();
    assert!(players.contains("<bdi>White</bdi></td><td class=\"n\">1</td>"));
    assert!(!html.contains("Incomplete"));
}

/// JSON has the whole name.
#[test]
fn pages_and_text_cut_long_names() {
    let mut record = transcript::parse("f5d6c3d3c4f4").unwrap();
    let long = "\u{6d77}".repeat(1 << 20);
    record.players[1].name = long.clone();
    record.place = long.clone();
    let analysis = analysed(record);
    let shown = format!("{}...", "\u{6d77}".repeat(80));
    let entry = IndexEntry::new(&analysis, "a.html".to_owned());
    for html in [page(&analysis, "", None), index(&[entry], 0, "")] {
        elements(&html);
        assert!(html.contains(&shown) && html.len() < 1 << 18, "{}", html.len());
    }
    assert!(analysis.to_string().len() < 1 << 12);
    let read: serde_json::Value = serde_json::from_str(&json(&analysis, None, 1)).unwrap();
    assert_eq!((&read["white"], &read["black"]), (&long.into(), &"Black".into()));
}

#[test]
fn the_worst_moves_of_all_games_lead_to_the_positions_before_them() {
    let analysis = analysed(transcript::parse(WIPE_OUT).unwrap());
    let entries =
        ["0001.html", "0002.html"].map(|link| IndexEntry::new(&analysis, link.to_owned()));
    let html = index(&entries, 0, "");
    elements(&html);
    let worst =
        html.split("<h2>Worst moves</h2>").nth(1).unwrap().split("</table>").next().unwrap();
    let largest = analysis.judgements().iter().filter_map(Judgement::loss).max().unwrap();
    let first = worst.split("<tr>").nth(2).unwrap();
    assert!(first.contains(&format!("data-key=\"{largest}\"")), "{first}");
    let judged =
        analysis.judgements().iter().find(|judged| judged.loss() == Some(largest)).unwrap();
    assert!(first.contains(&format!("href=\"0001.html#{}\"", judged.number - 1)), "{first}");
    let keys = worst.matches("class=\"n lost\" data-key=").count();
    assert!(keys > 1 && keys.is_multiple_of(2), "{keys}");
}

#[test]
fn all_moves_are_valued_where_the_limits_ask_for_them() {
    let options = EngineOptions { hash: Megabytes(2), threads: 1 };
    let mut engine = Engine::new(Evaluation::embedded(), options).unwrap();
    let record = transcript::parse("f5d6c3d3c4f4").unwrap();
    let limits = Limits::depth(3).with_lines(64);
    let mut search =
        |position, limits: &Limits| Some(engine.search(position, limits, &Silent::default()));
    let analysis = Analysis::of_game(record, &limits, &mut search, &mut |_| {}).unwrap();
    for judged in analysis.judgements() {
        let best = judged.best.as_ref().unwrap();
        let named = if judged
            .loss()
            .is_none_or(|_| judged.played.as_ref().unwrap().first() == best.first())
        {
            1
        } else {
            2
        };
        assert_eq!(judged.others.len() + named, judged.choices() as usize);
        assert!(judged.others.iter().all(|other| other.value.eval() <= best.value.eval()));
    }
    assert!(data(&page(&analysis, "", None)).contains("\"others\":[{\"move\""));
}
