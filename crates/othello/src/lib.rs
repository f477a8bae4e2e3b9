//! The game of Othello: squares and moves, two boards, stability, records and their file formats.
//!
//! Two boards check each other. [`Board`] is a game in progress: a mailbox with the side to move,
//! the history of moves, exact undo, and the direction mask of every square. [`Position`] is what a
//! search needs: two 64-bit words, player and opponent, with kernels for the instruction sets of the
//! processor. A [`Record`] is a game with players, clocks and result, for files. The crate parses
//! bytes and prints text; it opens no file, starts no thread and reads no clock.
//!
//! ```
//! use umigame_othello::{Board, Move, Record, Square, formats::ggf};
//!
//! // A game from a transcript; "start", 64 squares with the side to move, and GGF are read too.
//! let mut board: Board = "f5d6c3".parse()?;
//! let legal: Vec<String> = board.legal_squares().map(|square| square.to_string()).collect();
//! assert_eq!(legal, ["d3", "f3", "f4", "g5"]);
//! board.play(Square::D3)?;
//! assert!(board.play(Move::Pass).is_err());
//! println!("{board}");
//!
//! // To a record and a line of GGF, and back.
//! let mut record = Record::from_board(&board);
//! record.players[0].name = "Anna".to_string();
//! let line = ggf::text(&record);
//! assert_eq!(ggf::parse(&line)?.board()?, board);
//!
//! assert_eq!(board.undo(), Some(Move::Place(Square::D3)));
//! assert_eq!(board.result_for_black(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | [`notation`] | positions as text |
//! | [`formats`] | GGF, SGF, PGN, transcripts, OBF, WTHOR |
//! | [`openings`] | names of openings |
//! | [`stability`] | stable discs, three counts |
//! | [`edges`] | mountains, wings and lone Cs |
//! | [`kernels`] | legal moves, flips, stability, the network's sums for each instruction set |
//! | [`text`] | quoted and filtered text for messages |
//!
//! | feature | |
//! |---|---|
//! | `serde` | `Serialize` and `Deserialize` for the plain values |
//! | `portable` | the portable kernels on every processor |
//! | `testing` | random games and reference data for tests |

mod bitboard;
mod board;
mod clock;
mod color;
pub mod edges;
pub mod formats;
pub mod kernels;
mod line;
pub mod lines;
mod moves;
pub mod notation;
pub mod openings;
mod perft;
mod position;
mod record;
mod replay;
mod score;
#[cfg(feature = "serde")]
mod serde;
mod square;
pub mod stability;
mod symmetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
mod zobrist;

pub use bitboard::{Bitboard, ParseBitboardError, Squares};
pub use board::{Board, IllegalMove};
pub use clock::{Clock, ParseClockError};
pub use color::{Color, ParseColorError};
pub use moves::{Move, ParseMoveError};
pub use notation::{ParsePositionError, parse_position, position_text};
pub use perft::{PassRule, perft, perft_mailbox};
pub use position::{OverlapError, Position};
pub use record::{GameEnd, GameOutcome, Player, Record, ReplayError, Turn, year_of_date};
pub use replay::MoveError;
pub use score::{Eval, ParseScoreError, Score};
pub use square::{DIRECTIONS, ParseSquareError, Square};
pub use symmetry::Symmetry;
