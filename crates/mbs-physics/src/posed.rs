//! Motion of a joint whose pose is written over its coordinates: columns, their rates, and their derivatives, by [`Dual`] numbers.
//!
//! With the translation p(q) in the first end's axes, the rotation R(q), and q̇ = N(q) v, speed k moves the second end along
//!
//! ```text
//! (1)  p_k = ∂p/∂q N e_k        w_k = (Rᵀ ∂R/∂q N e_k)ᵛ, in the second end's axes
//! (2)  ṗ = Σ p_k v_k            p̈ = Σ p_k v̇_k + Σ ṗ_k v_k       w = Σ w_k v_k       ẇ = Σ w_k v̇_k + Σ ẇ_k v_k
//! ```
//!
//! where a dot of a column is its directional derivative along q̇ = N v. For successive rotations by angles θ about axes n, w = Rᵀ w + n θ̇
//! from one to the next.
//!
//! Simbody, `MobilizedBody::FunctionBased` and `Custom`, ask their users for H and Ḣ instead.

use std::collections::HashMap;
use std::ops::{Add, Mul};

use mbs_definition::Space;
use mbs_expr::{Dual, ExprId, Op, Scalar, operands, operation};
use mbs_math::{Mat3, Vector};
use mbs_model::{JointPose, Model, PoseTurning};

use super::space::{Matrix3, Part, Vector3, tilde, unit, zero};

/// A joint's pose, and the quantities that it is evaluated with.
pub struct Posing<'a, S> {
    /// The model.
    pub model: &'a Model,
    /// The pose.
    pub pose: &'a JointPose,
    /// Values of what depends on no coordinate.
    pub constant: &'a dyn Fn(ExprId) -> S,
    /// Time.
    pub t: S,
}

/// One column, or a sum of columns: rate of p in the first end's axes, and angular velocity in the second end's.
#[derive(Clone, Copy, Debug)]
pub struct Rate<S> {
    pub shift: Vector3<S>,
    pub spin: Vector3<S>,
}

/// State of the pose, with its rates.
#[derive(Clone, Debug)]
pub struct Moving<S> {
    /// p.
    pub shift: Vector3<S>,
    /// R, turn after turn.
    pub turns: Vec<Part<S>>,
    /// (1), by speed.
    pub columns: Vec<Rate<S>>,
    /// ṗ and w.
    pub velocity: Rate<S>,
    /// p̈ and ẇ.
    pub acceleration: Rate<S>,
}

impl<S: Scalar> Rate<S> {
    pub fn zero() -> Self {
        Rate { shift: zero(), spin: zero() }
    }

    fn combined(columns: &[Self], by: &[S]) -> Self {
        columns.iter().zip(by).fold(Self::zero(), |sum, (column, x)| sum + *column * *x)
    }
}

impl<S: Scalar> Add for Rate<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Rate { shift: self.shift + other.shift, spin: self.spin + other.spin }
    }
}

/// x times a column.
impl<S: Scalar> Mul<S> for Rate<S> {
    type Output = Self;
    fn mul(self, x: S) -> Self {
        Rate { shift: self.shift * x, spin: self.spin * x }
    }
}

impl<S: Scalar> Moving<S> {
    /// Motion by one coordinate x along a constant column whose rotation is about z.
    pub fn along(column: Rate<S>, x: S) -> Self {
        let by = |x: S| column * x;
        let placed = by(x);
        Moving {
            shift: placed.shift,
            turns: vec![turn(unit(2), placed.spin[2])],
            columns: vec![column],
            velocity: by(x.rate()),
            acceleration: by(x.rate().rate()),
        }
    }
}

impl<S: Scalar> Rate<Dual<S>> {
    pub fn derivative(&self) -> Rate<S> {
        Rate { shift: self.shift.map(|x| x.derivative), spin: self.spin.map(|x| x.derivative) }
    }
}

/// The pose at coordinates: p, the angles or the matrix, and the columns of N.
struct Placed<S> {
    shift: Vector3<S>,
    turns: Vec<(Vector3<S>, S)>,
    matrix: Option<Matrix3<S>>,
    rates: Option<Vec<Vec<S>>>,
}

