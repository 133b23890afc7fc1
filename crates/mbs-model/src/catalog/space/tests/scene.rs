//! Two bodies with a marker each, in frames that steps or twists determine, and the evaluation of expressions at these frames.

#![allow(non_snake_case)] // monogram notation

use std::cell::RefCell;
use std::collections::HashMap;

use mbs_definition::{Origin, Space};
use mbs_expr::{BodyId, ExprId, Exprs, Function2, JointId, MarkerId, Op, Scalar, Series};

use crate::catalog::{self, Argued, Arguments, Geometry, JointParts, Kind, Shape};
use crate::{Attitude, Body, BodyKind, Domain, Marker, Step, Surface, VelocityAxes};

pub type Vector = [f64; 3];
/// A matrix as a list of its columns.
pub type Matrix = [Vector; 3];

/// A value with its rate.
pub type Moving = Series<2>;

pub const ENDS: [MarkerId; 2] = [MarkerId(0), MarkerId(1)];
pub const JOINT: JointId = JointId(0);

pub fn dot(a: Vector, b: Vector) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + s b.
pub fn add_scaled(a: Vector, s: f64, b: Vector) -> Vector {
    [0, 1, 2].map(|i| a[i] + s * b[i])
}

pub fn unit(v: Vector) -> Vector {
    v.map(|x| x / dot(v, v).sqrt())
}

pub fn times(m: Matrix, v: Vector) -> Vector {
    [0, 1, 2].map(|i| (0..3).map(|j| m[j][i] * v[j]).sum())
}

/// R S.
pub fn product(r: Matrix, s: Matrix) -> Matrix {
    s.map(|column| times(r, column))
}

/// The rotation by an angle about a unit vector, by Rodrigues' formula.
pub fn rotation_about(u: Vector, angle: f64) -> Matrix {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| {
        let rotated = add_scaled(e.map(|x| x * angle.cos()), angle.sin(), cross(u, e));
        add_scaled(rotated, (1.0 - angle.cos()) * dot(u, e), u)
    })
}

/// The rotation of attitude parameters by their definition: an axis and an angle, or three rotations.
pub fn rotation_of_parameters(attitude: Attitude, q: &[f64]) -> Matrix {
    let axis_angle = |v: &[f64], angle: fn(f64) -> f64| {
        let v = [v[0], v[1], v[2]];
        let size = dot(v, v).sqrt();
        if size == 0.0 { rotation_about([1.0, 0.0, 0.0], 0.0) } else { rotation_about(unit(v), angle(size)) }
    };
    match attitude {
        Attitude::Quaternion => rotation_about(unit([q[1], q[2], q[3]]), 2.0 * q[0].acos()),
        Attitude::ModifiedRodrigues => axis_angle(q, |s| 4.0 * s.atan()),
        Attitude::Rodrigues => axis_angle(q, |s| 2.0 * s.atan()),
        Attitude::RotationVector => axis_angle(q, |s| s),
        Attitude::Euler(axes) => {
            let unit = |k: u8| [0, 1, 2].map(|i: u8| f64::from(i == k));
            let rotations = [0, 1, 2].map(|i: usize| rotation_about(unit(axes[i]), q[i]));
            product(rotations[0], product(rotations[1], rotations[2]))
        }
    }
}

/// A repeatable sequence of pseudo-random numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform in an interval.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self) -> Vector {
        [0, 1, 2].map(|_| self.within(-1.0, 1.0))
    }

    pub fn direction(&mut self) -> Vector {
        unit(self.vector())
    }

    /// Any rotation by less than half a revolution.
    pub fn rotation(&mut self) -> Matrix {
        rotation_about(self.direction(), self.within(-3.1, 3.1))
    }

    /// Attitude parameters in the ranges of the catalogue's expressions.
    pub fn parameters(&mut self, attitude: Attitude) -> Vec<f64> {
        let (n, angle) = (self.direction(), self.within(0.0, 3.1));
        match attitude {
            Attitude::Quaternion => {
                let (sin, cos) = (angle / 2.0).sin_cos();
                vec![cos, sin * n[0], sin * n[1], sin * n[2]]
            }
            Attitude::ModifiedRodrigues => n.map(|x| x * (angle / 4.0).tan()).to_vec(),
            Attitude::Rodrigues => n.map(|x| x * (angle / 2.0).tan()).to_vec(),
            Attitude::RotationVector => n.map(|x| x * angle).to_vec(),
            Attitude::Euler([i, _, k]) => {
                let middle = if i == k { self.within(0.1, 3.0) } else { self.within(-1.5, 1.5) };
                vec![self.within(-3.1, 3.1), middle, self.within(-3.1, 3.1)]
            }
        }
    }
}

