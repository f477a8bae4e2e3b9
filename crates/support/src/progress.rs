//! Progress bars on standard error, in one form.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a progress bar on standard error, hidden unless that is a terminal. Without a length it is
/// a counter. A message follows the times.
pub fn bar(length: Option<u64>, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{elapsed}} (eta {{eta}})  {{msg}}"),
        ),
        None => (
            ProgressBar::new_spinner(),
            format!("{{spinner}} {{pos}} {unit}, {{elapsed}}  {{msg}}"),
        ),
    };
    bar.enable_steady_tick(Duration::from_secs(1));
    let style = ProgressStyle::with_template(&template);
    let style = style.map(|style| style.progress_chars("##-"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
