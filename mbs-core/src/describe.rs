//! Descriptions of mechanisms: names, kinds of rows, drawings.

use crate::{Contact, Item, Limits, Mechanism, Outline, Placement, Real, RowKind, StateView, Visual, WrongDerivative};

/// Descriptions of a mechanism: names and kinds for messages, recordings and diagnoses, and drawings for pages. No motion depends on them.
///
/// Everything has a default, so that `impl Describe for Pendulum {}` is enough: recordings then use the names `q[0]`, `lambda[2]`, ….
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no description",
    label = "names and drawings of its items are needed here",
    note = "for a type of your own, `impl mbs::Describe for {Self} {{}}` takes the defaults"
)]
pub trait Describe<T: Real = f64>: Mechanism<T> {
    /// Name of an item as declared, such as `crank_pin.x` for a row; empty if it has none.
    fn name(&self, item: Item) -> &str {
        let _ = item;
        ""
    }

    /// Returns the kind of constraint row i: the item that it belongs to.
    fn row_kind(&self, row: usize) -> RowKind {
        let _ = row;
        RowKind::Constraint
    }

    /// Whether discrete variables or parameters can switch constraint row i off. While it is off, its Φ, ψ, G, γ and λ are zero.
    fn is_switched(&self, row: usize) -> bool {
        let _ = row;
        false
    }

    /// The joint of the tree that positions body i; `None` for a body with separate coordinates.
    ///
    /// Loads that are added from outside have to be included in the reactions of such joints.
    fn placement(&self, body: usize) -> Option<Placement> {
        let _ = body;
        None
    }

    /// Whether bodies move in space; planar mechanisms keep z = 0 and rotate about z. Recordings and pages use it.
    fn is_spatial(&self) -> bool {
        false
    }

    /// World positions \[m\] of the markers worth drawing, n_markers; z = 0 in the plane.
    fn marker_positions(&self, at: StateView<T>, positions: &mut [[T; 3]]) {
        let _ = (at, positions);
    }

    /// Body of marker i: `None` is ground.
    fn marker_body(&self, marker: usize) -> Option<usize> {
        let _ = marker;
        None
    }

    /// The markers that a joint or a spring connects, first end first; `None` for other items, and for ends that are not drawn.
    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        let _ = item;
        None
    }

    /// Whether force i is a cable: pages draw it as a straight line, not as a coil.
    fn is_cable(&self, force: usize) -> bool {
        let _ = force;
        false
    }

    /// Solid i that bodies are drawn as, `None` after the last: data of an imported file, for recordings and pages.
    fn visual(&self, index: usize) -> Option<Visual> {
        let _ = index;
        None
    }

    /// Curve i that bodies are drawn with, `None` after the last. It is the curve at default parameters, whatever the parameters are set to.
    fn outline(&self, index: usize) -> Option<Outline<'_>> {
        let _ = index;
        None
    }

    /// Contact i on these curves, `None` after the last.
    fn contact(&self, index: usize) -> Option<Contact> {
        let _ = index;
        None
    }

    /// Limits and losses of joint i, where an imported file gives them.
    fn limits(&self, joint: usize) -> Option<Limits<T>> {
        let _ = joint;
        None
    }

    /// Compares the derivatives of functions written in Rust with differences, at the arguments with which accelerations at a state call them. The
    /// default checks nothing. Generated code checks in debug builds alone; [`check_derivatives`](crate::check_derivatives) checks one function.
    ///
    /// # Errors
    /// [`WrongDerivative`], whose function is that of [`Item::Function`].
    fn check_functions(&self, at: StateView<T>) -> Result<(), WrongDerivative> {
        let _ = at;
        Ok(())
    }

    /// Reports values that are not finite at a state, for messages: `report` gets "force `spring`: 3 divided by 0 is not finite, from `gap` = 0"
    /// for the first item of the declaration that is not. The default reports nothing. It may allocate.
    fn explain_not_finite(&self, at: StateView<T>, report: &mut dyn FnMut(&str)) {
        let _ = (at, report);
    }
}
