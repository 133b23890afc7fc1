//! Beads on wires: user constraints, one of them moving, with the force of the wire.

use mbs::Describe;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison};

#[test]
fn bead_slides_along_a_parabola() {
    let case = Case::read("bead_parabola");
    assert_eq!(case.parameter("c"), 0.0, "no drag");
    for_both_formulations!(bead_parabola {
        mass: case.parameter("mass"), a: case.parameter("a"), g: case.parameter("g"),
    } => bead_parabola(&case));
}

fn bead_parabola<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for column in ["x", "y", "vx", "vy"] {
        comparison.compare(column, exact, &case.series(column), |at| at.output(column));
    }
    comparison.compare("energy", exact, &case.series("E"), |at| at.output("energy"));
    // Row y − a x²/2 (left minus right) with gradient (−a x, 1): the wire's force on the bead is −λ times it, and
    // `load(wire)` = −λ.
    let a = case.parameter("a");
    comparison.compare("wire force x", exact, &case.series("Nx"), |at| -a * at.output("x") * at.output("wire_load"));
    comparison.compare("wire force y", exact, &case.series("Ny"), |at| at.output("wire_load"));
    comparison.compare("wire force y, -lambda", exact, &case.series("Ny"), |at| -at.multiplier("wire"));
    comparison.finish();
}

/// Closed form: r = r₀ cosh ωt; the wire exerts the Coriolis force 2 m ω ṙ = 2 m ω² r₀ sinh ωt along its left normal, and
/// its power is the rate of the kinetic energy ½ m (ṙ² + ω² r²).
#[test]
fn bead_flies_out_along_a_turning_wire() {
    let (mass, omega, start) = (0.4, 1.7, 0.3);
    for_both_formulations!(turning_wire { mass: mass, omega: omega, start: start } => turning_wire([mass, omega, start]));
}

fn turning_wire<M: Describe>(coordinates: &str, mechanism: &M, [mass, omega, start]: [f64; 3]) {
    let times: Vec<f64> = (0..=8).map(|i| 0.25 * f64::from(i)).collect();
    let mut comparison = Comparison::new("turning_wire", coordinates, mechanism, &times);
    let rounded = Accuracy::Relative(4.0 * f64::EPSILON);
    let at_all = |f: &dyn Fn(f64) -> f64| times.iter().map(|t| f(omega * t)).collect::<Vec<f64>>();
    comparison.compare("r", rounded, &at_all(&|x| start * x.cosh()), |at| at.output("r"));
    let force = at_all(&|x| 2.0 * mass * omega * omega * start * x.sinh());
    comparison.compare("wire force", rounded, &force, |at| at.output("force"));
    let energy = at_all(&|x| 0.5 * mass * (omega * start).powi(2) * (x.sinh().powi(2) + x.cosh().powi(2)));
    comparison.compare("kinetic energy", rounded, &energy, |at| at.output("energy"));
    comparison.finish();
}
