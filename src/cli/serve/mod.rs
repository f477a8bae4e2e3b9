//! `umigame serve`: the page of the board, and JSON for programs, on this machine.

mod games;

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use umigame_book::PlayBook;
use umigame_engine::{Level, SharedEvaluation, Strength};
use umigame_serve::{
    DEFAULT_PORT, ExportError, Exported, Port, ServeError, ServeOptions, Server, export,
};
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{on_interrupt, outcome};

use super::args::ServeArgs;
use super::{browser, settings};

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ServeArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    if let Some(folder) = &args.export {
        return export_page(folder, &args.wasm, out);
    }
    if let Some(folder) = args.reports.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(bad_input(format!("--reports {}: expected a folder", shown(folder))));
    }
    let book = args.book.as_deref().map(PlayBook::open).transpose();
    let options = ServeOptions {
        port: args.port.map_or(Port::From(DEFAULT_PORT), Port::Given),
        token: args.token.clone(),
        evaluation: evaluation.clone(),
        engine: settings::engine_options(&args.machine),
        level: args.level.unwrap_or(Strength::Level(Level::DEFAULT)),
        book: book.map_err(|error| bad_input(format!("--book {error}")))?,
        games: games::load(args)?,
        reports: args.reports.clone(),
    };
    let server = Server::bind(options).map_err(name_option)?;
    let handle = server.handle();
    on_interrupt(move || handle.stop())?;
    let address = format!("http://{}/", server.address());
    writeln!(out, "{address} token {}", server.token())?;
    out.flush()?;
    if args.open {
        let index = if args.reports.is_some() { "reports/index.html" } else { "" };
        browser::open(format!("{address}{index}"));
    }
    server.run()?;
    Ok(outcome())
}

/// Writes the page into a folder.
fn export_page(folder: &Path, package: &Path, out: &mut dyn Write) -> Result<Exit> {
    let exported = export(folder, package).map_err(|error| match error {
        ExportError::Package(..) => bad_input(format!("--wasm {error}")),
        ExportError::Occupied(_) => bad_input(format!("--export {error}")),
        ExportError::Write(..) => error.into(),
    })?;
    let Exported { files, bytes } = exported;
    writeln!(out, "# {}: {files} files, {bytes} bytes", shown(folder))?;
    Ok(Exit::Done)
}

/// Adds the option that an error is about.
fn name_option(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Engine(error) => settings::name_option(error),
        ServeError::PortInUse(_) | ServeError::PortsInUse(..) => {
            bad_input(format!("--port: {error}"))
        }
        error => error.into(),
    }
}
