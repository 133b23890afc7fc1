//! Residuals of joints and equations at the true pose, and their derivatives by columns.

use mbs_expr::{Function, Scalar};

use super::{Cam, Equation, Form, Joint, JointKind, Plan};
use crate::expr::Expr;
use crate::number::Number;
use crate::world::{Attachment, S, World, angular_velocity, constant, difference, dot};

impl Plan {
    /// Residuals of a joint's rows of positions.
    pub fn joint_residuals(&self, joint: &Joint, world: &World) -> Vec<S> {
        let [p, q] = &joint.ends;
        let r = difference(p.position(world), q.position(world));
        match joint.kind {
            JointKind::Catalogued(catalogued) => catalogued.residuals(&joint.ends, world),
            // The row that remains after the contact parameters are eliminated.
            JointKind::Cam(Cam { line: Some(side), radii, .. }) => {
                vec![-dot(r, p.axis(world, 1)) - constant(side * radii[1].value)]
            }
            JointKind::Cam(Cam { radii: [a, b], .. }) => {
                let length = a.value + b.value;
                vec![dot(r, r) / constant(2.0 * length) - constant(length / 2.0)]
            }
            JointKind::Declared(declared) => declared.residuals(&joint.ends, world),
            JointKind::Gear { of: [a, b], ratio, offset } => {
                let geared = constant(ratio.value) * self.coordinate(b, world);
                vec![self.coordinate(a, world) - geared - constant(offset.value)]
            }
        }
    }

    /// Residuals of an equation; the `nonlinearity` of speeds and accelerations is left out.
    pub fn residuals(&self, equation: &Equation, world: &World) -> Vec<S> {
        let n = |x: &Number| constant(x.value);
        let signal = |s: &crate::world::Signal| s.value(world.t);
        match &equation.form {
            Form::Square { ends: [a, b], half_square } => {
                let r = difference(b.position(world), a.position(world));
                vec![constant(0.5) * dot(r, r) - n(half_square)]
            }
            Form::Offset { ends: [a, b], frame, offset } => {
                let r = difference(a.position(world), b.position(world));
                let frame = Attachment::origin(*frame);
                (0..self.dimensions()).map(|c| dot(r, frame.axis(world, c)) - n(&offset[c])).collect()
            }
            Form::Curve { at, curvature, height } => {
                let [x, y, _] = at.position(world);
                vec![y - n(curvature) * x * x - n(height)]
            }
            Form::Direction { of: [a, b], value } => vec![dot(a.axis(world, 0), b.axis(world, 1)) - n(value)],
            Form::General { left, right, signal: s } => {
                vec![self.value(left, world) - n(right) - s.as_ref().map_or(constant(0.0), signal)]
            }
            Form::Coupling { of: [a, b], ratio, wave, offset } => {
                let [a, b] = [a, b].map(|i| self.coordinate(*i, world));
                vec![a - n(ratio) * b - n(wave) * b.unary(Function::Sin) - n(offset)]
            }
            Form::Drive { of, start, signal: s } => vec![self.coordinate(*of, world) - n(start) - signal(s)],
            Form::Wire { at, algebraic, wave, offset } => {
                let ([x, y, z], s) = (at.position(world), world.algebraic[*algebraic]);
                let height = n(wave) * (constant(2.0) * s).unary(Function::Sin);
                let rows = [x - s - n(&offset[0]), y - height - n(&offset[1]), z - constant(0.5) * s - n(&offset[2])];
                rows[..self.dimensions()].to_vec()
            }
            Form::Lift { algebraic, of, offset } => {
                vec![world.algebraic[*algebraic] - self.value(of, world) - n(offset)]
            }
            Form::Knife { at } => {
                let velocity = at.position(world).map(Scalar::rate);
                vec![dot(velocity, at.axis(world, 1))]
            }
            Form::Speeds { terms, right, .. } => {
                vec![self.speed(terms, world) - n(right) * (constant(2.0) * world.t).unary(Function::Cos)]
            }
            // Its derivatives with respect to accelerations are those of the speed terms with respect to speeds.
            Form::Accelerations { terms, .. } => vec![self.speed(terms, world)],
            Form::Together { ends: [a, b] } => {
                let r = difference(a.position(world), b.position(world));
                r[..self.dimensions()].iter().map(|x| x.rate()).collect()
            }
            Form::Spin { of, frame, rate } => {
                let omega = angular_velocity(&world.poses[*of].axes);
                let axes = Attachment::origin(*frame).axes(world);
                (0..3).map(|c| dot(omega, axes[c]) - n(&rate[c])).collect()
            }
        }
    }

    /// Σ coefficient * rate(of).
    fn speed(&self, terms: &[(Expr, Expr)], world: &World) -> S {
        let term = |(c, x): &(Expr, Expr)| self.value(c, world) * self.value(x, world).rate();
        terms.iter().map(term).fold(constant(0.0), |sum, x| sum + x)
    }

    /// Derivatives of rows at the true pose, one list of columns per row: with respect to positions or to speeds, by `level`.
    fn gradient(&self, level: Level, residuals: &dyn Fn(&World) -> Vec<S>) -> Vec<Vec<f64>> {
        let at_rest: Vec<f64> = residuals(&self.world()).into_iter().map(S::value).collect();
        let mut rows = vec![Vec::new(); at_rest.len()];
        for j in 0..self.columns() {
            for ((row, residual), rest) in rows.iter_mut().zip(residuals(&self.displaced(j))).zip(&at_rest) {
                row.push(match level {
                    Level::Position => residual.derivative(1),
                    Level::Velocity => residual.value() - rest,
                });
            }
        }
        rows
    }

    /// Rows of a joint, those of positions first.
    pub fn joint_rows(&self, joint: &Joint) -> Vec<(Vec<f64>, Level)> {
        let speeds = |world: &World| match joint.kind {
            JointKind::Catalogued(catalogued) => catalogued.speed_residuals(&joint.ends, world),
            JointKind::Declared(declared) => declared.speed_residuals(&joint.ends, world),
            _ => Vec::new(),
        };
        let of = |level: Level, rows: Vec<Vec<f64>>| rows.into_iter().map(move |row| (row, level));
        let positions = self.gradient(Level::Position, &|world| self.joint_residuals(joint, world));
        of(Level::Position, positions).chain(of(Level::Velocity, self.gradient(Level::Velocity, &speeds))).collect()
    }

    /// Rows of an equation.
    pub fn equation_rows(&self, equation: &Equation) -> Vec<Vec<f64>> {
        self.gradient(equation.form.level(), &|world| self.residuals(equation, world))
    }

    /// Gradient of an observable with respect to positions, or of a rate with respect to speeds.
    pub fn observable_row(&self, target: &Expr) -> Vec<f64> {
        let level = if matches!(target, Expr::Rate(_)) { Level::Velocity } else { Level::Position };
        self.gradient(level, &|world| vec![self.value(target, world)]).remove(0)
    }
}

/// Level of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Rows of positions.
    Position,
    /// Rows of speeds, or of accelerations alone.
    Velocity,
}

impl Form {
    /// Level of its rows.
    pub fn level(&self) -> Level {
        match self {
            Form::Knife { .. }
            | Form::Speeds { .. }
            | Form::Accelerations { .. }
            | Form::Together { .. }
            | Form::Spin { .. } => Level::Velocity,
            _ => Level::Position,
        }
    }
}
