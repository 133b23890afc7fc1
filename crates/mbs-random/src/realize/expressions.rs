//! Replaces raw choices in expressions by real ones, and terms that are not allowed by allowed ones.

use super::Builder;
use crate::description::RawVector;
use crate::expr::{Binary, Call, Expr, Made};
use crate::number::Number;
use crate::plan::{Coordinate, Vector};
use crate::world::Attachment;

/// Terms that an expression may contain.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// Highest rate of a position.
    pub order: u8,
    /// Inputs and states.
    pub inputs: bool,
    /// Rates of states.
    pub state_rates: bool,
    /// `abs`, `min`, `if`, …
    pub kinks: bool,
    /// Functions written in Rust, whose values a compiler does not know.
    pub opaque: bool,
}

/// Terms of conditions.
pub const POSITIONS: Allowed = Allowed { order: 0, inputs: false, state_rates: false, kinks: false, opaque: false };
/// Terms of rows.
pub const ROWS: Allowed = Allowed { opaque: true, ..POSITIONS };
/// Terms of potentials.
pub const POTENTIALS: Allowed = Allowed { opaque: true, ..POSITIONS };
/// Terms of loads and rates of states.
pub const VELOCITIES: Allowed = Allowed { order: 1, inputs: true, state_rates: false, kinks: true, opaque: true };
/// Terms of outputs.
pub const OUTPUTS: Allowed = Allowed { order: 2, inputs: true, state_rates: true, kinks: true, opaque: true };

/// Points at a smaller distance count as coincident: the distance has no derivative at zero.
const COINCIDENT: f64 = 0.05;

impl Builder {
    /// An attachment on a body, for an observable; its axes are rotated only if `needs_axes`.
    pub(super) fn body_attachment(&self, raw: &Attachment, needs_axes: bool) -> Attachment {
        let b = raw.body.unwrap_or(0) % self.plan.bodies.len();
        let angle = if needs_axes { raw.angle } else { Number::literal(0.0) };
        self.settled(Attachment { angle, ..*raw }, Some(b))
    }

    /// The expression with real choices; terms that are not allowed are replaced by allowed ones.
    pub(super) fn resolve(&self, e: &Expr, allowed: Allowed) -> Expr {
        let resolved = |e: &Expr| self.resolve(e, allowed);
        match e {
            Expr::Number(_) | Expr::Time => e.clone(),
            Expr::Input(i) => match self.plan.input_count() {
                n if n > 0 && allowed.inputs => Expr::Input(i % n),
                _ => Expr::literal(0.7),
            },
            Expr::State(i) => match self.plan.state_count() {
                n if n > 0 && allowed.inputs => Expr::State(i % n),
                _ => Expr::literal(-0.4),
            },
            Expr::Coordinate(Coordinate::Joint(i, _) | Coordinate::Algebraic(i)) => {
                self.plan.chosen_coordinate(*i).map_or_else(|| self.plan.origin(*i), Expr::Coordinate)
            }
            Expr::Position(attachment, c) => Expr::Position(self.body_attachment(attachment, false), *c),
            Expr::Angle(b) | Expr::Spin(b, _) if self.plan.is_spatial() => {
                let c = if let Expr::Spin(_, c) = e { *c } else { b % 3 };
                let Some(body) = self.plan.rigid(*b) else { return self.plan.origin(*b) };
                let axis = Expr::Axis(Attachment::origin(Some(body)), c, (c + 1) % 3);
                if allowed.order > 0 { Expr::Spin(body, c) } else { axis }
            }
            Expr::Spin(b, _) | Expr::Angle(b) => self.plan.rigid(*b).map_or_else(|| self.plan.origin(*b), Expr::Angle),
            Expr::Axis(attachment, axis, c) => {
                let attachment = self.body_attachment(attachment, true);
                match attachment.body {
                    Some(b) if !self.plan.bodies[b].particle => Expr::Axis(attachment, *axis, *c),
                    _ => Expr::Position(attachment, *c),
                }
            }
            Expr::Distance(a, b) => self.distance(a, b),
            Expr::Within(attachment, b, c) => {
                let attachment = self.body_attachment(attachment, false);
                // A body does not move in body axes.
                let b = self.plan.rigid(*b).filter(|b| attachment.body != Some(*b));
                b.map_or(Expr::Position(attachment, *c), |b| Expr::Within(attachment, b, *c))
            }
            Expr::Rate(inner) => {
                let inner = resolved(inner);
                let known = !self.plan.has_input(&inner) && (allowed.state_rates || !has_state(&inner));
                let order = order(&inner).map_or(0, |n| n + 1);
                if known && order <= allowed.order { Expr::Rate(Box::new(inner)) } else { inner }
            }
            Expr::Call(call, x) => {
                let call = if call.has_kink() && !allowed.kinks { Call::Sin } else { *call };
                Expr::Call(call, Box::new(resolved(x)))
            }
            Expr::Inlined(call, x) => {
                let call = if call.has_kink() && !allowed.kinks { Call::Sin } else { *call };
                Expr::Inlined(call, Box::new(resolved(x)))
            }
            Expr::Made(made, x) => {
                let made = if made.has_kink() && !allowed.kinks { Made::Spline } else { *made };
                Expr::Made(made, Box::new(resolved(x)))
            }
            Expr::Opaque(x) if allowed.opaque => Expr::Opaque(Box::new(resolved(x))),
            Expr::Opaque(x) => Expr::Call(Call::Sin, Box::new(resolved(x))),
            Expr::Binary(op, a, b) => {
                let kink = matches!(op, Binary::Min | Binary::Max);
                let op = if kink && !allowed.kinks { Binary::Add } else { *op };
                Expr::Binary(op, Box::new(resolved(a)), Box::new(resolved(b)))
            }
            Expr::Choice(parts) if allowed.kinks => {
                let [a, b, c, d] = &**parts;
                Expr::Choice(Box::new([resolved(a), resolved(b), resolved(c), resolved(d)]))
            }
            Expr::Choice(parts) => resolved(&parts[2]),
            Expr::Let(inner) => Expr::Let(Box::new(resolved(inner))),
        }
    }

