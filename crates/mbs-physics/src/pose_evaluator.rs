//! Motion of a joint whose pose is declared over its coordinates: columns of its motion subspace, and their rates, by [`Dual`] numbers.
//!
//! With the translation p(q) in the first end's axes, the rotation R(q), and q̇ = N(q) v, unit speed k moves the second end at
//!
//! ```text
//! (1)  p_k = ∂p/∂q N e_k        w_k = (Rᵀ ∂R/∂q N e_k)ᵛ, in the second end's axes
//! (2)  ṗ = Σ p_k v_k            p̈ = Σ p_k v̇_k + Σ ṗ_k v_k       w = Σ w_k v_k       ẇ = Σ w_k v̇_k + Σ ẇ_k v_k
//! ```
//!
//! where ṗ_k and ẇ_k are directional derivatives for q̇ = N v. For successive rotations by angles θ about axes n, w ← Rᵀ w + n θ̇ at each.
//!
//! Simbody's `MobilizedBody::FunctionBased` and `Custom` require H and Ḣ from their users instead.

use rustc_hash::FxHashMap as HashMap;
use std::ops::{Add, Mul};
use std::rc::Rc;

use mbs_definition::Space;
use mbs_expr::{Dual, ExprId, Op, Scalar, operands, operation};
use mbs_math::{Each, Mat3, Vector};
use mbs_model::{JointPose, Model, PoseRotation};

use super::space::{Matrix3, Part, Vector3, tilde, unit, zero};

/// Evaluates the declared pose of a joint.
pub struct PoseEvaluator<'a, S> {
    model: &'a Model,
    /// The pose.
    pub pose: &'a JointPose,
    /// The order in which its expressions are evaluated.
    order: Rc<Order>,
    /// Values of expressions that depend on no coordinate.
    constant: &'a dyn Fn(ExprId) -> S,
    /// Time.
    t: S,
}

/// Velocity of the second end relative to the first: a column (1), or a sum of columns.
#[derive(Clone, Copy, Debug)]
pub struct Rate<S> {
    /// Rate of p, in the first end's axes.
    pub linear: Vector3<S>,
    /// Angular velocity, in the second end's axes.
    pub angular: Vector3<S>,
}

/// A declared pose with its velocity and acceleration.
#[derive(Clone, Debug)]
pub struct PoseMotion<S> {
    /// p.
    pub displacement: Vector3<S>,
    /// R, as successive rotations from the first end to the second.
    pub rotations: Vec<Part<S>>,
    /// (1), by speed.
    pub columns: Vec<Rate<S>>,
    /// ṗ and w.
    pub velocity: Rate<S>,
    /// p̈ and ẇ.
    pub acceleration: Rate<S>,
}

impl<S: Scalar> Rate<S> {
    pub fn zero() -> Self {
        Rate { linear: zero(), angular: zero() }
    }

    /// Σ columns x.
    fn combined(columns: &[Self], x: &[S]) -> Self {
        columns.iter().zip(x).fold(Self::zero(), |sum, (column, x)| sum + *column * *x)
    }
}

impl<S: Scalar> Add for Rate<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Rate { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

/// x times a column.
impl<S: Scalar> Mul<S> for Rate<S> {
    type Output = Self;
    fn mul(self, x: S) -> Self {
        Rate { linear: self.linear * x, angular: self.angular * x }
    }
}

impl<S: Scalar> PoseMotion<S> {
    /// Motion with one coordinate x and a constant column whose rotation is about z.
    pub fn from_column(column: Rate<S>, x: S) -> Self {
        let scaled = |x: S| column * x;
        let position = scaled(x);
        PoseMotion {
            displacement: position.linear,
            rotations: vec![rotation_about(unit(2), position.angular[2])],
            columns: vec![column],
            velocity: scaled(x.rate()),
            acceleration: scaled(x.rate().rate()),
        }
    }
}

impl<S: Scalar> Rate<Dual<S>> {
    /// The derivatives of all components.
    pub fn derivative(&self) -> Rate<S> {
        Rate { linear: self.linear.map(|x| x.derivative), angular: self.angular.map(|x| x.derivative) }
    }
}

/// The pose at coordinates: p, the angles or the matrix, and the columns of N.
struct PoseValues<S> {
    displacement: Vector3<S>,
    rotations: Vec<(Vector3<S>, S)>,
    matrix: Option<Matrix3<S>>,
    rates: Option<Vec<Vec<S>>>,
}

impl<'a, S> PoseEvaluator<'a, S> {
    /// Evaluates `pose` at time `t`; `constant` returns values of expressions that depend on no coordinate.
    pub fn new(model: &'a Model, pose: &'a JointPose, constant: &'a dyn Fn(ExprId) -> S, t: S) -> Self {
        PoseEvaluator { model, pose, order: Rc::new(Order::new(model, pose)), constant, t }
    }
}

impl<S: Scalar> PoseEvaluator<'_, S> {
    /// The pose with its velocity and acceleration at coordinates q (n_q), speeds v and accelerations a (n_v).
    pub fn motion(&self, q: &[S], v: &[S], a: &[S]) -> PoseMotion<S> {
        let values = self.evaluate(q);
        let columns = self.columns(q);
        let moving = self.coordinates_with_rates(q, v);
        let column_rates = self.column_derivatives(&moving);
        let acceleration = Rate::combined(&columns, a);
        let acceleration = column_rates.iter().zip(v).fold(acceleration, |sum, (column, v)| sum + *column * *v);
        PoseMotion {
            displacement: values.displacement,
            rotations: values.parts(),
            velocity: Rate::combined(&columns, v),
            columns,
            acceleration,
        }
    }

