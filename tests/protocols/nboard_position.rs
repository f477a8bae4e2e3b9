//! The NBoard protocol: start-up and positions (statements 1 to 26 of `tests/README.md`).

use umigame_othello::{Board, Move, Square, parse_position};

use crate::support::*;

/// Returns the moves of a hint, sorted.
fn legal_by_hint(engine: &mut EngineProcess) -> Vec<Move> {
    engine.send("set depth 1");
    let mut moves: Vec<Move> =
        hints(&engine.hint("hint 64")).into_iter().map(|hint| hint.first).collect();
    moves.sort();
    moves.dedup();
    moves
}

fn legal(board: &Board) -> Vec<Move> {
    match board.must_pass() {
        true => vec![Move::Pass],
        false => board.legal_squares().map(Move::Place).collect(),
    }
}

/// Checks that after `lines` the engine has the legal moves of `board`.
fn assert_position(lines: &str, board: &Board) {
    let mut engine = EngineProcess::nboard();
    engine.send(lines);
    assert_eq!(legal_by_hint(&mut engine), legal(board), "{lines}");
}

#[test]
fn nboard_is_answered_with_a_name_that_is_sent_once() {
    let mut engine = EngineProcess::nboard();
    engine.send("nboard 2");
    assert_eq!(engine.before_pong(), ["set myname umigame"]);
    engine.send("nboard 2\nset depth 8");
    assert_eq!(engine.before_pong(), [""; 0], "a name that has not changed is not repeated");
}

#[test]
fn set_game_and_go_get_a_move_with_any_version_or_none() {
    for hello in ["nboard 1\n", "nboard 2\n", ""] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("{hello}{START}\nset depth 2\nping 1\ngo"));
        let answer = engine.until("===").pop().unwrap();
        assert!(Board::start().is_legal(nboard_move(&answer)), "{answer}");
    }
}

#[test]
fn lines_written_at_once_get_a_pong_and_then_hints() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("nboard 2\n{START}\nset depth 12\nping 1\nhint 4"));
    let lines = engine.until("search");
    assert_eq!(lines.iter().filter(|line| *line == "pong 1").count(), 1);
    let pong = lines.iter().position(|line| line == "pong 1").unwrap();
    assert!(lines[..pong].iter().all(|line| !line.starts_with("search")));
}

#[test]
fn the_first_pong_is_exact_to_the_byte_with_lf_and_crlf() {
    assert_eq!(converse(&["nboard"], b"ping 1\n").stdout, b"pong 1\n");
    assert_eq!(converse(&["nboard"], b"ping 7\r\n").stdout, b"pong 7\n");
    assert_eq!(converse(&[], b"ping 1\n").stdout, b"pong 1\n", "recognised by its first line");
}

#[test]
fn each_reply_is_flushed_before_the_next_line_is_read() {
    let mut engine = EngineProcess::nboard();
    engine.before_pong();
    // The engine waits for input each time: an unflushed reply would never come.
    for n in 0..20 {
        engine.send(&format!("ping {n}"));
        assert_eq!(engine.line(), format!("pong {n}"));
    }
}

#[test]
fn stdout_and_stderr_are_ascii_and_stderr_never_looks_like_the_protocol() {
    let bad = "set game (;GM[Othello]PB[\u{6d77}]PW[\u{e9}]BO[10 x];)\nmove \u{6d77}\nmove A1\n";
    let input = format!(
        "nboard 2\n{bad}set \u{6d77} 1\nfrobnicate\n{START}\nset depth 3\nhint 4\ngo\nping 3\n"
    );
    for arguments in [&["nboard"][..], &["nboard", "-v"]] {
        let output = converse(arguments, input.as_bytes());
        for byte in output.stdout.iter().chain(&output.stderr) {
            assert!(*byte == b'\n' || (b' '..=b'~').contains(byte), "byte {byte}");
        }
        let words = "search book status set pong nodestats analysis learned ===".split_whitespace();
        let stderr = String::from_utf8(output.stderr).unwrap();
        for word in words {
            assert!(!stderr.lines().any(|line| line.starts_with(word)), "{stderr}");
        }
    }
}

#[test]
fn nboard_accepts_every_line_of_a_session() {
    let input = format!(
        "nboard 2\n{START}\nset contempt 100\nset depth 4\nping 1\nhint 4\nmove F5//1.5\n\
         ping 2\ngo\nmove A1\nset game (;oops\nlearn\nanalyze\nping 3\n"
    );
    let mut engine = EngineProcess::nboard();
    engine.send(&input);
    for line in engine.until("pong 3") {
        assert!(is_nboard_reply(&line), "`{line}`");
    }
}

#[test]
fn the_working_directory_does_not_matter() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_umigame"))
        .arg("nboard")
        .current_dir(std::env::temp_dir())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(output.stderr, b"");
}

#[test]
fn a_board_of_one_word_or_eight_is_read() {
    assert_position(START, &Board::start());
    let blanks = "set game (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[a]PW[b]RB[2196.37]\
        RW[2200.35]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- \
        -------- -------- -------- *];)";
    assert_position(blanks, &Board::start());
}

#[test]
fn the_start_position_of_the_game_is_used() {
    for rows in ["---O*------O*---", "---*O------O*---"] {
        let squares = format!("{}{rows}{}", "-".repeat(24), "-".repeat(24));
        let (position, side) = parse_position(&format!("{squares} X")).unwrap();
        let text = format!("set game (;GM[Othello]TY[8]BO[8 {squares} *];)");
        assert_position(&text, &Board::from_position(position, side));
    }
}

