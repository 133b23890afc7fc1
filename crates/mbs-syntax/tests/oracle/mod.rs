//! A tiny evaluator of resolved expressions, for tests: bodies move as given functions of time, nothing is solved.

#![allow(dead_code)] // not every test uses every function

use std::collections::HashMap;

use mbs_model::{BodyKind, ExprId, Function, Function2, MarkerId, Model, Op, Scalar, Series, resolve};
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

/// Motion of everything near one moment.
pub struct Oracle<'m> {
    pub model: &'m Model,
    pub time: f64,
    /// x, y, θ of each body.
    pub poses: Vec<[S; 3]>,
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
        let rows = model.rows().len();
        Oracle {
            model,
            time: 0.25,
            poses: (0..model.bodies.len()).map(pose).collect(),
            multipliers: (0..rows).map(|i| 10.0 + i as f64).collect(),
            inputs: vec![3.0; Model::flat_size(&model.inputs)],
            states: vec![some(2.0, 0.5, 0.0); 8],
            algebraic: vec![some(0.2, 0.1, 0.0); Model::flat_size(&model.algebraic)],
        }
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

    /// An expression with its derivatives.
    pub fn series(&self, id: ExprId) -> S {
        let mut values: HashMap<ExprId, S> = HashMap::new();
        for e in self.model.exprs.below(id) {
            let value = match self.model.exprs.op(e) {
                Op::Number(x) => S::number(x),
                Op::Parameter(i) => {
                    let flat: Vec<f64> = self.model.parameters.iter().flat_map(|p| p.default.clone()).collect();
                    S::number(flat[i as usize])
                }
                Op::Input(i) => S::number(self.inputs[i as usize]),
                Op::Auxiliary(i) => self.states[i as usize],
                Op::Algebraic(i) => self.algebraic[i as usize],
                Op::Time => S::linear(self.time, 1.0),
                Op::Position(m, c) => self.marker(m).0[usize::from(c)],
                Op::Angle(m) => self.marker(m).1,
                Op::Direction(m, axis, c) => {
                    let (sin, cos) = self.marker(m).1.sin_cos();
                    [[cos, sin], [-sin, cos]][usize::from(axis)][usize::from(c)]
                }
                Op::JointCoordinate(j, k) => self.series(self.model.joints[j.index()].coordinates[usize::from(k)].1),
                Op::Multiplier(i) => S::number(self.multipliers[i as usize]),
                Op::Reaction(i, c) => S::number(100.0 + f64::from(3 * i + u32::from(c))),
                Op::Rate(a) => values[&a].rate(),
                Op::Opaque { function, derivative, argument } => {
                    let function = &self.model.functions[function.index()];
                    let given = function.evaluate(values[&argument].value());
                    values[&argument].compose(&given[usize::from(derivative)..])
                }
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
