//! Functions that are made from data, with values that do not come from the code under test: a spline through points of a cubic is that cubic.

use std::f64::consts::{PI, TAU};

use mbs_core::{Beyond, CubicSpline, Ends};
use mbs_expr::{Function, Scalar};

use crate::world::{S, constant};

/// A function made from data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// c₀ + c₁ x + c₂ x² + c₃ x³, by its coefficients.
    Polynomial,
    /// The cubic, as a spline through points.
    Spline,
    /// The cubic, as a spline through points that could be set at run time.
    Settable,
    /// The cubic, as one of the two values of a spline through points.
    Component,
    /// The product of the cubic of x and the cubic of x / 2, through points of a grid.
    Grid,
    /// 0.5 x − 0.3 · 0.7 + 0.2, of two numbers.
    Linear,
    /// 0.8 sin(1.1 x + 0.3).
    Sinusoid,
    /// A smooth step; its third derivative jumps.
    Step,
    /// A harmonic lift; its second derivative jumps.
    Harmonic,
    /// A cycloidal lift; its third derivative jumps.
    Cycloidal,
    /// A lift by powers from the fourth to the seventh; its fourth derivative jumps.
    Seventh,
    /// A periodic spline through points around a circle; its third derivative jumps.
    Wheel,
}

const COEFFICIENTS: [f64; 4] = [0.3, -0.5, 0.1, 0.05];
const POINTS: [f64; 5] = [-2.0, -0.5, 0.25, 1.0, 2.5];
const WHEEL: ([f64; 6], [f64; 6]) = ([-1.0, 0.125, 0.75, 2.0, 3.5, 4.0], [0.5, -0.25, 0.75, 0.25, -0.5, 0.5]);
const STEP: [[f64; 2]; 2] = [[-0.75, 1.5], [0.25, -0.5]];

fn cubic(x: f64) -> [f64; 4] {
    let [a, b, c, d] = COEFFICIENTS;
    [a + x * (b + x * (c + x * d)), b + x * (2.0 * c + x * 3.0 * d), 2.0 * c + 6.0 * d * x, 6.0 * d]
}

impl Made {
    /// All of them.
    pub const ALL: [Made; 12] = [
        Made::Polynomial,
        Made::Spline,
        Made::Settable,
        Made::Component,
        Made::Grid,
        Made::Linear,
        Made::Sinusoid,
        Made::Step,
        Made::Harmonic,
        Made::Cycloidal,
        Made::Seventh,
        Made::Wheel,
    ];

    /// Whether a derivative jumps that some kernel needs.
    pub fn has_kink(self) -> bool {
        matches!(self, Made::Step | Made::Harmonic | Made::Cycloidal | Made::Seventh | Made::Wheel)
    }

    /// Its declaration, and its call.
    pub fn text(self, x: &str) -> (String, String) {
        let values = POINTS.map(|x| cubic(x)[0]);
        let others = POINTS.map(|x| 1.0 - cubic(x)[0]);
        let ends = "{ ends: not_a_knot }";
        let (wheel, turn) = WHEEL;
        let lift =
            |law: &str| (format!("made_{law} = {law}({:?}, {:?})", STEP[0], STEP[1]), format!("made_{law}({x})"));
        match self {
            Made::Polynomial => {
                (format!("made_polynomial = polynomial({COEFFICIENTS:?})"), format!("made_polynomial({x})"))
            }
            Made::Spline => {
                (format!("made_spline = spline({POINTS:?}, {values:?}) {ends}"), format!("made_spline({x})"))
            }
            Made::Settable => (
                format!("made_settable: CubicSpline<5> = spline({POINTS:?}, {values:?}) {ends}"),
                format!("made_settable({x})"),
            ),
            Made::Component => (
                format!("made_pair = spline({POINTS:?}, [{others:?}, {values:?}]) {ends}"),
                format!("made_pair({x})[1]"),
            ),
            Made::Grid => {
                let products = POINTS.map(|x| POINTS.map(|y| cubic(x)[0] * cubic(y)[0]));
                (
                    format!("made_grid = bicubic({POINTS:?}, {POINTS:?}, {products:?}) {ends}"),
                    format!("made_grid({x}, 0.5 * ({x}))"),
                )
            }
            Made::Linear => ("made_linear = linear([0.5, -0.3], 0.2)".into(), format!("made_linear({x}, 0.7)")),
            Made::Sinusoid => ("made_sinusoid = sinusoid(0.8, 1.1, 0.3)".into(), format!("made_sinusoid({x})")),
            Made::Step => lift("step"),
            Made::Harmonic => lift("harmonic"),
            Made::Cycloidal => lift("cycloidal"),
            Made::Seventh => lift("polynomial_4567"),
            Made::Wheel => {
                (format!("made_wheel = spline({wheel:?}, {turn:?}) {{ ends: periodic }}"), format!("made_wheel({x})"))
            }
        }
    }

