//! Tests that generated code, interpreter and engine agree on `mechanisms/` and with the reference cases.

mod costs;
mod mechanisms;
mod no_std;
mod reference;
#[path = "../../tiers.rs"]
mod tiers;
