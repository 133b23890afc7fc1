//! A tiny evaluator of resolved expressions, for tests: bodies move as given functions of time, nothing is solved.

use std::collections::HashMap;

use mbs_definition::Space;
use mbs_expr::{ExprId, Function, Function2, MarkerId, Op, Scalar, Series};
use mbs_model::{BodyKind, Model};
use mbs_resolve::resolve;
use mbs_syntax::parse_text;

/// Value with three time derivatives.
pub type S = Series<4>;

/// The model of `text`, which has no mistakes.
pub fn model(text: &str) -> Model {
    let parsed = parse_text("m.mbs", text);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    match resolve(&parsed.definitions[0]) {
        Ok(model) => model,
        Err(errors) => panic!("{}", parsed.sources.render(errors.list())),
    }
}

/// The model of items in a planar mechanism.
pub fn items(text: &str) -> Model {
    model(&format!("planar M {{ {text} }}"))
}

/// The model of items in a spatial mechanism.
pub fn spatial_items(text: &str) -> Model {
    model(&format!("spatial M {{ {text} }}"))
}

/// Three components, or three axes of three components.
pub type Triple<T> = [T; 3];

/// Motion of all bodies near one time.
pub struct Oracle<'m> {
    pub model: &'m Model,
    pub time: f64,
    /// x, y, θ of each body; in space θ is the first of the angles below.
    pub poses: Vec<[S; 3]>,
    /// In space, z of each body, and the second and third angle of R_z(θ) R_y(β) R_x(γ).
    pub heights: Vec<[S; 3]>,
    pub multipliers: Vec<f64>,
    pub inputs: Vec<f64>,
    pub states: Vec<S>,
    pub algebraic: Vec<S>,
}

impl<'m> Oracle<'m> {
    /// Body b at (0.3 + b, −0.2 b, 0.4 − 0.3 b) with some velocity and acceleration.
    pub fn new(model: &'m Model) -> Self {
        let some = |x: f64, v: f64, a: f64| Series([x, v, a / 2.0, 0.1]);
        let pose = |b: usize| {
            let b = b as f64;
            [some(0.3 + b, 0.7 - b, 0.2), some(-0.2 * b, 1.1, -0.4 * b), some(0.4 - 0.3 * b, 1.3 + b, 0.6)]
        };
        let height = |b: usize| {
            let b = b as f64;
            [some(0.6 - 0.4 * b, 0.5, 0.8), some(0.5 + 0.2 * b, -0.9, 0.3), some(0.7 * b - 0.8, 0.4, -0.5)]
        };
        let rows = model.rows().len();
        Oracle {
            model,
            time: 0.25,
            poses: (0..model.bodies.len()).map(pose).collect(),
            heights: (0..model.bodies.len()).map(height).collect(),
            multipliers: (0..rows).map(|i| 10.0 + i as f64).collect(),
            inputs: vec![3.0; Model::flat_size(&model.quantities.inputs)],
            states: vec![some(2.0, 0.5, 0.0); 8],
            algebraic: vec![some(0.2, 0.1, 0.0); Model::flat_size(&model.quantities.algebraic)],
        }
    }

    fn planar(&self) -> bool {
        self.model.space == Space::Planar
    }

    /// Angle and origin of a marker.
    pub fn marker(&self, m: MarkerId) -> ([S; 2], S) {
        let marker = &self.model.markers[m.index()];
        let point = mbs_model::plane(marker.point).map(|x| self.series(x));
        let angle = self.series(marker.angle);
        let Some(body) = marker.body else { return (point, angle) };
        let [x, y, theta] = self.poses[body.index()];
        let theta = match self.model.bodies[body.index()].kind {
            BodyKind::Rigid => theta,
            BodyKind::Particle => S::number(0.0),
        };
        let (sin, cos) = theta.sin_cos();
        let turned = [point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos];
        ([x + turned[0], y + turned[1]], theta + angle)
    }

    /// Origin of a marker in space, and its axes, world components.
    pub fn frame(&self, m: MarkerId) -> (Triple<S>, Triple<Triple<S>>) {
        let marker = &self.model.markers[m.index()];
        let point = marker.point.map(|x| self.series(x));
        let [zero, one] = [0.0, 1.0].map(S::number);
        let mut axes = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        if let Some(rotation) = marker.rotation {
            axes = rotation.map(|axis| axis.map(|x| self.series(x)));
        }
        let Some(body) = marker.body else { return (point, axes) };
        let ([x, y, _], [z, _, _]) = (self.poses[body.index()], self.heights[body.index()]);
        let turn = self.body_axes(body.index());
        let moved = turned(turn, point);
        ([x + moved[0], y + moved[1], z + moved[2]], axes.map(|axis| turned(turn, axis)))
    }

