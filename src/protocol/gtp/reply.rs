//! Texts of GTP responses.

use umigame_engine::Report;
use umigame_othello::{Board, Color, Move, Score, Square};

use super::error::GtpError;

/// Formats a response: mark, id, text, and the empty line that ends it.
pub(super) fn response(id: &str, reply: &Result<String, GtpError>) -> String {
    let (mark, text) = match reply {
        Ok(text) => ('=', text.clone()),
        Err(error) => ('?', error.to_string()),
    };
    let blank = if text.is_empty() { "" } else { " " };
    format!("{mark}{id}{blank}{text}\n")
}

/// `D3`, `pass`
pub(super) fn vertex(played: Move) -> String {
    match played {
        Move::Place(square) => format!("{square:#}"),
        Move::Pass => "pass".to_owned(),
    }
}

/// Vertices with a blank between them; `pass` if that is the only move, nothing after the end of
/// the game.
pub(super) fn legal_moves(board: &Board) -> String {
    if board.must_pass() {
        return vertex(Move::Pass);
    }
    let moves = board.legal_squares().map(|square| vertex(Move::Place(square)));
    moves.collect::<Vec<_>>().join(" ")
}

/// `B+26`, `W+2`, `0`
pub(super) fn result(black: Score) -> String {
    match black.discs() {
        0 => "0".to_owned(),
        discs if discs > 0 => format!("B+{discs}"),
        discs => format!("W+{}", -discs),
    }
}

fn disc(board: &Board, square: Square) -> char {
    board.get(square).map_or('.', Color::letter)
}

/// The board for people: a line with the side to move, then row 1 at the top.
pub(super) fn drawing(board: &Board) -> String {
    let [black, white] = Color::ALL.map(|color| board.count(color));
    let mut text = if board.is_over() {
        format!("Game over, {black}-{white}")
    } else {
        format!("{} to move, {black}-{white}", board.side_to_move())
    };
    text.push_str("\n  A B C D E F G H");
    for square in Square::all() {
        if square.column() == 0 {
            text.push_str(&format!("\n{}", square.row() + 1));
        }
        text.push(' ');
        text.push(disc(board, square));
    }
    text
}

/// The board for GoGui: row 8 first.
pub(super) fn rows_from_bottom(board: &Board) -> String {
    let row = |row| {
        let squares = (0..8).filter_map(|column| Square::at(column, row));
        squares.map(|square| disc(board, square).to_string()).collect::<Vec<_>>().join(" ")
    };
    (0..8).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// `+1.25 12@73% 48211 0.104000`: eval in discs for the side to move, depth, nodes, seconds. Match
/// runners put them into their records.
pub(super) fn search_summary(report: &Report) -> String {
    let eval = report.best().map_or(String::new(), |line| line.eval().to_string());
    format!("{eval} {} {} {:.6}", report.kind, report.nodes, report.elapsed.as_secs_f64())
}

/// `2.10 0.9134 0.0312 0.0554`: standard deviation in discs, and the probabilities of win, draw and
/// loss for the side to move; `-` where unknown.
pub(super) fn search_wdl(report: &Report) -> String {
    let estimate = report.best().map(|line| line.estimate).unwrap_or_default();
    let std_dev = estimate.std_dev.map_or("-".to_owned(), |discs| format!("{discs:.2}"));
    let wdl = estimate.wdl.map_or("- - -".to_owned(), |wdl| {
        format!("{:.4} {:.4} {:.4}", wdl.win(), wdl.draw(), wdl.loss())
    });
    format!("{std_dev} {wdl}")
}
