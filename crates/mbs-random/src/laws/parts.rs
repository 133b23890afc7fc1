//! A part that contains all items of a mechanism.

use mbs_core::{Describe, Item, Mechanism};
use mbs_interp::Interpreted;

use super::items;
use crate::ledger::Violation;
use crate::state::OwnedState;

const LAW: &str = "parts equal their contents";

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

/// If all items of a mechanism are declared in a part with one instance, `instance`, their names have the name of the instance as prefix, and all
/// results are equal to the bit.
///
/// # Errors
/// The violation, if they are not.
pub fn parts_equal_their_contents(
    plain: &Interpreted,
    part: &Interpreted,
    instance: &str,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    let s = plain.sizes();
    if s != part.sizes() {
        return Err(Violation::new(LAW, format!("sizes {s:?} and {:?}", part.sizes())));
    }
    // Markers of ground belong to the mechanism, and conditions are named after their contents.
    let is_inside = |item: &Item| !matches!(item, Item::Mechanism | Item::Marker(_) | Item::Condition(_));
    for item in items(s).filter(is_inside) {
        let (outside, inside) = (plain.name(item), part.name(item));
        // The name of the instance also occurs within names: the rate of `w.s0`, the pull of `w.b0`.
        if inside.replace(&format!("{instance}."), "") != outside || inside == outside {
            return Err(Violation::new(LAW, format!("{item:?} is called `{outside}` and `{inside}`")));
        }
    }
    for (at, kernel) in states.iter().flat_map(|at| KERNELS.map(|kernel| (at, kernel))) {
        let [outside, inside] = [plain, part].map(|side| {
            let outputs = side.run(kernel, super::inputs(at));
            outputs.map(|lists| lists.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        });
        if outside != inside {
            return Err(Violation::new(LAW, format!("`{kernel}` differs at {at:?}")));
        }
    }
    Ok(0.0)
}
