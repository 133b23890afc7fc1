//! Attitudes whose parameters are singular where the mechanism starts.

use mbs_definition::Errors;
use mbs_model::{Attitude, Model};
use mbs_physics::{LinkOwner, Tree};

/// Distance \[rad\] from a singular orientation of an attitude below which a pose counts as singular. It covers round-off and the tolerance of
/// assembly at a pose that was declared singular.
const NEAR: f64 = 1e-7;

/// Refuses solver coordinates where an attitude is singular (`MBS061`): its rates there are not finite.
pub(super) fn check(model: &Model, tree: &Tree, q: &[f64]) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for link in &tree.links {
        let Some((attitude, first)) = link.attitude() else { continue };
        if regularity(attitude, &q[first..first + attitude.count()]) > NEAR {
            continue;
        }
        let (origin, owner) = match link.owner {
            LinkOwner::Body(b) => (model.bodies[b.index()].origin, format!("body `{}`", model.bodies[b.index()].name)),
            LinkOwner::Joint(j, ..) => (model.joint(j).origin, format!("joint `{}`", model.joint(j).name)),
        };
        let (name, location) = singular_orientation(attitude);
        let message = format!("{owner} starts where its attitude `{name}` is singular: {location}");
        let help =
            "declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere";
        errors.push("MBS061", origin, message, Some(help.to_owned()));
    }
    errors.into_result(())
}

/// An attitude as it is declared, and the orientations where it is singular.
fn singular_orientation(attitude: Attitude) -> (String, &'static str) {
    match attitude {
        Attitude::Quaternion => ("quaternion".to_owned(), "nowhere"),
        Attitude::ModifiedRodrigues => ("mrp".to_owned(), "after a whole turn"),
        Attitude::Rodrigues => ("rodrigues".to_owned(), "after a half turn"),
        Attitude::RotationVector => ("vector".to_owned(), "after a whole turn"),
        Attitude::Euler(sequence) => {
            let letters: String = sequence.iter().map(|axis| ['x', 'y', 'z'][usize::from(*axis)]).collect();
            let location = match is_proper(sequence) {
                true => "where the second angle is zero or a half turn, as without rotation",
                false => "where the second angle is a quarter turn",
            };
            (format!("euler({letters})"), location)
        }
    }
}

/// Whether a sequence has proper Euler angles, whose first and last axes are equal.
fn is_proper([first, _, last]: [u8; 3]) -> bool {
    first == last
}

/// Distance of attitude parameters from the nearest singularity, in 0 to 1: the cosine of a part of the rotation angle, or, for Euler angles, the
/// sine or cosine of the second angle. 0 for parameters that are not finite.
fn regularity(attitude: Attitude, q: &[f64]) -> f64 {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let regular = match attitude {
        Attitude::Quaternion => 1.0,
        Attitude::ModifiedRodrigues | Attitude::Rodrigues => 1.0 / 1.0_f64.hypot(length),
        Attitude::RotationVector if length < 1.0 => 1.0,
        Attitude::RotationVector => (0.5 * length).sin().abs() / (0.5 * length),
        Attitude::Euler(sequence) if is_proper(sequence) => q[1].sin().abs(),
        Attitude::Euler(_) => q[1].cos().abs(),
    };
    if regular.is_finite() { regular } else { 0.0 }
}