/// Pose and velocity of a marker's frame: p, R, v, ω in world components.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub p: Vector,
    pub R: Matrix,
    pub v: Vector,
    pub omega: Vector,
}

impl Frame {
    pub fn at_rest(p: Vector, R: Matrix) -> Frame {
        Frame { p, R, v: [0.0; 3], omega: [0.0; 3] }
    }

    /// The frame after steps with coordinates q.
    pub fn after_steps(self, steps: &[Step], q: &[f64], number: &dyn Fn(ExprId) -> f64) -> Frame {
        let (mut p, mut R) = (self.p, self.R);
        let mut rest = q;
        for step in steps {
            let (step_q, others) = rest.split_at(step.coordinates());
            rest = others;
            match *step {
                Step::Revolute { axis } => R = product(R, rotation_about(axis.map(number), step_q[0])),
                Step::Prismatic { axis } => p = add_scaled(p, step_q[0], times(R, axis.map(number))),
                Step::Screw { axis, advance } => {
                    p = add_scaled(p, step_q[0] * number(advance), times(R, axis.map(number)));
                    R = product(R, rotation_about(axis.map(number), step_q[0]));
                }
                Step::Ball { attitude } | Step::Line { attitude } => {
                    R = product(R, rotation_of_parameters(attitude, step_q))
                }
                Step::Ellipsoid { radii, attitude } => {
                    let inner = rotation_of_parameters(attitude, step_q);
                    p = add_scaled(p, 1.0, times(R, [0, 1, 2].map(|k| number(radii[k]) * inner[2][k])));
                    R = product(R, inner);
                }
                Step::Orbit { radius } => {
                    let ((s, c), (up, flat)) = (step_q[0].sin_cos(), step_q[1].sin_cos());
                    p = add_scaled(p, number(radius), times(R, [flat * c, flat * s, up]));
                }
                Step::Posed { .. } => unreachable!("kinds of the catalogue declare no pose"),
                Step::Free { attitude, .. } => {
                    p = add_scaled(p, 1.0, times(R, [step_q[0], step_q[1], step_q[2]]));
                    R = product(R, rotation_of_parameters(attitude, &step_q[3..]));
                }
            }
        }
        assert!(rest.is_empty(), "as many coordinates as the steps have");
        Frame { p, R, ..self }
    }
}

/// The arena, two markers, and values of parameters and continuous coordinates.
pub struct Scene {
    pub exprs: Exprs,
    pub markers: Vec<Marker>,
    pub bodies: Vec<Body>,
    pub parameters: Vec<f64>,
    /// Continuous coordinates φ with their rates.
    pub phi: Vec<Moving>,
}

impl Scene {
    pub fn new(attitude: Attitude) -> Scene {
        let mut exprs = Exprs::default();
        let zero = exprs.constant(0.0);
        let marker = |k: u32| Marker {
            name: format!("m{k}"),
            body: Some(BodyId(k)),
            point: [zero; 3],
            angle: zero,
            rotation: None,
            drawn: false,
            surface: Surface::default(),
        };
        let body = |k: u32| Body {
            name: format!("b{k}"),
            origin: Origin(0),
            docs: String::new(),
            kind: BodyKind::Rigid,
            mass: zero,
            inertia: [zero; 6],
            com: [zero; 3],
            position: None,
            angle: None,
            rotation: None,
            velocity: None,
            angular_velocity: None,
            attitude,
            velocity_axes: VelocityAxes::World,
            formulation: None,
            basis: None,
            origin_marker: MarkerId(k),
            com_marker: MarkerId(k),
        };
        let (markers, bodies) = (vec![marker(0), marker(1)], vec![body(0), body(1)]);
        Scene { exprs, markers, bodies, parameters: Vec::new(), phi: Vec::new() }
    }

