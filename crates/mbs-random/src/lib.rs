//! Random mechanisms, the laws that every mechanism obeys, and two other readers of compiled programs: on dual numbers, and of printed Rust.
#![forbid(unsafe_code)]

pub mod case;
pub mod catalogued;
pub mod declared;
pub mod description;
pub mod dual;
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
pub mod rust_text;
pub mod state;
pub mod strategy;
pub mod world;
