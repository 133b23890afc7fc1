//! Signs of reactions and loads of suspended bodies at rest.

use mbs::Describe;

use crate::reference::case::for_both_formulations;
use crate::reference::comparison::{Accuracy, Comparison};

/// The pin supports the lamp: the second end receives +λ = (0, m g), without a moment. The string pulls: a
/// positive multiplier is tension m g. The drive `angle == 0` supports a weight at a positive arm by a positive load, −λ. The
/// weight is suspended on a spring: a positive load pushes the slide up.
#[test]
fn hanging_bodies_are_supported() {
    let [mass, arm, g] = [2.3, 0.4, 9.81];
    for_both_formulations!(hanging_mass { mass: mass, arm: arm, g: g, stiffness: 400.0 } => hanging([mass, arm, g]));
}

fn hanging<M: Describe>(coordinates: &str, mechanism: &M, [mass, arm, g]: [f64; 3]) {
    let mut comparison = Comparison::new("hanging_mass", coordinates, mechanism, &[0.0]);
    let rounded = Accuracy::Relative(1e-14);
    let zero = Accuracy::Absolute(1e-13);
    let weight = mass * g;
    comparison.compare("hook x", zero, &[0.0], |at| at.multiplier("hook.x"));
    comparison.compare("hook y = +lambda", rounded, &[weight], |at| at.multiplier("hook.y"));
    comparison.compare("string tension = +lambda", rounded, &[weight], |at| at.multiplier("string"));
    comparison.compare("drive load = -lambda", rounded, &[weight * arm], |at| -at.multiplier("hold"));
    comparison.compare("load(drive)", rounded, &[weight * arm], |at| at.output("hold_load"));
    comparison.compare("load(spring)", rounded, &[weight], |at| at.output("spring_load"));
    comparison.compare("acceleration of the weight", zero, &[0.0], |at| at.output("weight_acceleration"));
    if comparison.run().has_row("hinge.x") {
        comparison.compare("hinge x", zero, &[0.0], |at| at.multiplier("hinge.x"));
        comparison.compare("hinge y = +lambda", rounded, &[weight], |at| at.multiplier("hinge.y"));
        comparison.compare("slide normal", zero, &[0.0], |at| at.multiplier("slide.normal"));
    }
    comparison.finish();
}
