//! The commands of the real binary `umigame-lab`.

mod learn_average;
mod learn_fit_models;
mod learn_label;
mod learn_network;
mod learn_play;
mod learn_test;
mod measurements;
mod ratings;
#[cfg(unix)]
mod replay;
mod support;