    /// In the plane, the angle \[rad\] of the second end from the first: the sum of the angles of its rotations.
    pub fn angle(&self, q: &[S]) -> S {
        let rotations = self.evaluate(&q[..self.pose.n_q()]).rotations;
        rotations.into_iter().fold(S::number(0.0), |sum, (_, angle)| sum + angle)
    }

    /// R at coordinates q, by columns: the axes of the second end in those of the first.
    pub fn axes(&self, q: &[S]) -> [Vector3<S>; 3] {
        let rotations = self.evaluate(q).parts();
        [0, 1, 2].each(|k| to_first_end(&rotations, unit(k)))
    }

    /// N of q̇ = N v by columns; `None` where the solver's speeds are the rates, as always in the plane.
    pub fn rates(&self, q: &[S]) -> Option<Vec<Vec<S>>> {
        self.pose.rates.as_ref().filter(|_| self.model.space == Space::Spatial)?;
        self.evaluate(q).rates
    }

    /// q̇ = N u with the declared speeds u.
    pub fn declared_rates(&self, q: &[S], u: &[S]) -> Vec<S> {
        match self.evaluate(q).rates {
            None => u.to_vec(),
            Some(columns) => combined_columns(&columns, u, q.len()),
        }
    }

    /// Coordinates with their rates N v as derivatives.
    pub fn coordinates_with_rates(&self, q: &[S], v: &[S]) -> Vec<Dual<S>> {
        let rates = match self.rates(q) {
            None => v.to_vec(),
            Some(columns) => combined_columns(&columns, v, q.len()),
        };
        q.iter().zip(rates).map(|(value, derivative)| Dual { value: *value, derivative }).collect()
    }

    /// Coordinates with their rates at unit speed k, all other speeds zero, as derivatives.
    pub fn coordinates_with_unit_speed(&self, q: &[S], k: usize) -> Vec<Dual<S>> {
        let v: Vec<S> = (0..self.pose.n_v()).map(|i| S::number(f64::from(u8::from(i == k)))).collect();
        self.coordinates_with_rates(q, &v)
    }

    /// Calls `work` with this pose over dual numbers; expressions that depend on no coordinate, and time, are constants.
    pub fn with_dual_numbers<V>(&self, work: impl FnOnce(&PoseEvaluator<'_, Dual<S>>) -> V) -> V {
        let constant = |e: ExprId| Dual::constant((self.constant)(e));
        let PoseEvaluator { model, pose, ref order, t, .. } = *self;
        work(&PoseEvaluator { model, pose, order: order.clone(), constant: &constant, t: Dual::constant(t) })
    }

    /// Directional derivatives of the columns.
    fn column_derivatives(&self, q: &[Dual<S>]) -> Vec<Rate<S>> {
        let columns = self.with_dual_numbers(|posing| posing.columns(q));
        columns.iter().map(Rate::derivative).collect()
    }

    /// The columns (1).
    fn columns(&self, q: &[S]) -> Vec<Rate<S>> {
        let column = |k: usize| {
            let q = self.coordinates_with_unit_speed(q, k);
            self.rate(&q)
        };
        (0..self.pose.n_v()).map(column).collect()
    }

    /// ṗ and w for the rates that are the derivatives of the coordinates.
    fn rate(&self, q: &[Dual<S>]) -> Rate<S> {
        self.with_dual_numbers(|posing| posing.evaluate(q).rate())
    }

    fn evaluate(&self, q: &[S]) -> PoseValues<S> {
        let Order { list, index } = &*self.order;
        let mut values: Vec<S> = Vec::with_capacity(list.len());
        for e in list {
            values.push(match self.model.exprs.op(*e) {
                _ if self.model.exprs.order(*e).is_none() => (self.constant)(*e),
                Op::JointCoordinate(_, k) => q[usize::from(k)],
                op => operation(&self.model.functions, op, &|child| values[index[&child]], self.t),
            });
        }
        PoseValues::new(self.pose, |e| values[index[&e]])
    }
}

impl<S: Scalar> PoseValues<S> {
    fn new(pose: &JointPose, value: impl Fn(ExprId) -> S) -> Self {
        let vector = |list: [ExprId; 3]| Vector(list).map(&value);
        let (mut rotations, mut matrix) = (Vec::new(), None);
        match &pose.rotation {
            PoseRotation::Successive(list) => {
                rotations.extend(list.iter().map(|(n, angle)| (vector(*n), value(*angle))))
            }
            PoseRotation::Matrix(axes) => matrix = Some(Mat3::of_columns(axes.each(vector))),
        }
        let rates = pose.rates.as_ref();
        let rates = rates.map(|columns| columns.iter().map(|c| c.iter().map(|e| value(*e)).collect()).collect());
        PoseValues { displacement: vector(pose.translation), rotations, matrix, rates }
    }

