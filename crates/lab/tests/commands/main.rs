//! The commands of the real binary `umigame-lab`.

mod learn_average;
mod learn_calibrate;
mod learn_label;
mod learn_network;
mod learn_play;
mod learn_probcut;
mod learn_scores;
mod learn_uncertainty;
mod measurements;
#[cfg(unix)]
mod replay;
mod support;
