//! Defects of a four-bar that can be assembled in three positions and does not move through them.

use std::f64::consts::TAU;

use super::{Assembly, FourBarLinkage, Grashof};

/// Reason why a linkage that is driven at its crank does not move through its precision positions in their order.
///
/// # Source
/// Chase & Mirth (1993), Circuits and branches of single-degree-of-freedom planar linkages, ASME J. Mech. Des. 115.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Positions are on different circuits: the linkage has to be disassembled between them.
    Circuit,
    /// Positions are on one circuit, but between them the crank passes a dead point, where coupler and rocker
    /// are in line.
    Branch,
    /// The crank passes the second position before the first or after the third. A crank that rotates fully passes any three in
    /// their order, in one of its directions.
    Order,
}

/// Defects of a linkage for three angles of its crank from the line of the fixed pivots, each with its assembly.
pub(super) fn defects(linkage: &FourBarLinkage, crank_angles: [f64; 3], assemblies: [Assembly; 3]) -> Vec<Defect> {
    let is_one_assembly = assemblies.iter().all(|assembly| *assembly == assemblies[0]);
    let is_one_side = crank_angles.iter().all(|angle| (angle.sin() > 0.0) == (crank_angles[0].sin() > 0.0));
    let is_one_circuit = match linkage.grashof() {
        // The pin of coupler and rocker never crosses the diagonal.
        Grashof::CrankRocker | Grashof::DoubleCrank => is_one_assembly,
        // Crank and ground are never in line.
        Grashof::RockerCrank | Grashof::DoubleRocker => is_one_side,
        Grashof::TripleRocker { .. } | Grashof::ChangePoint(_) => true,
    };
    match (is_one_circuit, is_one_assembly) {
        (false, _) => vec![Defect::Circuit],
        (true, false) => vec![Defect::Branch],
        (true, true) if linkage.crank_revolves() || is_in_order(linkage, crank_angles) => Vec::new(),
        (true, true) => vec![Defect::Order],
    }
}

/// Whether three angles of an oscillating crank are monotonic.
fn is_in_order(linkage: &FourBarLinkage, crank_angles: [f64; 3]) -> bool {
    // If only angles near 0 are impossible, the crank oscillates around π; otherwise π is impossible.
    let swings_around_pi = matches!(linkage.crank_limits(), [Some(_), None]);
    let [first, second, third] = crank_angles.map(|angle| {
        let positive = angle.rem_euclid(TAU);
        if swings_around_pi || positive <= 0.5 * TAU { positive } else { positive - TAU }
    });
    (second - first) * (third - second) >= 0.0
}