    /// R as successive rotations.
    fn parts(&self) -> Vec<Part<S>> {
        let rotations = self.rotations.iter().map(|(n, angle)| rotation_about(*n, *angle));
        rotations.chain(self.matrix.map(Part::Rotation)).collect()
    }
}

impl<S: Scalar> PoseValues<Dual<S>> {
    /// ṗ and w for the rates that are the derivatives.
    fn rate(&self) -> Rate<S> {
        let mut angular = zero();
        for (n, angle) in &self.rotations {
            let n = n.map(|x| x.value);
            angular = rotation_about(n, angle.value).in_child_axes(angular) + n * angle.derivative;
        }
        if let Some(matrix) = &self.matrix {
            let (r, rate) = (matrix.map(|x| x.value), matrix.map(|x| x.derivative));
            // Rᵀ Ṙ = w̃: each component of w is the mean of its two entries.
            let w = r.transpose() * rate;
            let half = S::number(0.5);
            angular = Vector([w[2][1] - w[1][2], w[0][2] - w[2][0], w[1][0] - w[0][1]]) * half;
        }
        Rate { linear: self.displacement.map(|x| x.derivative), angular }
    }
}

/// Σ columns x, n components.
fn combined_columns<S: Scalar>(columns: &[Vec<S>], x: &[S], n: usize) -> Vec<S> {
    let sum = |i: usize| columns.iter().zip(x).fold(S::number(0.0), |sum, (column, x)| sum + column[i] * *x);
    (0..n).map(sum).collect()
}

/// Rotation by an angle about a unit vector, about a coordinate axis where it is one as a literal.
fn rotation_about<S: Scalar>(n: Vector3<S>, angle: S) -> Part<S> {
    let (sin, cos) = angle.sin_cos();
    let axis = (0..3).find(|k| n[*k].literal().is_some_and(|x| x.abs() == 1.0));
    if let Some(axis) = axis
        && let Some(sign) = n[axis].literal()
    {
        return Part::AxisRotation { axis, cos, sin: if sign < 0.0 { -sin } else { sin } };
    }
    // n nᵀ + cos φ (1 − n nᵀ) + sin φ ñ
    let versine = S::number(1.0) - cos;
    let skew = tilde(n);
    let entry = |i: usize, k: usize| {
        let x = n[i] * n[k] * versine + sin * skew[i][k];
        if i == k { x + cos } else { x }
    };
    Part::Rotation(Mat3::from_rows(|i| Vector::from_fn(|k| entry(i, k))))
}

/// The expressions of a declared pose, each after its operands: the same for every type of scalar.
struct Order {
    list: Vec<ExprId>,
    /// Index of each in the list.
    index: HashMap<ExprId, usize>,
}

impl Order {
    fn new(model: &Model, pose: &JointPose) -> Self {
        let rotation = match &pose.rotation {
            PoseRotation::Successive(list) => list.iter().flat_map(|(n, angle)| [n[0], n[1], n[2], *angle]).collect(),
            PoseRotation::Matrix(axes) => axes.concat(),
        };
        let rates = pose.rates.iter().flatten().flatten().copied();
        let (mut list, mut index) = (Vec::new(), HashMap::default());
        for root in rotation.into_iter().chain(rates).chain(pose.translation) {
            let mut stack = vec![root];
            while let Some(&next) = stack.last() {
                let before = stack.len();
                if !index.contains_key(&next) && model.exprs.order(next).is_some() {
                    stack.extend(operands(model.exprs.op(next)).filter(|child| !index.contains_key(child)));
                }
                if stack.len() == before {
                    stack.pop();
                    index.entry(next).or_insert_with(|| {
                        list.push(next);
                        list.len() - 1
                    });
                }
            }
        }
        Order { list, index }
    }
}

/// R x with R as successive rotations: components in the second end's axes to components in the first's.
pub fn to_first_end<S: Scalar>(rotations: &[Part<S>], x: Vector3<S>) -> Vector3<S> {
    rotations.iter().rev().fold(x, |x, part| part.in_parent_axes(x))
}

/// Rᵀ x: components in the first end's axes to components in the second's.
pub fn to_second_end<S: Scalar>(rotations: &[Part<S>], x: Vector3<S>) -> Vector3<S> {
    rotations.iter().fold(x, |x, part| part.in_child_axes(x))
}