    fn distance(&self, a: &Attachment, b: &Attachment) -> Expr {
        let (p, q) = (self.body_attachment(a, false), self.body_attachment(b, false));
        let world = self.plan.world();
        let [x, y, z] = [0, 1, 2].map(|k| p.position(&world)[k].value() - q.position(&world)[k].value());
        // The distance of points of one body is constant up to rounding, whose sign would decide at a kink.
        if x.hypot(y).hypot(z) < COINCIDENT || p.body == q.body { Expr::Position(p, 0) } else { Expr::Distance(p, q) }
    }

    /// An expression that moves: as given, or with an observable added.
    pub(super) fn moving(&self, e: Expr) -> Expr {
        if e.always_moves() {
            return e;
        }
        Expr::Binary(Binary::Add, Box::new(e), Box::new(self.plan.origin(0)))
    }

    /// A vector for a load or an output.
    pub(super) fn vector(&self, raw: &RawVector, allowed: Allowed) -> Vector {
        let vectors: Vec<usize> = (0..self.plan.inputs.len()).filter(|i| self.plan.inputs[*i].vector).collect();
        if let Some(i) = raw.input.filter(|_| !vectors.is_empty()) {
            return Vector::Input(vectors[i % vectors.len()]);
        }
        let components = raw.components.clone().map(|e| self.resolve(&e, allowed));
        Vector::Components(components, raw.frame.and_then(|b| self.plan.rigid(b)))
    }
}

/// Highest rate in an expression; `None` if it does not vary. States have two known rates, the second of which may contain accelerations.
fn order(e: &Expr) -> Option<u8> {
    match e {
        Expr::Rate(inner) => order(inner).map(|n| n + 1),
        Expr::State(_) => Some(0),
        Expr::Spin(..) => Some(1),
        _ if e.parts().is_empty() => e.moves().then_some(0),
        _ => e.parts().into_iter().filter_map(order).max(),
    }
}

fn has_state(e: &Expr) -> bool {
    !states(e).is_empty()
}

/// Flat indices of the states in an expression.
pub(super) fn states(e: &Expr) -> Vec<usize> {
    match e {
        Expr::State(i) => vec![*i],
        _ => e.parts().into_iter().flat_map(states).collect(),
    }
}
