//! Matches between engines, ours or others', measured as they should be.
//!
//! A match ([`runner::Match`]) is engines ([`config`]), openings
//! ([`openings`]) and a [`schedule`] in which every opening is played twice
//! with colours swapped. Each engine is a process of its own ([`process`])
//! behind a [`client`] of its protocol. The [`referee`] plays one game on the
//! mailbox board and keeps the [`clock`]s, the [`runner`] plays many at once,
//! and what fails loses one game and no more. Results go into [`record`]s and
//! a [`folder`], and come out as [`standings`] with their [`stats`] and
//! sequential test ([`sprt`]), as a [`report`] and a [`plot`].

pub mod client;
pub mod clock;
pub mod config;
pub mod folder;
mod gtp;
mod nboard;
pub mod openings;
pub mod plot;
pub mod process;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod stats;
