//! Models of given weights, fitted to searches with them.
//!
//! | module | |
//! |---|---|
//! | [`calibrate`] | scale and offset of the values of each phase: the weights themselves |
//! | [`probcut`] | how far shallow searches are from deep ones |
//! | [`noise`] | which positions searches change more than others |
//! | [`scores`] | estimates of final scores, and how sure they are |
//!
//! [`ModelFit`] takes them as steps, each of which searches with what the ones before it fitted.

pub mod calibrate;
pub mod noise;
pub mod probcut;
pub mod scores;
mod steps;

pub use steps::{Fitted, ModelFit, Progress, Step, StepError, StepResult, StepSettings};
