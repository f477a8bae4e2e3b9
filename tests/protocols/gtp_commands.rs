//! GTP: framing, commands that do not search, bad input, the end (statements of
//! `tests/README.md`).

use std::time::Duration;

use crate::support::*;

/// Returns the output for an input written at once.
fn output_of(input: &str) -> String {
    let output = converse(&["gtp"], input.as_bytes());
    assert!(output.status.success());
    stdout(&output)
}

#[test]
fn the_version_of_the_protocol_is_2() {
    assert_eq!(output_of("protocol_version\n"), "= 2\n\n");
    assert_eq!(
        converse(&[], b"protocol_version\n").stdout,
        b"= 2\n\n",
        "detected by its first line"
    );
}

#[test]
fn name_and_version_are_one_line_each() {
    let mut engine = EngineProcess::gtp();
    for command in ["name", "version"] {
        let text = engine.done(command);
        assert!(!text.is_empty() && !text.contains('\n'), "{text}");
    }
}

#[test]
fn the_mark_is_followed_by_one_blank_and_text_or_by_nothing() {
    let text = output_of("name\nclear_board\nnosuch\nplay b d3\nplay b\n");
    let version = text.split("\n\n").collect::<Vec<_>>();
    assert_eq!(version, ["= umigame", "=", "? unknown command", "=", "? syntax error", ""]);
}

#[test]
fn an_id_is_repeated_in_its_response_only() {
    assert_eq!(
        output_of("17 name\n18 nosuch\nname\n0019 name # x\n"),
        "=17 umigame\n\n?18 unknown command\n\n= umigame\n\n=0019 umigame\n\n"
    );
    assert_eq!(
        converse(&[], b"17 name\n").stdout,
        b"=17 umigame\n\n",
        "detected by its first line"
    );
}

#[test]
fn list_commands_names_each_command_once_and_known_command_agrees() {
    let mut engine = EngineProcess::gtp();
    let text = engine.done("list_commands");
    let mut names: Vec<&str> = text.lines().collect();
    assert!(names.iter().all(|name| !name.is_empty() && !name.contains(' ')));
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
    for needed in "protocol_version name version known_command list_commands quit boardsize \
        clear_board komi play genmove set_game list_games undo time_settings time_left"
        .split_whitespace()
    {
        assert!(names.contains(&needed), "{needed}");
    }
    for name in names {
        assert_eq!(engine.done(&format!("known_command {name}")), "true");
        if name != "quit" {
            assert_ne!(engine.ask(name), Err("unknown command".to_string()), "{name}");
        }
    }
    assert_eq!(engine.done("known_command xyz"), "false");
    assert_eq!(engine.done("known_command"), "false");
    assert_eq!(engine.ask("xyz"), Err("unknown command".to_string()));
}

#[test]
fn blank_lines_and_comments_get_no_response_and_control_characters_are_dropped() {
    assert_eq!(output_of("\n   \n# text\n\t\n  # name\n"), "");
    assert_eq!(output_of("name # c\n"), "= umigame\n\n");
    assert_eq!(output_of("known_command\tname\r\n\x01na\x02me\r\n"), "= true\n\n= umigame\n\n");
}

#[test]
fn commands_written_together_are_answered_in_order() {
    let mut engine = EngineProcess::gtp();
    engine.send("protocol_version\nname\nversion\nlist_commands\nlist_games");
    assert_eq!(engine.response(), Ok("2".to_string()));
    assert_eq!(engine.response(), Ok("umigame".to_string()));
    assert!(engine.response().is_ok());
    assert!(engine.response().unwrap().contains("genmove"));
    assert_eq!(engine.response(), Ok("Othello".to_string()));
}

#[test]
fn the_only_game_is_othello() {
    let text = output_of("set_game Othello\nset_game Go\nlist_games\nset_game\n");
    assert_eq!(text, "=\n\n? unsupported game\n\n= Othello\n\n? syntax error\n\n");
}