    pub fn write<R>(&mut self, formulas: impl FnOnce(&Geometry<'_>) -> R) -> R {
        let (markers, bodies, space) = (&self.markers, &self.bodies, Space::Spatial);
        catalog::Scene { markers, bodies, space, functions: &[] }.write(&mut self.exprs, formulas)
    }

    /// The expression of a number, as a literal or as a parameter.
    pub fn value(&mut self, x: f64, literal: bool) -> ExprId {
        if literal {
            return self.exprs.constant(x);
        }
        self.parameters.push(x);
        self.exprs.push(Op::Parameter(self.parameters.len() as u32 - 1))
    }

    /// Random arguments of a kind, as literals or as parameters.
    pub fn arguments(&mut self, kind: &Kind, random: &mut Random, literal: bool) -> Vec<Argued> {
        let numbers = kind.arguments.iter().map(|argument| match (argument.shape, argument.domain) {
            (Shape::Number, Domain::Finite) => [random.within(-0.5, 0.5); 3],
            (Shape::Number, _) => [random.within(0.5, 2.5); 3],
            (Shape::Axis, _) => random.direction(),
            (Shape::Diagonal, Domain::Positive) => [0, 1, 2].map(|_| random.within(0.5, 2.5)),
            _ => random.vector().map(f64::abs),
        });
        let numbers: Vec<Vector> = numbers.collect();
        numbers.into_iter().map(|v| v.map(|x| self.value(x, literal))).collect()
    }

    pub fn join(&mut self, kind: &Kind, arguments: &[Argued]) -> JointParts {
        self.write(|g| kind.join(g, JOINT, ENDS, &Arguments::new(g, kind, arguments)))
    }

    /// Evaluates an expression at two frames.
    pub fn evaluate(&self, id: ExprId, frames: &[Frame; 2]) -> Moving {
        Evaluation { scene: self, frames, memo: RefCell::default() }.value(id)
    }

    /// Evaluates an expression that depends on parameters only.
    pub fn constant_value(&self, id: ExprId) -> f64 {
        self.evaluate(id, &[Frame::at_rest([0.0; 3], rotation_about([1.0, 0.0, 0.0], 0.0)); 2]).value()
    }
}

struct Evaluation<'s> {
    scene: &'s Scene,
    frames: &'s [Frame; 2],
    memo: RefCell<HashMap<ExprId, Moving>>,
}

impl Evaluation<'_> {
    fn value(&self, id: ExprId) -> Moving {
        if let Some(known) = self.memo.borrow().get(&id) {
            return *known;
        }
        let value = self.apply(self.scene.exprs.op(id));
        self.memo.borrow_mut().insert(id, value);
        value
    }

    fn apply(&self, op: Op) -> Moving {
        let frame = |m: MarkerId| &self.frames[m.index()];
        match op {
            Op::Number(x) => Moving::constant(x),
            Op::Parameter(i) => Moving::constant(self.scene.parameters[i as usize]),
            Op::Position(m, c) => Moving::linear(frame(m).p[c as usize], frame(m).v[c as usize]),
            Op::Direction(m, axis, c) => {
                let (axis, omega) = (frame(m).R[axis as usize], frame(m).omega);
                Moving::linear(axis[c as usize], cross(omega, axis)[c as usize])
            }
            Op::AngularVelocity(m, c) => Moving::constant(frame(m).omega[c as usize]),
            Op::JointCoordinate(_, k) => self.scene.phi[k as usize],
            Op::Rate(e) => self.value(e).rate(),
            Op::Unary(f, a) => self.value(a).unary(f),
            Op::Binary(f, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match f {
                    Function2::Add => a + b,
                    Function2::Sub => a - b,
                    Function2::Mul => a * b,
                    Function2::Div => a / b,
                    _ => a.binary(f, b),
                }
            }
            Op::Select(test, ids) => {
                let [l, r, t, e] = ids.map(|id| self.value(id));
                Moving::select(test, l, r, t, e)
            }
            _ => panic!("{op:?} does not occur in the catalogue"),
        }
    }
}
