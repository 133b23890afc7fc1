//! G of a prescribed motion, n × n with n = n_v: eliminated once per pose, P G = L U.
//!
//! It is used in Newton's steps G δ = −Φ, for velocities G x = −ψ, and in the check of the branch. The motion is the same as that
//! of [M Gᵀ; G 0], where M has no influence, for a fraction of the operations.
//!
//! The order of rows of an earlier pose is reused as long as every pivot keeps its sign and at least a tenth of the size that it had there. All
//! leading minors keep their signs then, and no singular pose was passed. Where a new order is needed, [`have_equal_signs`] checks that.
//!
//! Where a pivot is below ε^¼ of its column, links are a hundredth of a degree from a dead point. The factorisation of the mechanism then decides
//! whether the pose is singular.

use crate::linear::square::{eliminate_in_order, eliminate_interchanged, have_equal_signs, index, substitute};
use crate::{Mechanism, Projection, Real, State, StateView};
use mbs_math::negate;

/// The eliminated G, in work space of two matrices, and the orders of rows with their pivots for the last pose and for the next.
pub(super) struct Square<'w, T> {
    work_space: &'w mut [T],
    /// Whether the order of the last pose is known.
    is_known: bool,
    outcome: Outcome,
}

/// Outcome of the elimination at the next pose.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    /// No elimination was made.
    Nothing,
    /// The order of the last pose sufficed.
    SameOrder,
    /// Another order was needed.
    NewOrder,
    /// A pivot nearly vanished.
    Singular,
}

/// The parts of the work space: order of rows (as numbers of the one type that there is) and pivots.
struct Parts<'s, T> {
    factors: &'s mut [T],
    jacobian: &'s mut [T],
    last: [&'s mut [T]; 2],
    next: [&'s mut [T]; 2],
}

impl<'w, T: Real> Square<'w, T> {
    /// Number of values of work space for n × n matrices.
    pub fn work_size(n: usize) -> usize {
        2 * n * n + 4 * n
    }

    /// Uses work space that may be too small: see [`Square::found_size`].
    pub fn new(work_space: &'w mut [T]) -> Self {
        Square { work_space, is_known: false, outcome: Outcome::Nothing }
    }

    /// Number of values of the given work space.
    pub fn found_size(&self) -> usize {
        self.work_space.len()
    }

    /// Discards the order of the last pose, for the start of a motion.
    pub fn clear(&mut self) {
        self.is_known = false;
        self.outcome = Outcome::Nothing;
    }

    /// Prepares for the next pose: discards an elimination that was made for another.
    pub fn begin(&mut self) {
        self.outcome = Outcome::Nothing;
    }

    /// Makes the next pose the last one, and stores its order.
    pub fn advance(&mut self, n: usize) {
        match self.outcome {
            Outcome::SameOrder => {}
            Outcome::NewOrder => {
                let Parts { last, next, .. } = self.parts(n);
                for (last, next) in last.into_iter().zip(next) {
                    last.copy_from_slice(next);
                }
                self.is_known = true;
            }
            Outcome::Nothing | Outcome::Singular => self.is_known = false,
        }
    }

    #[inline]
    fn parts(&mut self, n: usize) -> Parts<'_, T> {
        let (factors, rest) = self.work_space.split_at_mut(n * n);
        let (jacobian, rest) = rest.split_at_mut(n * n);
        let (last, rest) = rest.split_at_mut(2 * n);
        let (last, next) = (last.split_at_mut(n), rest[..2 * n].split_at_mut(n));
        Parts { factors, jacobian, last: [last.0, last.1], next: [next.0, next.1] }
    }

    /// Eliminates G at coordinates near the next pose; false where it is singular.
    #[inline]
    pub fn eliminate<M: Mechanism<T>>(&mut self, mechanism: &M, at: StateView<T>) -> bool {
        let (n, is_known) = (mechanism.sizes().n_v, self.is_known);
        let Parts { factors, jacobian, last: [order, pivots], next: [new_order, new_pivots] } = self.parts(n);
        mechanism.constraint_jacobian(at, jacobian);
        self.outcome = if is_known && eliminate_in_order(jacobian, order, pivots, factors, n) {
            Outcome::SameOrder
        } else if eliminate_interchanged(jacobian, new_order, new_pivots, factors, n) {
            Outcome::NewOrder
        } else {
            Outcome::Singular
        };
        self.is_regular()
    }

    /// Whether G was eliminated near the next pose, so that [`Square::solve`] may be called.
    pub fn is_regular(&self) -> bool {
        matches!(self.outcome, Outcome::SameOrder | Outcome::NewOrder)
    }

    /// Whether no elimination was tried near the next pose.
    pub fn is_pending(&self) -> bool {
        self.outcome == Outcome::Nothing
    }

    /// Solves G x = g with the last elimination.
    #[inline(always)] // n is a constant of generated types: loops unroll
    fn solve(&mut self, n: usize, g: &[T], x: &mut [T]) {
        let found = self.outcome;
        let Parts { factors, last, next, .. } = self.parts(n);
        let [order, _] = if found == Outcome::SameOrder { last } else { next };
        for (x, row) in x.iter_mut().zip(order) {
            *x = g[index(*row)];
        }
        substitute(&factors[..n * n], &mut x[..n], n);
    }

    /// Solves for the correction x with G x = −residuals; negates the residuals.
    #[inline]
    pub fn correct<M: Mechanism<T>>(&mut self, mechanism: &M, work: &mut Projection<M, T>) {
        negate(work.residuals.as_mut());
        self.solve(mechanism.sizes().n_v, work.residuals.as_ref(), work.correction.as_mut());
    }

    /// Whether the motion from `state` to `next` does not pass a singular pose. May overwrite the elimination.
    pub fn is_continuous<M: Mechanism<T>>(&mut self, mechanism: &M, [state, next]: [&State<M, T>; 2]) -> bool {
        if self.outcome == Outcome::SameOrder {
            return true;
        }
        let n = mechanism.sizes().n_v;
        let Parts { factors: first, jacobian: second, .. } = self.parts(n);
        mechanism.constraint_jacobian(state.view(&[]), first);
        mechanism.constraint_jacobian(next.view(&[]), second);
        have_equal_signs(first, second, n)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Square, eliminate_in_order, eliminate_interchanged};

    /// Needs rows 1, 2, 0.
    const G: [f64; 9] = [0.0, 0.1, 4.0, 2.0, 0.0, 1.0, 1.0, 5.0, 0.0];

    #[test]
    fn both_orders_solve() {
        let mut work_space = [0.0; 30];
        let mut square = Square::new(&mut work_space);
        for found in [Outcome::NewOrder, Outcome::SameOrder] {
            square.outcome = found;
            let parts = square.parts(3);
            let done = match found {
                Outcome::NewOrder => {
                    let [order, pivots] = parts.next;
                    eliminate_interchanged(&G, order, pivots, parts.factors, 3)
                }
                _ => eliminate_in_order(&G, parts.last[0], parts.last[1], parts.factors, 3),
            };
            assert!(done);
            let mut x = [0.0; 3];
            square.solve(3, &[12.2, 5.0, 11.0], &mut x);
            // 20 roundings of numbers up to 12.
            for (x, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
                assert!((x - expected).abs() < 1e-14, "{x}");
            }
            square.advance(3);
        }
    }
}