impl<S: Scalar> Posing<'_, S> {
    /// Everything that is needed of a joint of the tree.
    pub fn moving(&self, q: &[S], v: &[S], a: &[S]) -> Moving<S> {
        let placed = self.placed(q);
        let columns = self.columns(q);
        let along = self.along_motion(q, v);
        let bent = self.derivative(&along);
        let acceleration = Rate::combined(&columns, a);
        let acceleration = bent.iter().zip(v).fold(acceleration, |sum, (column, v)| sum + *column * *v);
        Moving {
            shift: placed.shift,
            turns: placed.parts(),
            velocity: Rate::combined(&columns, v),
            columns,
            acceleration,
        }
    }

    /// Σ of the angles of a turning in the plane.
    pub fn angle(&self, q: &[S]) -> S {
        let turns = self.placed(&q[..self.pose.n_q()]).turns;
        turns.into_iter().fold(S::number(0.0), |sum, (_, angle)| sum + angle)
    }

    /// R at coordinates: axes of the second end in the first's.
    pub fn axes(&self, q: &[S]) -> [Vector3<S>; 3] {
        let turns = self.placed(q).parts();
        [0, 1, 2].map(|k| turns.iter().rev().fold(unit(k), |v, turn| turn.up(v)))
    }

    /// N of q̇ = N v by columns; `None` where the solver's speeds are the rates, as always in the plane.
    pub fn rates(&self, q: &[S]) -> Option<Vec<Vec<S>>> {
        self.pose.rates.as_ref().filter(|_| self.model.space == Space::Spatial)?;
        self.placed(q).rates
    }

    /// q̇ = N u with the speeds that the text gives.
    pub fn declared_rates(&self, q: &[S], u: &[S]) -> Vec<S> {
        match self.placed(q).rates {
            None => u.to_vec(),
            Some(columns) => combined(&columns, u, q.len()),
        }
    }

    /// Coordinates with their rates N v as derivatives.
    pub fn along_motion(&self, q: &[S], v: &[S]) -> Vec<Dual<S>> {
        let rates = match self.rates(q) {
            None => v.to_vec(),
            Some(columns) => combined(&columns, v, q.len()),
        };
        q.iter().zip(rates).map(|(value, derivative)| Dual { value: *value, derivative }).collect()
    }

    /// Coordinates with their derivatives along speed k.
    pub fn along_speed(&self, q: &[S], k: usize) -> Vec<Dual<S>> {
        let v: Vec<S> = (0..self.pose.n_v()).map(|i| S::number(f64::from(u8::from(i == k)))).collect();
        self.along_motion(q, &v)
    }

    /// Work over numbers with derivatives.
    pub fn with_derivatives<V>(&self, work: impl FnOnce(&Posing<'_, Dual<S>>) -> V) -> V {
        let constant = |e: ExprId| Dual::constant((self.constant)(e));
        work(&Posing { model: self.model, pose: self.pose, constant: &constant, t: Dual::constant(self.t) })
    }

    /// Derivatives of the columns.
    fn derivative(&self, q: &[Dual<S>]) -> Vec<Rate<S>> {
        let columns = self.with_derivatives(|posing| posing.columns(q));
        columns.iter().map(Rate::derivative).collect()
    }

    /// (1)
    fn columns(&self, q: &[S]) -> Vec<Rate<S>> {
        let column = |k: usize| {
            let q = self.along_speed(q, k);
            self.with_derivatives_once(&q)
        };
        (0..self.pose.n_v()).map(column).collect()
    }

    fn with_derivatives_once(&self, q: &[Dual<S>]) -> Rate<S> {
        let constant = |e: ExprId| Dual::constant((self.constant)(e));
        let t = Dual::constant(self.t);
        Placed::of(self.model, self.pose, q, &constant, t).rate()
    }

    fn placed(&self, q: &[S]) -> Placed<S> {
        Placed::of(self.model, self.pose, q, self.constant, self.t)
    }
}

impl<S: Scalar> Placed<S> {
    fn of(model: &Model, pose: &JointPose, q: &[S], constant: &dyn Fn(ExprId) -> S, t: S) -> Self {
        let mut known: HashMap<ExprId, S> = HashMap::new();
        let mut value = |e: ExprId| evaluated(model, e, (q, constant, t), &mut known);
        let (mut turns, mut matrix) = (Vec::new(), None);
        match &pose.turning {
            PoseTurning::Turns(list) => {
                turns.extend(list.iter().map(|(n, angle)| (Vector(n.map(&mut value)), value(*angle))))
            }
            PoseTurning::Matrix(axes) => matrix = Some(Mat3::of_columns(axes.map(|axis| Vector(axis.map(&mut value))))),
        }
        let rates = pose.rates.as_ref();
        let rates = rates.map(|columns| columns.iter().map(|c| c.iter().map(|e| value(*e)).collect()).collect());
        Placed { shift: Vector(pose.translation.map(&mut value)), turns, matrix, rates }
    }

