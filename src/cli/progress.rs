//! What progress bars look like.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of this template whose times go on between two steps.
pub(super) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.enable_steady_tick(Duration::from_secs(1));
    let style = ProgressStyle::with_template(template);
    let style = style.map(|style| style.progress_chars("##-"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
