//! Compiler and engine against each other and against closed forms, on random mechanisms and on mechanisms for single laws.

mod bars;
mod bases;
mod bases_in_space;
mod broken;
mod broken_laws;
mod cams;
mod declared_speeds;
mod drawn;
mod engine_formulas;
mod engine_in_space;
mod engine_in_space_rows;
mod every_side;
mod functions_of_time;
mod joint_kinds;
mod levels;
mod massless_bodies;
#[path = "../../../../mbs-codegen/tests/all/space/mechanisms.rs"]
mod mechanisms;
mod mixed;
mod opaque_rows;
mod prescribed;
mod quaternion_lengths;
mod random;
mod regressions;
mod shared_vectors;
mod space_sides;
mod starts;
#[path = "../../../../tests/tier.rs"]
mod tier;
mod torsion_in_space;
