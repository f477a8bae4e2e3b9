//! The style of progress bars.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Gives a bar a template, and updates its times every second.
pub(super) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.enable_steady_tick(Duration::from_secs(1));
    let style = ProgressStyle::with_template(template);
    let style = style.map(|style| style.progress_chars("##-"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