#[test]
fn the_only_size_is_eight_and_it_clears_the_board() {
    let mut engine = EngineProcess::gtp();
    engine.done("play b d3");
    assert_eq!(engine.done("boardsize 8"), "");
    assert!(engine.done("showboard").starts_with("Black to move, 2-2"));
    assert_eq!(engine.ask("boardsize 10"), Err("unacceptable size".to_string()));
    assert_eq!(engine.ask("boardsize x"), Err("syntax error".to_string()));
    assert_eq!(engine.ask("boardsize"), Err("syntax error".to_string()));
}

#[test]
fn clear_board_forgets_the_history() {
    let mut engine = EngineProcess::gtp();
    engine.done("play b d3");
    engine.done("clear_board");
    assert_eq!(engine.ask("undo"), Err("cannot undo".to_string()));
    engine.done("play b f5");
}

#[test]
fn komi_is_accepted_and_ignored() {
    assert_eq!(output_of("komi 0\nkomi 6.5\nkomi x\n"), "=\n\n=\n\n? syntax error\n\n");
}

#[test]
fn bad_arguments_are_errors() {
    let mut engine = EngineProcess::gtp();
    for bad in [
        "genmove purple",
        "genmove",
        "play b",
        "play",
        "play b zz9",
        "play b i9",
        "play b d33",
        "play x d3",
        "reg_genmove",
        "time_settings",
        "time_settings 1 2",
        "time_settings a b c",
        "time_settings 1 2 -3",
        "time_left b x 0",
        "time_left b 1",
        "time_left purple 1 1",
        "time_left b NaN 0",
        "boardsize 99999999999999999999",
        "set_level 0",
        "set_level 31",
        "loadsgf",
    ] {
        let error = engine.ask(bad).unwrap_err();
        assert!(error == "syntax error" || error == "illegal move", "{bad}: {error}");
    }
    assert_eq!(engine.ask("play \u{6d77} d3"), Err("syntax error".to_string()));
    engine.done("play b d3");
}

#[test]
fn every_response_is_printable_ascii_without_inner_blank_lines() {
    let text = output_of(
        "list_commands\nshowboard\ngogui-rules_board\nplay \u{6d77}\n\u{6d77}\u{4e80}\n\
         5 \u{e9}t\u{e9}\nloadsgf /\u{6d77}\nfinal_score\nlist_games\n",
    );
    assert!(text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)));
    let responses: Vec<&str> = text.split_terminator("\n\n").collect();
    assert_eq!(responses.len(), 9);
    assert!(responses.iter().all(|response| response.starts_with(['=', '?'])), "{text}");
    assert!(responses.iter().filter(|text| text.starts_with('?')).all(|text| !text.contains('\n')));
}

#[test]
fn lines_of_any_length_and_bytes_get_one_response() {
    let mut engine = EngineProcess::gtp();
    engine.write(&vec![b'j'; 100_000]);
    engine.send("");
    assert_eq!(engine.response(), Err("line too long".to_string()));
    engine.send(&format!("7 {}", "j ".repeat(60_000)));
    assert_eq!(engine.line(), "?7 line too long");
    assert_eq!(engine.line(), "");
    engine.send(&format!("name # {}", "j ".repeat(60_000)));
    assert_eq!(engine.response(), Ok("umigame".to_string()));
    engine.write(b"na\0me\n\0\0\n\xff\xfe\nname\n");
    assert_eq!(engine.response(), Ok("umigame".to_string()));
    assert_eq!(engine.response(), Err("unknown command".to_string()));
    assert_eq!(engine.response(), Ok("umigame".to_string()));
}

#[test]
fn five_thousand_commands_at_once_are_all_answered_in_order() {
    let mut engine = EngineProcess::gtp();
    let text: String = (0..5000).map(|n| format!("{n} name\n")).collect();
    engine.write(text.as_bytes());
    for n in 0..5000 {
        assert_eq!(engine.line(), format!("={n} umigame"));
        assert_eq!(engine.line(), "");
    }
}

#[test]
fn quit_and_every_command_before_it_are_answered() {
    assert_eq!(output_of("name\n3 quit\nname\n"), "= umigame\n\n=3\n\n");
    let text = output_of("play b d3\ngenmove w\nquit\n");
    let responses: Vec<&str> = text.split_terminator("\n\n").collect();
    assert_eq!(responses.len(), 3, "{text}");
    assert_eq!((responses[0], responses[2]), ("=", "="));
}

