//! Settings that decide on results, as the log has them.

use std::collections::BTreeMap;

use umigame::bench::SignatureBench;
use umigame_engine::{EngineError, SharedEvaluation};

/// Returns settings by name, as the log has them.
pub(crate) fn named(
    settings: impl IntoIterator<Item = (&'static str, String)>,
) -> BTreeMap<String, String> {
    settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the settings of the engine that decide on results, by name: the weights, and the
/// signature of the search.
pub(crate) fn engine_settings(
    evaluation: &SharedEvaluation,
) -> Result<[(&'static str, String); 2], EngineError> {
    let mut bench = SignatureBench::new(evaluation)?;
    let signature: u64 = bench.run().map(|search| search.nodes).sum();
    Ok([
        ("weights", format!("{:08x}", evaluation.checksum())),
        ("signature", signature.to_string()),
    ])
}