#[test]
fn white_may_move_first() {
    let squares = "------------------O*O-----OO*-----**O------*O------***----------";
    let text = format!(
        "set game (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RE[?]\
         RB[2197.01]RW[2199.72]TB[5:00]TW[10:00/2/1:00]TY[8r18]BO[8 {squares} O]\
         W[D2/-1.23/5.01]B[D1//0.5];)"
    );
    let (position, side) = parse_position(&format!("{squares} O")).unwrap();
    let mut board = Board::from_position(position, side);
    board.play(Square::D2).unwrap();
    board.play(Square::D1).unwrap();
    assert_position(&text, &board);
}

#[test]
fn moves_may_have_any_case_and_decimals_with_comma() {
    let moves = "B[F5//27.379]W[d6/1.25/0.1]B[C3/-0.50/12.04]W[D3/1,25/0,1]\
                 B[c4//2.7680000000000002]";
    assert_position(&game("TI[5:00]", moves), &board_after("f5 d6 c3 d3 c4"));
}

#[test]
fn a_game_that_ends_in_a_pass_leaves_the_other_side_to_move() {
    for pass in ["PA//3.1", "pass", "PA", "--", "pa"] {
        let text = position(WHITE_MUST_PASS).replace("];)", &format!("]W[{pass}];)"));
        let mut engine = EngineProcess::nboard();
        engine.send(&text);
        assert_eq!(engine.go_move(), "a1".parse().unwrap(), "{pass}");
    }
}

#[test]
fn every_spelling_of_a_clock_is_read() {
    for clock in [
        "TI[5:00]",
        "TI[0//2:00]",
        "TI[15:00//02:00]",
        "TB[5:00]TW[10:00/2/1:00]",
        "TI[30]",
        "TI[1:05:00]",
        "TI[0]",
    ] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("set depth 2\n{}", game(clock, "B[F5]")));
        let answer = engine.go();
        assert!(board_after("f5").is_legal(nboard_move(&answer)), "{clock}");
        assert!(!engine.before_pong().iter().any(|line| line.contains("refused")), "{clock}");
    }
}

#[test]
fn unknown_and_missing_tags_are_tolerated() {
    let text = "set game (;GM[Othello]RB[1]RW[2]CO[a comment]KB[1]KW[2]KM[3.5]XY[z]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)";
    assert_position(text, &board_after("f5"));
}

#[test]
fn a_game_with_an_illegal_move_is_refused() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\n{}", game("", "B[F5]"), game("", "B[F5]W[A1]B[C3]")));
    let said = engine.before_pong();
    assert!(said.iter().any(|line| line.starts_with("status game refused: move 2")), "{said:?}");
    assert_eq!(legal_by_hint(&mut engine), legal(&board_after("f5")));
}

#[test]
fn boards_of_other_sizes_are_refused_with_a_status() {
    let ten = format!("set game (;GM[Othello]TY[10]BO[10 {} *];)", "-".repeat(100));
    let four = "set game (;GM[Othello]TY[4]BO[4 -----O*--*O----- *];)".to_string();
    for text in [ten, four] {
        let mut engine = EngineProcess::nboard();
        engine.send(&text);
        let said = engine.before_pong();
        assert!(said.iter().any(|line| line.starts_with("status game refused")), "{said:?}");
        assert_eq!(legal_by_hint(&mut engine), legal(&Board::start()));
    }
}

#[test]
fn every_form_of_move_advances_one_ply() {
    let moves = "move F5//27.379\nmove D6/1.25/0.1\nmove c3\nD3\nc4/0.5/1";
    assert_position(&format!("{START}\n{moves}"), &board_after("f5 d6 c3 d3 c4"));
    for pass in ["move PA", "PA", "move pass"] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("{}\n{pass}", position(WHITE_MUST_PASS)));
        assert_eq!(engine.go_move(), "a1".parse().unwrap(), "{pass}");
    }
}

#[test]
fn an_illegal_move_is_ignored() {
    for bad in ["move A1", "move PA", "move Z9", "move", "A1", "move E4"] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("{START}\n{bad}"));
        engine.before_pong();
        assert_eq!(legal_by_hint(&mut engine), legal(&Board::start()), "{bad}");
    }
}

#[test]
fn set_game_twice_is_the_same_as_once() {
    let text = game("TI[5:00]", "B[F5]W[D6]");
    assert_position(&format!("{text}\n{text}"), &board_after("f5 d6"));
}

#[test]
fn go_does_not_play_its_move() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{START}\nset depth 3"));
    for _ in 0..3 {
        assert!(Board::start().is_legal(engine.go_move()));
    }
    assert_eq!(legal_by_hint(&mut engine), legal(&Board::start()));
}

#[test]
fn player_names_may_be_empty_or_hold_any_bytes() {
    for name in ["", "two words", "\"quoted\"", "\u{6d77}\u{4e80}", "a'b\\c"] {
        let text = START.replace("PB[]PW[]", &format!("PB[{name}]PW[x]"));
        assert_position(&format!("{}\n{text}", game("", "B[F5]")), &Board::start());
    }
    let mut engine = EngineProcess::nboard();
    engine.write(b"set game (;GM[Othello]PB[\xff\xfe\x00]PW[\xc3]TY[8]BO[8 ");
    engine.send("---------------------------O*------*O--------------------------- *]B[F5];)");
    assert_eq!(legal_by_hint(&mut engine), legal(&board_after("f5")));
}
