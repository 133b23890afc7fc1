//! Compiled mechanisms against results that nobody here computed with `mbs`: the cases of `tests/reference/*.json` (their
//! provenance is in each file), and closed forms.
//!
//! Tolerance of every comparison: max(stated accuracy, 1e-12 × scale) plus ten times the change when the integrator's
//! tolerances are tightened tenfold; scale is the largest reference value of the quantity. The figures are printed:
//! `cargo test -p mbs-corpus --test reference -- --nocapture`.

mod case;
mod comparison;

mod andrews;
mod car_axis;
mod counts;
mod equations;
mod loads;
mod loops;
mod n_four_bar;
mod pendulums;
mod point_mass;
mod signs;
mod turns;
