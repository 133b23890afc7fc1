//! Random mechanisms, and the laws that every mechanism obeys.
#![forbid(unsafe_code)]

pub mod case;
pub mod catalogued;
pub mod declared;
pub mod description;
pub mod expr;
pub mod features;
pub mod frame;
pub mod judge;
pub mod laws;
pub mod ledger;
pub mod matrix;
pub mod number;
pub mod oracle;
pub mod plan;
pub mod print;
pub mod realize;
pub mod run;
pub mod state;
pub mod strategy;
pub mod world;
