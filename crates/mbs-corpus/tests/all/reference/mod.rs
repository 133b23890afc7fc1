//! Mechanisms against results that were computed without `mbs`: the cases of `tests/reference/*.json` (their provenance is in each file), and
//! closed forms. The mechanisms are interpreted; compiled code has the interpreter's bits.
//!
//! Tolerance of every comparison: max(stated accuracy, 1e-12 × scale) plus ten times the change when the integrator's
//! tolerances are tightened tenfold; scale is the largest reference value of the quantity. Motions that drives prescribe are not
//! integrated: 1e-12 is Newton's round-off of positions, some 1e-15, amplified in accelerations and loads. The figures
//! are printed:
//! `cargo test -p mbs-corpus --test all reference -- --nocapture`.

mod case;
mod comparison;
mod figures;
mod massless;
mod prescribed;

mod andrews;
mod car_axis;
mod counts;
mod engines;
mod equations;
mod linkages;
mod loads;
mod loops;
mod machines;
mod n_four_bar;
mod natural;
mod pendulums;
mod point_mass;
mod redundant;
mod revolutions;
mod robots;
mod rolling;
mod satellites;
mod scissor_lift;
mod signs;
mod slider_crank;
mod space;
mod yokes;