    fn parts(&self) -> Vec<Part<S>> {
        let turned = self.turns.iter().map(|(n, angle)| turn(*n, *angle));
        turned.chain(self.matrix.map(Part::Rotate)).collect()
    }
}

impl<S: Scalar> Placed<Dual<S>> {
    /// ṗ and w along the direction of the derivatives.
    fn rate(&self) -> Rate<S> {
        let mut spin = zero();
        for (n, angle) in &self.turns {
            let n = n.map(|x| x.value);
            spin = turn(n, angle.value).down(spin) + n * angle.derivative;
        }
        if let Some(matrix) = &self.matrix {
            let (r, rate) = (matrix.map(|x| x.value), matrix.map(|x| x.derivative));
            // Rᵀ Ṙ = w̃; of either entry of a pair half.
            let w = r.transpose() * rate;
            let half = S::number(0.5);
            spin = Vector([w[2][1] - w[1][2], w[0][2] - w[2][0], w[1][0] - w[0][1]]) * half;
        }
        Rate { shift: self.shift.map(|x| x.derivative), spin }
    }
}

/// Σ columns x, of n components.
fn combined<S: Scalar>(columns: &[Vec<S>], x: &[S], n: usize) -> Vec<S> {
    let sum = |i: usize| columns.iter().zip(x).fold(S::number(0.0), |sum, (column, x)| sum + column[i] * *x);
    (0..n).map(sum).collect()
}

/// A turn about a unit vector: of a coordinate axis where it is one.
fn turn<S: Scalar>(n: Vector3<S>, angle: S) -> Part<S> {
    let (sin, cos) = angle.sin_cos();
    let axis = (0..3).find(|k| n[*k].literal().is_some_and(|x| x.abs() == 1.0));
    if let Some(axis) = axis
        && let Some(sign) = n[axis].literal()
    {
        return Part::Turn { axis, cos, sin: if sign < 0.0 { -sin } else { sin } };
    }
    // n nᵀ + cos φ (1 − n nᵀ) + sin φ ñ
    let versine = S::number(1.0) - cos;
    let skew = tilde(n);
    let entry = |i: usize, k: usize| {
        let along = n[i] * n[k] * versine + sin * skew[i][k];
        if i == k { along + cos } else { along }
    };
    Part::Rotate(Mat3([0, 1, 2].map(|i| Vector([0, 1, 2].map(|k| entry(i, k))))))
}

/// An expression over coordinates of the joint.
fn evaluated<S: Scalar>(
    model: &Model,
    e: ExprId,
    (q, constant, t): (&[S], &dyn Fn(ExprId) -> S, S),
    known: &mut HashMap<ExprId, S>,
) -> S {
    let mut stack = vec![e];
    while let Some(&next) = stack.last() {
        if known.contains_key(&next) {
            stack.pop();
            continue;
        }
        let op = model.exprs.op(next);
        let value = match op {
            _ if model.exprs.order(next).is_none() => Some(constant(next)),
            Op::JointCoordinate(_, k) => Some(q[usize::from(k)]),
            _ => None,
        };
        let value = match value {
            Some(value) => value,
            None => {
                let before = stack.len();
                stack.extend(operands(op).filter(|child| !known.contains_key(child)));
                if stack.len() > before {
                    continue;
                }
                operation(&model.functions, op, &|child| known[&child], t)
            }
        };
        known.insert(next, value);
        stack.pop();
    }
    known[&e]
}

/// R x of turns that follow one another, from the innermost axes to the outermost.
pub fn up<S: Scalar>(turns: &[Part<S>], x: Vector3<S>) -> Vector3<S> {
    turns.iter().rev().fold(x, |x, part| part.up(x))
}

/// Rᵀ x.
pub fn down<S: Scalar>(turns: &[Part<S>], x: Vector3<S>) -> Vector3<S> {
    turns.iter().fold(x, |x, part| part.down(x))
}
