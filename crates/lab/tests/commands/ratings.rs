//! Levels against each other, and what they lose, on the real binary.

use crate::support::run;

/// The rows after a line that begins with `head`, in words.
fn rows<'a>(out: &'a str, head: &str) -> Vec<Vec<&'a str>> {
    let after = out.lines().skip_while(|line| !line.starts_with(head)).skip(1);
    after
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().collect())
        .collect()
}

#[test]
fn players_meet_their_neighbours_and_the_same_seed_gives_the_same_ratings() {
    let args = ["ratings", "random", "greedy", "beginner", "1", "-n", "10", "--neighbours", "2"];
    let (code, out, err) = run(&args);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let pairs: Vec<_> = rows(&out, "stronger").iter().map(|row| [row[0], row[1]]).collect();
    let met = [["greedy", "random"], ["beginner", "random"], ["beginner", "greedy"]];
    let others = [["1", "greedy"], ["1", "beginner"]];
    assert!(met.iter().chain(&others).all(|pair| pairs.contains(pair)), "{out}");
    assert_eq!(pairs.len(), 5, "{out}");
    let rated = rows(&out, "player");
    assert_eq!(rated[0][..2], ["random", "+0"], "{out}");
    let rating = |row: &[&str]| row[1].parse::<i32>().expect("a rating");
    assert!(rating(&rated[3]) > rating(&rated[1]) + 300, "level 1 beats a greedy player: {out}");
    assert_eq!(run(&[&args[..], &["-j", "2"]].concat()).1, out);
    assert_ne!(run(&[&args[..], &["--seed", "2"]].concat()).1, out);
}

#[test]
fn losses_are_by_stage_and_beside_people_whose_games_are_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("people.txt");
    std::fs::write(&games, "f5d6c3d3c4f4f6g5e6d7\n".repeat(4)).expect("room");
    let people = ["--people", games.to_str().expect("a path")];
    let args = ["losses", "greedy", "8", "-n", "4", "--judge", "1"];
    let (code, out, err) = run(&[&args[..], &people].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let found = rows(&out, "player");
    assert_eq!((found[0][0], found[0][1]), ("greedy", "8"), "{out}");
    let of = |name: &str| {
        let row = found.iter().find(|row| row[0] == name).expect("a row");
        row[2].parse::<f64>().expect("discs")
    };
    assert!(of("greedy") > 10.0 * of("8") + 50.0, "{out}");
    assert!(found.iter().any(|row| row[0].starts_with("people")), "{out}");
}

#[test]
fn wrong_players_and_files_are_named() {
    for (args, part) in [
        (&["ratings", "bogus"][..], "level `bogus`"),
        (&["ratings", "1"], "at least two players"),
        (&["ratings", "1", "2", "-n", "1"], "--games"),
        (&["losses", "error:x"], "`x`: expected a number"),
        (&["losses", "beginner", "--people", "/no/such/file"], "/no/such/file"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}