#[test]
fn the_end_of_input_gets_no_response() {
    assert_eq!(output_of(""), "");
    assert_eq!(output_of("name"), "= umigame\n\n", "a last line without an end counts");
    let mut engine = EngineProcess::gtp();
    engine.close_input();
    let (status, _, lines) = engine.wait();
    assert_eq!((status.code(), lines.len()), (Some(0), 0));
}

#[test]
fn nothing_is_sent_without_a_command() {
    let mut engine = EngineProcess::gtp();
    engine.done("name");
    engine.send("genmove b");
    engine.response().unwrap();
    assert_eq!(engine.lines_within(Duration::from_millis(300)), [""; 0]);
}

#[test]
fn gogui_is_told_the_rules() {
    let mut engine = EngineProcess::gtp();
    assert_eq!(engine.done("gogui-rules_game_id"), "Othello");
    assert_eq!(engine.done("gogui-rules_board_size"), "8");
    assert_eq!(engine.done("gogui-rules_side_to_move"), "black");
    assert_eq!(engine.done("gogui-rules_legal_moves"), "D3 C4 F5 E6");
    engine.done("play b d3");
    assert_eq!(engine.done("gogui-rules_side_to_move"), "white");
    let board = engine.done("gogui-rules_board");
    let rows: Vec<&str> = board.lines().collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[5], ". . . X . . . .", "row 3 is the sixth from the bottom");
    assert_eq!(rows[3], ". . . X O . . .", "row 5");
    assert_eq!(engine.ask("gogui-rules_final_result"), Err("cannot score".to_string()));
    assert_eq!(engine.done("gogui-interrupt"), "");
}

#[test]
fn showboard_draws_the_board_without_blank_lines() {
    let mut engine = EngineProcess::gtp();
    engine.send("showboard");
    let first = engine.line();
    assert_eq!(first, "= Black to move, 2-2");
    assert_eq!(engine.line(), "  A B C D E F G H");
    for row in 1..=8 {
        assert!(engine.line().starts_with(&row.to_string()));
    }
    assert_eq!(engine.line(), "");
}

#[test]
fn a_file_without_an_othello_game_cannot_be_loaded() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("no game.sgf");
    std::fs::write(&path, "(;GM[1]SZ[19];B[dd])").unwrap();
    let mut engine = EngineProcess::gtp();
    engine.done("play b d3");
    // A pipe would have no end.
    let pipe = directory.path().join("pipe");
    let _ = std::process::Command::new("mkfifo").arg(&pipe).status();
    for name in [path.to_str().unwrap(), "/no/such/file", "/", pipe.to_str().unwrap()] {
        let error = engine.ask(&format!("loadsgf {name}")).unwrap_err();
        assert_eq!(error, "cannot load file", "{name}");
    }
    assert!(engine.done("showboard").starts_with("White to move, 4-1"), "the game is kept");
}

#[test]
fn sgf_games_are_loaded_in_both_spellings_whole_or_up_to_a_move() {
    let directory = tempfile::tempdir().unwrap();
    let edax = "(;GM[2]FF[4]SZ[8]PB[a]PW[b];B[f5];W[d6];B[c3];W[d3];B[c4])";
    let quarry = "(;FF[4]GM[2]SZ[8];B[fe];W[df];B[cc];W[dc];B[cd])";
    for (name, text) in [("edax.sgf", edax), ("a quarry game.sgf", quarry)] {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let mut engine = EngineProcess::gtp();
        for (number, moves) in
            [("", "f5 d6 c3 d3 c4"), (" 3", "f5 d6"), (" 1", ""), (" 99", "f5 d6 c3 d3 c4")]
        {
            engine.done(&format!("loadsgf {path}{number}"));
            let legal: Vec<String> =
                board_after(moves).legal_squares().map(|square| format!("{square:#}")).collect();
            assert_eq!(engine.done("gogui-rules_legal_moves"), legal.join(" "), "{name}{number}");
        }
        engine.done("undo");
    }
}
