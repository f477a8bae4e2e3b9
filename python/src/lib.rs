//! The Python package `umigame`: boards, games, engine, books and arrays.
//!
//! One file a class; results are values of `umigame.results`. Calls that may take long run on
//! threads of their own without the interpreter's lock, and Ctrl-C ends them ([`interrupt`]).
//! Nothing here decides about the game: the crates do.

#[macro_use]
mod macros;

mod analysis;
mod arena;
mod arrays;
mod batches;
mod board;
mod book;
mod book_values;
mod command;
mod engine;
mod errors;
mod evaluation;
mod game;
mod game_files;
mod interrupt;
mod judgements;
mod layers;
mod limits;
mod many;
mod moves;
mod numbers;
mod reader;
mod report;
mod running;
mod samples;
mod shared;
mod shared_book;
mod square_values;
mod weak;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use umigame_eval::kernels;
use umigame_othello::kernels::unsupported;

/// Adds classes, functions and exceptions to a module.
macro_rules! add {
    ($module:ident, classes: $($class:path),+; functions: $($function:path),+; exceptions: $($exception:ident),+;) => {{
        $($module.add_class::<$class>()?;)+
        $($module.add_function(wrap_pyfunction!($function, $module)?)?;)+
        $($module.add(stringify!($exception), $module.py().get_type::<errors::$exception>())?;)+
    }};
}

/// The compiled half of the package umigame.
#[pymodule]
fn _umigame(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if let Some(missing) = unsupported() {
        return Err(PyImportError::new_err(format!(
            "umigame was built for a newer processor: this one lacks {missing}"
        )));
    }
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("KERNELS", kernels::NAME)?;
    add! {
        module,
        classes: board::Board, game::Game, limits::Limit, engine::Engine, running::RunningSearch,
            arena::EngineProcess, book::Book, analysis::GameAnalysis, reader::GameReader,
            batches::Batches;
        functions: moves::square_index, moves::square_name, arena::play_match,
            arena::random_openings, analysis::analyze_game, reader::read_games,
            reader::read_positions, samples::read_samples, game::write_games, command::main,
            command::faster_level, arrays::legal_moves, arrays::flips, arrays::apply,
            arrays::symmetries, arrays::canonical, arrays::move_images, arrays::final_scores,
            arrays::game_over, arrays::solve_seconds, arrays::features, arrays::feature_count, arrays::from_boards,
            arrays::to_boards, weak::levels;
        exceptions: Error, IllegalMove, ParseError, EngineError, BookError;
    }
    Ok(())
}
