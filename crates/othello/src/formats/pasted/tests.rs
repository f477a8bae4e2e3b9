#![allow(clippy::expect_used)]

use super::*;

const START: &str = "---------------------------OX------XO---------------------------";

fn form_and_plies(text: &str) -> Result<(&'static str, usize), PastedError> {
    let found = read(text)?;
    assert!(found.record.board().is_ok(), "{text}");
    Ok((found.form, found.record.turns.len()))
}

#[test]
fn every_form_of_a_pasted_game_is_recognised() {
    let rows: String = (0..8).map(|row| format!("{}\n", &START[8 * row..8 * row + 8])).collect();
    let ggf =
        format!("(;GM[Othello]PC[x]PB[Anna]PW[Ben]RE[?]TI[5:00]TY[8]BO[8 {START} *]B[f5]W[d6];)");
    let pgn = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Black \"anna\"]\n[White \"ben\"]\n[Result \"*\"]\n\n1. f5 d6 2. c3 *\n";
    for (text, form, plies) in [
        ("f5d6c3", "transcript", 3),
        ("F5 D6\nC3", "transcript", 3),
        ("1. f5 2. d6 3. c3", "transcript", 3),
        ("# a comment\nf5d6c3", "transcript", 3),
        (ggf.as_str(), "ggf", 2),
        ("(;FF[4]GM[2]SZ[8]PB[a]PW[b];B[f5];W[d6])", "sgf", 2),
        (pgn, "pgn", 3),
        (&format!("{START} X; F5:+0;"), "obf", 0),
        (&format!("{START} X"), "position", 0),
        (START, "position", 0),
        (&rows, "position", 0),
        (&format!("{START} X; f5d6"), "transcript", 2),
        ("Black: Anna (1500)\nWhite: Ben (1400)\nf5d6c3d3c4\nBlack won", "copy", 5),
        ("http://127.0.0.1:6464/#f5d6c3@2", "address", 3),
        (&format!("http://127.0.0.1:6464/#board={START}X;f5d6"), "address", 2),
    ] {
        assert_eq!(form_and_plies(text), Ok((form, plies)), "{text}");
    }
}

#[test]
fn a_board_as_it_is_drawn_is_recognised() {
    let position = crate::Position::START;
    assert_eq!(form_and_plies(&drawing::text(position, Color::Black)), Ok(("board", 0)));
}

#[test]
fn a_fault_is_named_with_its_line_and_column() {
    for (text, message, line, column) in [
        ("", "the text is empty", 1, 1),
        ("f5d6\nf5", "there is a disc already", 2, 1),
        ("f5d6z9", "`z9` is no move", 1, 5),
        ("f5d6\nc3z9", "`z9` is no move", 2, 3),
        ("(;GM[Othello]PC[x]\nB[f5]W[f5];)", "move 2 is illegal", 2, 8),
        ("(;FF[4]GM[2]\n;B[f5]\n;W[zz])", "`zz` is no move", 3, 4),
        ("[Site \"PlayOK\"]\n\n1. f5 d6 2. h8", "is illegal", 3, 13),
        ("XXX", "3 squares of 64", 1, 4),
        ("hello", "`hello` is no move", 1, 1),
        ("http://127.0.0.1:6464/", "the address has no game", 1, 1),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
    }
}
