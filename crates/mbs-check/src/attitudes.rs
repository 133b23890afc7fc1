//! Attitudes whose parameters are singular where the mechanism starts.

use mbs_definition::Errors;
use mbs_model::{Attitude, Model};
use mbs_physics::{LinkOwner, Tree};

/// Distance \[rad\] from a singular orientation of an attitude below which a pose counts as singular: it was meant to be, up to round-off and
/// the tolerance of assembly.
const NEAR: f64 = 1e-7;

/// Refuses solver coordinates where an attitude is singular (`MBS061`): its rates there are not finite.
pub(super) fn check(model: &Model, tree: &Tree, q: &[f64]) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for link in &tree.links {
        let Some((attitude, first)) = link.attitude() else { continue };
        if regularity(attitude, &q[first..first + attitude.count()]) > NEAR {
            continue;
        }
        let (origin, whose) = match link.owner {
            LinkOwner::Body(b) => (model.bodies[b.index()].origin, format!("body `{}`", model.bodies[b.index()].name)),
            LinkOwner::Joint(j, ..) => (model.joint(j).origin, format!("joint `{}`", model.joint(j).name)),
        };
        let (name, place) = described(attitude);
        let message = format!("{whose} starts where its attitude `{name}` is singular: {place}");
        let help =
            "declare another `rotation:`, or write another attitude; `attitude: quaternion` is regular everywhere";
        errors.push("MBS061", origin, message, Some(help.to_owned()));
    }
    errors.into_result(())
}

/// An attitude as it is declared, and where it is singular.
fn described(attitude: Attitude) -> (String, &'static str) {
    match attitude {
        Attitude::Quaternion => ("quaternion".to_owned(), "nowhere"),
        Attitude::ModifiedRodrigues => ("mrp".to_owned(), "after a whole turn"),
        Attitude::Rodrigues => ("rodrigues".to_owned(), "after a half turn"),
        Attitude::RotationVector => ("vector".to_owned(), "after a whole turn"),
        Attitude::Euler(sequence) => {
            let letters: String = sequence.iter().map(|axis| ['x', 'y', 'z'][usize::from(*axis)]).collect();
            let place = match is_proper(sequence) {
                true => "where the second angle is zero or a half turn, as without rotation",
                false => "where the second angle is a quarter turn",
            };
            (format!("euler({letters})"), place)
        }
    }
}

fn is_proper([first, _, last]: [u8; 3]) -> bool {
    first == last
}

/// How far parameters are from where their attitude is singular, 1 at most: cos of a part of the angle, of Euler angles the sine or cosine of the
/// second. Those that are no numbers, nowhere.
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
