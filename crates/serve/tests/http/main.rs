//! A server on a port, and clients over real sockets: well-behaved ones, and others.

mod answers;
mod client;
mod connections;
mod games;
mod load;
mod openapi;
mod queue;
mod refusals;
mod reports;
mod streams;