    /// World components of a body's axes in space.
    pub fn body_axes(&self, body: usize) -> Triple<Triple<S>> {
        let [zero, one] = [0.0, 1.0].map(S::number);
        if self.model.bodies[body].kind == BodyKind::Particle {
            return [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        }
        let ([_, _, a], [_, b, c]) = (self.poses[body], self.heights[body]);
        let [(sa, ca), (sb, cb), (sc, cc)] = [a, b, c].map(S::sin_cos);
        [
            [ca * cb, sa * cb, -sb],
            [ca * sb * sc - sa * cc, sa * sb * sc + ca * cc, cb * sc],
            [ca * sb * cc + sa * sc, sa * sb * cc - ca * sc, cb * cc],
        ]
    }

    /// World components of a body's angular velocity in space: ½ Σ eₖ × ėₖ.
    pub fn spin(&self, body: usize) -> Triple<S> {
        let half = S::number(0.5);
        let turns = self.body_axes(body).map(|e| cross(e, e.map(S::rate)));
        [0, 1, 2].map(|c| half * (turns[0][c] + turns[1][c] + turns[2][c]))
    }

    /// An expression with its derivatives.
    pub fn series(&self, id: ExprId) -> S {
        let mut values: HashMap<ExprId, S> = HashMap::new();
        for e in self.model.exprs.subexpressions(id) {
            let value = match self.model.exprs.op(e) {
                Op::Number(x) => S::number(x),
                Op::Parameter(i) => {
                    let flat: Vec<f64> =
                        self.model.quantities.parameters.iter().flat_map(|p| p.default.clone()).collect();
                    S::number(flat[i as usize])
                }
                Op::Input(i) => S::number(self.inputs[i as usize]),
                Op::Auxiliary(i) => self.states[i as usize],
                Op::Algebraic(i) => self.algebraic[i as usize],
                Op::Time => S::linear(self.time, 1.0),
                Op::Position(m, c) if self.planar() => self.marker(m).0[usize::from(c)],
                Op::Position(m, c) => self.frame(m).0[usize::from(c)],
                Op::Angle(m) => self.marker(m).1,
                Op::Direction(m, axis, c) if !self.planar() => self.frame(m).1[usize::from(axis)][usize::from(c)],
                Op::AngularVelocity(m, c) => {
                    let body = self.model.markers[m.index()].body.expect("ground does not turn");
                    self.spin(body.index())[usize::from(c)]
                }
                Op::Direction(m, axis, c) => {
                    let (sin, cos) = self.marker(m).1.sin_cos();
                    [[cos, sin], [-sin, cos]][usize::from(axis)][usize::from(c)]
                }
                Op::JointCoordinate(j, k) => self.series(self.model.joints[j.index()].coordinates[usize::from(k)].1),
                Op::Basic(..) => unreachable!("nothing here is in natural coordinates"),
                Op::Multiplier(i) => S::number(self.multipliers[i as usize]),
                Op::Reaction(i, c) if self.planar() => S::number(100.0 + f64::from(3 * i + u32::from(c))),
                Op::Reaction(i, c) => S::number(100.0 + f64::from(6 * i + u32::from(c))),
                Op::Rate(a) => values[&a].rate(),
                Op::Called { function, partial, arguments, .. } if partial.arguments == 1 => {
                    let function = &self.model.functions[function.index()];
                    let x = values[&arguments[0]];
                    let given: Vec<f64> =
                        (0..=4).map(|k| function.partial(partial.plus_orders([k, 0, 0, 0]), &[x.value()])).collect();
                    x.compose(&given)
                }
                Op::Called { .. } => panic!("functions of several numbers are tested elsewhere"),
                Op::Unary(Function::Neg, a) => -values[&a],
                Op::Unary(f, a) => values[&a].unary(f),
                Op::Binary(f, a, b) => {
                    let (a, b) = (values[&a], values[&b]);
                    match f {
                        Function2::Add => a + b,
                        Function2::Sub => a - b,
                        Function2::Mul => a * b,
                        Function2::Div => a / b,
                        _ => a.binary(f, b),
                    }
                }
                Op::Select(test, ids) => {
                    let [l, r, t, e] = ids.map(|x| values[&x]);
                    S::select(test, l, r, t, e)
                }
            };
            values.insert(e, value);
        }
        values[&id]
    }

    /// Value of an expression.
    pub fn value(&self, id: ExprId) -> f64 {
        self.series(id).value()
    }

    /// Values of the output `name`.
    pub fn output(&self, name: &str) -> Vec<f64> {
        let output = self.model.outputs.iter().find(|o| o.name == name).expect("the output is declared");
        output.values.iter().map(|x| self.value(*x)).collect()
    }
}

/// Equal up to rounding: 1e-12 for a few dozen operations on numbers of order 10.
pub fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{found:?} is not {expected:?}");
    }
}

/// R v of axes and components.
pub fn turned(axes: Triple<Triple<S>>, v: Triple<S>) -> Triple<S> {
    [0, 1, 2].map(|c| v[0] * axes[0][c] + v[1] * axes[1][c] + v[2] * axes[2][c])
}

/// a × b.
pub fn cross(a: Triple<S>, b: Triple<S>) -> Triple<S> {
    [(1, 2), (2, 0), (0, 1)].map(|(i, k)| a[i] * b[k] - a[k] * b[i])
}
