//! Moves as they are typed.

use umigame_othello::text::quote;
use umigame_othello::{Board, Move};

/// Reads moves that are legal one after the other from this position. Forced passes may be left out.
///
/// # Errors
/// The first word that is no move or an illegal one.
pub(super) fn moves_from(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let mut board = board.clone();
    let before = board.plies();
    for word in text.split_whitespace() {
        // Squares may follow each other without blanks.
        let tokens = match word.parse::<Move>() {
            Ok(_) => vec![word.to_owned()],
            Err(_) => {
                let letters: Vec<char> = word.chars().collect();
                letters.chunks(2).map(|pair| pair.iter().collect()).collect()
            }
        };
        for token in tokens {
            let played: Move = token.parse().map_err(|_| unknown(word))?;
            if played != Move::Pass && board.must_pass() {
                board.pass().map_err(|why| why.to_string())?;
            }
            board.play(played).map_err(|why| format!("illegal: {why}"))?;
        }
    }
    Ok(board.history().skip(before).collect())
}

fn unknown(word: &str) -> String {
    format!("`{}` is no move and no command: expected a square such as f5, or help", quote(word))
}