    /// Name of its feature, for coverage.
    pub fn name(self) -> &'static str {
        match self {
            Made::Polynomial => "function, polynomial",
            Made::Spline => "function, spline",
            Made::Settable => "function, set at run time",
            Made::Component => "function, spline of two values",
            Made::Grid => "function, spline over a grid",
            Made::Linear => "function, linear",
            Made::Sinusoid => "function, sinusoid",
            Made::Step => "function, step",
            Made::Harmonic => "function, harmonic",
            Made::Cycloidal => "function, cycloidal",
            Made::Seventh => "function, polynomial_4567",
            Made::Wheel => "function, periodic spline",
        }
    }

    /// Its value on a motion.
    pub fn value(self, x: S) -> S {
        let padded = |all: [f64; 4]| [all[0], all[1], all[2], all[3], 0.0, 0.0, 0.0, 0.0];
        match self {
            Made::Polynomial | Made::Spline | Made::Settable | Made::Component => x.compose(&padded(cubic(x.value()))),
            Made::Grid => {
                let half = constant(0.5) * x;
                x.compose(&padded(cubic(x.value()))) * half.compose(&padded(cubic(half.value())))
            }
            Made::Linear => constant(0.5) * x + constant(0.2 - 0.3 * 0.7),
            Made::Sinusoid => constant(0.8) * (constant(1.1) * x + constant(0.3)).unary(Function::Sin),
            Made::Step => lifted(x, |s| s * s * s * (constant(10.0) - constant(15.0) * s + constant(6.0) * s * s)),
            Made::Harmonic => lifted(x, |s| {
                let sine = (constant(PI / 2.0) * s).unary(Function::Sin);
                sine * sine
            }),
            Made::Cycloidal => lifted(x, |s| s - constant(1.0 / TAU) * (constant(TAU) * s).unary(Function::Sin)),
            Made::Seventh => lifted(x, |s| {
                let [s2, s4] = [s * s, s * s * s * s];
                constant(35.0) * s4 - constant(84.0) * s4 * s + constant(70.0) * s4 * s2 - constant(20.0) * s4 * s2 * s
            }),
            Made::Wheel => {
                let (at, y) = WHEEL;
                let wheel = CubicSpline::fit(at, [y], Ends::Periodic, Beyond::Cubic).expect("six points that increase");
                x.compose(&padded(wheel.derivatives(x.value())))
            }
        }
    }
}

/// Interpolates from one end of the step to the other; `share` maps the fraction of the run to that of the rise.
fn lifted(x: S, share: impl Fn(S) -> S) -> S {
    let [[x0, x1], [y0, y1]] = STEP;
    let s = (x - constant(x0)) * constant(1.0 / (x1 - x0));
    match s.value() {
        s if s <= 0.0 => constant(y0),
        s if s >= 1.0 => constant(y1),
        _ => constant(y0) + constant(y1 - y0) * share(s),
    }
}
