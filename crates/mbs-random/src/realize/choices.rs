//! Choices among the elements of a plan.

use super::expressions::states;
use crate::catalogued::sine_cosine_about;
use crate::expr::Expr;
use crate::frame::Frame;
use crate::number::Number;
use crate::plan::{Coordinate, Plan};
use crate::world::Attachment;

impl Plan {
    pub(super) fn rigid(&self, choice: usize) -> Option<usize> {
        let rigid: Vec<usize> = (0..self.bodies.len()).filter(|b| !self.bodies[*b].particle).collect();
        (!rigid.is_empty()).then(|| rigid[choice % rigid.len()])
    }

    /// The origin of a body, as an observable that always exists.
    pub(super) fn origin(&self, choice: usize) -> Expr {
        Expr::Position(Attachment::origin(Some(choice % self.bodies.len())), choice / 7 % self.dimensions())
    }

    /// A coordinate by a raw choice.
    pub(super) fn chosen_coordinate(&self, choice: usize) -> Option<Coordinate> {
        let all = self.coordinates();
        (!all.is_empty()).then(|| all[choice % all.len()])
    }

    /// Scalar components of the inputs.
    pub(super) fn input_count(&self) -> usize {
        self.inputs.iter().map(|i| if i.vector { self.dimensions() } else { 1 }).sum()
    }

    pub(super) fn state_count(&self) -> usize {
        self.states.iter().map(|s| s.start.len()).sum()
    }

    /// Whether an expression contains an input, or the rate of a state that does: their rates are not known.
    pub(super) fn has_input(&self, e: &Expr) -> bool {
        let of_state = |i: usize| {
            let state = self.states.iter().flat_map(|s| s.start.iter().map(move |_| s)).nth(i);
            state.is_some_and(|s| s.rates.iter().any(|rate| self.has_input(rate)))
        };
        match e {
            Expr::Input(_) => true,
            Expr::Rate(inner) => states(inner).into_iter().any(of_state) || self.has_input(inner),
            _ => e.parts().into_iter().any(|part| self.has_input(part)),
        }
    }

    /// The body of a raw choice, whose axes are used.
    pub(super) fn frame(&self, raw: Option<usize>) -> Option<usize> {
        raw.and_then(|b| self.rigid(b))
    }

    pub(super) fn is_particle(&self, body: Option<usize>) -> bool {
        body.is_some_and(|b| self.bodies[b].particle)
    }

    /// Whether the angle of a spatial torsion spring may be at its jump: if joints imply a sine of zero and the cosine is not clearly positive,
    /// rounding chooses between the half revolutions.
    pub(super) fn is_near_half_revolution(&self, ends: &[Attachment; 2], axis: [Number; 3]) -> bool {
        let [sine, cosine] = sine_cosine_about(axis, ends, &self.world()).map(|x| x.value());
        self.is_spatial() && sine.abs() < 0.3 && cosine < 0.5
    }

    /// Whether the axes of the frames of a bushing differ by small enough angles, which are singular at a right angle and jump at half revolutions.
    pub(super) fn is_regular(&self, ends: [Attachment; 2]) -> bool {
        let world = self.world();
        let [a, b] = ends.map(|e| Frame::from_attachment(&e, &world));
        let (cosine, [first, _, last]) = a.inverse().then(&b).angles([0, 1, 2]);
        cosine > 0.5 && first.abs() < 2.0 && last.abs() < 2.0
    }
}
