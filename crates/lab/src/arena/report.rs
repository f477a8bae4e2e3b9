//! What a match came to, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::runner::Match;
use super::sprt::{Measure, Sprt, Verdict};
use super::standings::Standings;
use super::stats::{Estimate, Tally};

/// A number with its sign and this many decimals; ASCII for infinity.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+inf" } else { "-inf" }.to_string();
    }
    let text = format!("{value:+.decimals$}");
    // No sign before zero.
    if text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0') {
        return text.trim_start_matches(['+', '-']).to_string();
    }
    text
}

fn interval(estimate: Option<Estimate>, decimals: usize) -> String {
    match estimate {
        None => "-".to_string(),
        Some(it) => format!(
            "{} [{}, {}]",
            signed(it.value, decimals),
            signed(it.low, decimals),
            signed(it.high, decimals)
        ),
    }
}

fn unit(sprt: &Sprt) -> &'static str {
    match sprt.measure {
        Measure::Elo => "Elo",
        Measure::Discs => "discs",
    }
}

fn verdict_text(sprt: &Sprt, verdict: Verdict) -> String {
    let unit = unit(sprt);
    match verdict {
        Verdict::Open => "undecided".to_string(),
        Verdict::Low => format!("{} {unit} accepted", signed(sprt.low, 2)),
        Verdict::High => format!("{} {unit} accepted", signed(sprt.high, 2)),
    }
}

/// The state of a sequential test in a line.
fn test_line(standings: &Standings) -> Option<String> {
    let (sprt, verdict, ratio) = standings.test()?;
    let (low, high) = sprt.bounds();
    Some(format!(
        "SPRT {} against {} {}: LLR {ratio:+.2} in [{low:.2}, {high:.2}], {}",
        signed(sprt.low, 2),
        signed(sprt.high, 2),
        unit(&sprt),
        verdict_text(&sprt, verdict)
    ))
}

fn pairing_line(names: [&str; 2], tally: &Tally) -> String {
    let games = tally.games();
    format!(
        "{} - {}: {games} games, +{} ={} -{} ({:.1} %), discs {}, Elo {}",
        names[0],
        names[1],
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * tally.points() / games.max(1) as f64,
        interval(tally.pair_discs.estimate(), 2),
        interval(tally.pairs.elo(), 1)
    )
}

/// The standings in a few lines, as they are shown while a match is played.
pub fn table(standings: &Standings) -> String {
    let mut text = String::new();
    for (tally, &(first, second)) in standings.tallies.iter().zip(&standings.schedule.pairings) {
        let names = [first, second].map(|index| standings.names[index].as_str());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", pairing_line(names, tally));
    }
    if let Some(line) = test_line(standings) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The summary at the end of a match.
pub fn text(plan: &Match, standings: &Standings) -> String {
    let mut text = table(standings);
    let [ll, ld, even, wd, ww] = standings.pairs().0;
    if standings.tallies.len() == 1 {
        let _ = writeln!(text, "pairs by points 0, 1/2, 1, 3/2, 2: {ll} {ld} {even} {wd} {ww}");
    }
    if standings.names.len() > 2 {
        ranking(&mut text, standings);
    }
    for (index, account) in standings.accounts.iter().enumerate() {
        let engine = &plan.engines[index];
        let each = if account.moves == 0 { 0.0 } else { account.time / account.moves as f64 };
        let margin = engine.margin.unwrap_or(plan.margin);
        let _ = write!(
            text,
            "{}: {}, margin {margin} s; used {:.1} s for {} moves, {each:.4} s each, longest {:.3} s",
            engine.name,
            engine.limits(),
            account.time,
            account.moves,
            account.longest
        );
        for (failing, count) in &account.failings {
            let _ = write!(text, "; {} {count}x", failing.label());
        }
        text.push('\n');
    }
    if let Some(overhead) = standings.overhead() {
        let _ = writeln!(text, "runner: {overhead:.3} ms a move beside the engines' time");
    }
    text
}

fn ranking(text: &mut String, standings: &Standings) {
    let ratings = standings.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
    let width = standings.names.iter().map(String::len).max().unwrap_or(0).max(6);
    let _ = writeln!(text, "{:width$}  {:>7}  games    won  drawn   lost  discs", "engine", "Elo");
    for index in order {
        let total = standings.total(index);
        let games = total.games();
        let [won, drawn, lost] = total.results;
        let discs = total.discs as f64 / games.max(1) as f64;
        let _ = writeln!(
            text,
            "{:width$}  {:>7}  {games:5}  {won:5}  {drawn:5}  {lost:5}  {:>5}",
            standings.names[index],
            signed(ratings[index], 1),
            signed(discs, 2)
        );
    }
}

/// JSON has no infinity: an end that is open is null.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn estimate_json(estimate: Option<Estimate>) -> Value {
    estimate.map_or(
        Value::Null,
        |it| json!({ "value": number(it.value), "low": number(it.low), "high": number(it.high) }),
    )
}

/// The summary as JSON: intervals are of 95 %, `null` where there is none or
/// where it has no end.
pub fn json(plan: &Match, standings: &Standings) -> Value {
    let ratings = standings.ratings();
    let pairings = standings.tallies.iter().zip(&standings.schedule.pairings);
    let pairings: Vec<Value> = pairings
        .map(|(tally, &(first, second))| {
            json!({
                "first": standings.names[first],
                "second": standings.names[second],
                "games": tally.games(),
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "pairs": tally.pairs,
                "score": estimate_json(tally.pairs.score()),
                "elo": estimate_json(tally.pairs.elo()),
                "discs": estimate_json(tally.pair_discs.estimate()),
            })
        })
        .collect();
    let engines: Vec<Value> = standings
        .accounts
        .iter()
        .enumerate()
        .map(|(index, account)| {
            let engine = &plan.engines[index];
            json!({
                "name": engine.name,
                "limits": engine.limits(),
                "margin": engine.margin.unwrap_or(plan.margin),
                "rating": number(ratings[index]),
                "seconds": account.time,
                "moves": account.moves,
                "longest": account.longest,
                "nodes": account.nodes,
                "failings": account.failings,
            })
        })
        .collect();
    let sprt = standings.test().map(|(sprt, verdict, ratio)| {
        let (low, high) = sprt.bounds();
        json!({ "test": sprt, "llr": ratio, "bounds": [low, high], "verdict": verdict })
    });
    json!({
        "games": standings.games(),
        "scheduled": standings.schedule.games(),
        "pairings": pairings,
        "engines": engines,
        "sprt": sprt,
        "overhead_ms": standings.overhead(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_sign_unless_they_are_nothing() {
        for (value, text) in [
            (1.25, "+1.2"),
            (-0.04, "0.0"),
            (0.0, "0.0"),
            (-3.0, "-3.0"),
            (f64::INFINITY, "+inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(signed(value, 1), text);
        }
    }
}
