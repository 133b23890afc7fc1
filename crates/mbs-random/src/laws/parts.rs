//! A part that contains a whole mechanism.

use mbs_core::{Describe, Item, Mechanism};
use mbs_interp::Interpreted;

use super::items;
use crate::ledger::Violation;
use crate::state::At;

const LAW: &str = "parts are what they hold";

/// Kernels that need neither accelerations nor a solution.
const KERNELS: [&str; 9] = [
    "position_residuals",
    "velocity_residuals",
    "constraint_jacobian",
    "gamma",
    "mass_matrix",
    "generalized_forces",
    "poses",
    "energy",
    "accelerations",
];

/// A mechanism whose items are declared in a part with one instance, `instance`, has all names prefixed by that of the instance, and
/// computes the same to the bit.
///
/// # Errors
/// Where it does not.
pub fn parts_are_what_they_hold(
    whole: &Interpreted,
    part: &Interpreted,
    instance: &str,
    states: &[At],
) -> Result<f64, Violation> {
    let s = whole.sizes();
    if s != part.sizes() {
        return Err(Violation::new(LAW, format!("sizes {s:?} and {:?}", part.sizes())));
    }
    // Markers of ground are those of the whole, and conditions are named after their contents.
    let is_inside = |item: &Item| !matches!(item, Item::Mechanism | Item::Marker(_) | Item::Condition(_));
    for item in items(s).filter(is_inside) {
        let (own, inside) = (whole.name(item), part.name(item));
        // The name of the instance also occurs within names: the rate of `w.s0`, the pull of `w.b0`.
        if inside.replace(&format!("{instance}."), "") != own || inside == own {
            return Err(Violation::new(LAW, format!("{item:?} is called `{own}` and `{inside}`")));
        }
    }
    for (at, kernel) in states.iter().flat_map(|at| KERNELS.map(|kernel| (at, kernel))) {
        let [own, inside] = [whole, part].map(|side| {
            let outputs = side.run(kernel, super::inputs(at));
            outputs.map(|lists| lists.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        });
        if own != inside {
            return Err(Violation::new(LAW, format!("`{kernel}` differs at {at:?}")));
        }
    }
    Ok(0.0)
}
