//! Reports of a match: text and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::plan::MatchPlan;
use super::sprt::{Sprt, SprtMeasure, SprtVerdict};
use super::standings::{EngineTotal, SprtState, Standings};
use super::stats::{Estimate, Tally};

/// Formats a number with its sign and `decimals` decimals, without a sign if it rounds to zero.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+inf" } else { "-inf" }.to_string();
    }
    let text = format!("{value:+.decimals$}");
    if text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0') {
        return text.trim_start_matches(['+', '-']).to_string();
    }
    text
}

fn interval(estimate: Option<Estimate>, decimals: usize) -> String {
    match estimate {
        None => "-".to_string(),
        Some(Estimate { value, low, high }) => {
            let [value, low, high] = [value, low, high].map(|number| signed(number, decimals));
            format!("{value} [{low}, {high}]")
        }
    }
}

fn unit(sprt: &Sprt) -> &'static str {
    match sprt.measure {
        SprtMeasure::Elo => "Elo",
        SprtMeasure::Discs => "discs",
    }
}

fn verdict_text(sprt: &Sprt, verdict: SprtVerdict) -> String {
    let unit = unit(sprt);
    match verdict {
        SprtVerdict::Open => "undecided".to_string(),
        SprtVerdict::Low => format!("{} {unit} accepted", signed(sprt.low, 2)),
        SprtVerdict::High => format!("{} {unit} accepted", signed(sprt.high, 2)),
    }
}

/// Returns the state of the sequential test as a line.
fn test_line(standings: &Standings) -> Option<String> {
    let SprtState { sprt, verdict, llr } = standings.test()?;
    let (low, high) = sprt.bounds();
    let hypotheses = [sprt.low, sprt.high].map(|result| signed(result, 2)).join(" against ");
    let (unit, verdict) = (unit(&sprt), verdict_text(&sprt, verdict));
    let place = format!("LLR {llr:+.2} in [{low:.2}, {high:.2}]");
    Some(format!("SPRT {hypotheses} {unit}: {place}, {verdict}"))
}

fn pairing_line([first, second]: [&str; 2], tally: &Tally) -> String {
    let (games, Tally { wins, draws, losses, .. }) = (tally.games(), tally);
    let percent = 100.0 * tally.points() / games.max(1) as f64;
    let results = format!("{games} games, +{wins} ={draws} -{losses} ({percent:.1} %)");
    let (discs, elo) = (interval(tally.pair_discs.estimate(), 2), interval(tally.pairs.elo(), 1));
    format!("{first} - {second}: {results}, discs {discs}, Elo {elo}")
}

/// Returns the standings in a few lines, for display during a match.
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

/// Returns the summary of a match as text.
pub fn text(plan: &MatchPlan, standings: &Standings) -> String {
    let mut text = table(standings);
    let [ll, ld, even, wd, ww] = standings.pairs().0;
    if standings.tallies.len() == 1 {
        let _ = writeln!(text, "pairs by points 0, 1/2, 1, 3/2, 2: {ll} {ld} {even} {wd} {ww}");
    }
    if standings.names.len() > 2 {
        ranking(&mut text, standings);
    }
    for (index, usage) in standings.usage.iter().enumerate() {
        let engine = &plan.engines[index];
        let each = if usage.moves == 0 { 0.0 } else { usage.time / usage.moves as f64 };
        let margin = engine.margin.unwrap_or(plan.margin);
        let _ = write!(
            text,
            "{}: {}, margin {margin} s; used {:.1} s for {} moves, {each:.4} s each, longest {:.3} s",
            engine.name, engine.limits, usage.time, usage.moves, usage.longest
        );
        if let (Some(share), Some(all)) =
            (usage.time_use.share(), usage.time_use.share_with_endings())
        {
            let (share, all) = (100.0 * share, 100.0 * all);
            let _ = write!(text, "; {share:.1} % of its time, {all:.1} % with the endings");
        }
        for (fault, count) in &usage.faults {
            let _ = write!(text, "; {} {count}x", fault.label());
        }
        text.push('\n');
    }
    if let Some(overhead) = standings.overhead_millis() {
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
        let EngineTotal { wins, draws, losses, .. } = total;
        let discs = signed(total.discs as f64 / games.max(1) as f64, 2);
        let (name, elo) = (&standings.names[index], signed(ratings[index], 1));
        let results = format!("{games:5}  {wins:5}  {draws:5}  {losses:5}");
        let _ = writeln!(text, "{name:width$}  {elo:>7}  {results}  {discs:>5}");
    }
}

/// Returns the summary of a match as JSON. Intervals are of 95 %; null stands for an infinite end.
pub fn json(plan: &MatchPlan, standings: &Standings) -> Value {
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
                "score": tally.pairs.score(),
                "elo": tally.pairs.elo(),
                "discs": tally.pair_discs.estimate(),
            })
        })
        .collect();
    let engines: Vec<Value> = standings
        .usage
        .iter()
        .enumerate()
        .map(|(index, usage)| {
            let engine = &plan.engines[index];
            json!({
                "name": engine.name,
                "limits": engine.limits,
                "margin": engine.margin.unwrap_or(plan.margin),
                "rating": ratings[index],
                "seconds": usage.time,
                "moves": usage.moves,
                "longest": usage.longest,
                "nodes": usage.nodes,
                "failings": usage.faults,
                "time_share": usage.time_use.share(),
                "time_share_with_endings": usage.time_use.share_with_endings(),
                "time_by_ply": usage.time_use.by_ply(),
            })
        })
        .collect();
    let sprt = standings.test().map(|SprtState { sprt, verdict, llr }| {
        let (low, high) = sprt.bounds();
        json!({ "test": sprt, "llr": llr, "bounds": [low, high], "verdict": verdict })
    });
    json!({
        "games": standings.games(),
        "scheduled": standings.schedule.games(),
        "pairings": pairings,
        "engines": engines,
        "sprt": sprt,
        "overhead_ms": standings.overhead_millis(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_rounds_to_zero_has_no_sign() {
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
