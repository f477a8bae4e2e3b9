//! The Python package `umigame`: boards, games, engine, books and arrays.
//!
//! One file a class; results are values of `umigame.results`. Calls that may take long run on threads of their own without the
//! interpreter's lock, and Ctrl-C ends them ([`interrupt`]). Nothing here decides about the game:
//! the crates do.

mod analysis;
mod arena;
mod arrays;
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

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use umigame_eval::kernels;
use umigame_othello::kernels::unsupported;

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
    errors::add_to(module)?;
    module.add_class::<board::Board>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<limits::Limit>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<running::RunningSearch>()?;
    module.add_class::<arena::EngineProcess>()?;
    module.add_class::<reader::GameReader>()?;
    module.add_class::<reader::PositionReader>()?;
    module.add_class::<samples::SampleReader>()?;
    module.add_class::<book::Book>()?;
    module.add_class::<layers::BookLayers>()?;
    module.add_class::<analysis::GameAnalysis>()?;
    add_functions(module)
}

fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(moves::square_index, module)?)?;
    module.add_function(wrap_pyfunction!(moves::square_name, module)?)?;
    module.add_function(wrap_pyfunction!(arena::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(arena::random_openings, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::analyze_game, module)?)?;
    module.add_function(wrap_pyfunction!(reader::read_games, module)?)?;
    module.add_function(wrap_pyfunction!(reader::read_positions, module)?)?;
    module.add_function(wrap_pyfunction!(samples::read_samples, module)?)?;
    module.add_function(wrap_pyfunction!(game::write_games, module)?)?;
    module.add_function(wrap_pyfunction!(command::main, module)?)?;
    module.add_function(wrap_pyfunction!(command::faster_level, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::flips, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::apply, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::symmetries, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::canonical, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::move_images, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::final_scores, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::game_over, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::features, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::feature_count, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::from_boards, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::to_boards, module)?)
}
