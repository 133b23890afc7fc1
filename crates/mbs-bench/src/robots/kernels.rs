//! Compiled mechanisms and their kernels, for `build.rs` and for operation counts.

use mbs_compiler::compile::Options;
use mbs_model::{Formulation, Kernels};

/// The robot that landings do not compile.
pub const LARGEST: &str = "robots/quadruped18.mbs";

/// Files in `mechanisms/` with their options of compilation.
pub fn timed() -> [(&'static str, Options); 3] {
    let robot = Kernels { forward: true, operators: true, jacobians: true, ..Kernels::NONE };
    let satellite = Kernels { forward: true, jacobians: true, linearization: true, ..Kernels::NONE };
    let options =
        |kernels| Options { formulation: Some(Formulation::Joint), kernels: Some(kernels), ..Options::default() };
    [("robots/robot_arm7.mbs", options(robot)), (LARGEST, options(robot)), ("satellite.mbs", options(satellite))]
}
