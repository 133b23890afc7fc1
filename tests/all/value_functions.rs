//! Functions that are values of types of the program, such as tables and models among the parameters: in generated code, in the interpreter and
//! in the engine.

use mbs::engine::{Engine, Failure};
use mbs::{Mechanism, Opaque, StateView, mechanism};
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;

/// A polynomial of any degree, with coefficients of ascending powers.
#[derive(Clone, Debug, Default)]
pub struct Fitted(Vec<f64>);

impl Fitted {
    /// The kth derivative at x.
    fn derivative(&self, k: usize, x: f64) -> f64 {
        let factor = |i: usize| (0..k).map(|j| (i - j) as f64).product::<f64>();
        let terms = self.0.iter().enumerate().skip(k);
        terms.map(|(i, c)| factor(i) * c * x.powi((i - k) as i32)).sum()
    }
}

impl<const R: usize> Opaque<1, R> for Fitted {
    fn evaluate(&self, [x]: [f64; 1]) -> [[f64; R]; 1] {
        [std::array::from_fn(|k| self.derivative(k, x))]
    }
}

/// k (x y, x − y).
#[derive(Clone, Copy, Debug, Default)]
pub struct Field(f64);

impl Opaque<2, 3, 2> for Field {
    fn evaluate(&self, [x, y]: [f64; 2]) -> [[f64; 3]; 2] {
        let k = self.0;
        [[k * x * y, k * y, k * x], [k * (x - y), k, -k]]
    }
}

macro_rules! declared {
    ($use:ident, $gas:tt, $wind:tt) => {
        $use! {
            pub planar Cylinder {
                gravity: [0, -9.81];
                /// Force of the gas [N].
                function gas: opaque $gas;
                function wind(x, y): [2] opaque $wind;
                function lift: opaque $gas;
                param scale = 2;
                body piston { mass: 0.4, inertia: 1e-3 }
                particle leaf { mass: 0.1, position: [0.2, 0.1] }
                joint rail = prismatic(ground, piston) { axis: [1, 0] };
                joint air = free(ground, leaf);
                force pressure = mobility(rail) { value: scale * gas(rail.position) };
                force gust = point_force(leaf) { force: wind(position(leaf).x, position(leaf).y) };
                drive raise = position(leaf).y == lift(t);
                output pressed = gas(rail.position);
                output blown = norm(wind(position(leaf).x, 1));
            }
        }
    };
}

macro_rules! text {
    ($($declaration:tt)*) => { stringify!($($declaration)*) };
}

declared!(mechanism, (2, Fitted), (1, Field));

fn gas() -> Fitted {
    Fitted(vec![3.0, -2.0, 0.5, 0.25])
}

fn lift() -> Fitted {
    Fitted(vec![0.1, 0.3, -0.2])
}

fn params() -> cylinder::Params {
    cylinder::Params { gas: gas(), wind: Field(1.5), lift: lift(), ..Default::default() }
}

const STATE: ([f64; 3], [f64; 3]) = ([0.4, 0.2, 0.1], [0.5, -0.3, 0.3]);

/// Accelerations and outputs.
fn readings<M: Mechanism>(mechanism: &M) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let (q, v) = STATE;
    let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] };
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    mechanism.accelerations(at, &mut a, &mut lambda).expect("regular");
    mechanism.outputs(at, &a, &lambda, &mut outputs);
    [a, lambda, outputs].concat()
}

fn assert_close(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (got, expected) in got.iter().zip(expected) {
        // A dozen roundings of numbers up to ten.
        assert!((got - expected).abs() <= 1e-13, "{got}, not {expected}");
    }
}

/// Results by hand: the piston with twice the gas force, the leaf in the field and with an additional −0.4 m/s².
fn expected() -> Vec<f64> {
    let pressed = 3.0 - 2.0 * 0.4 + 0.5 * 0.16 + 0.25 * 0.064;
    let (field, height) = (1.5, 0.1);
    let push = [field * 0.2 * height, field * (0.2 - height)];
    let blown = [field * 0.2, field * (0.2 - 1.0)];
    let multiplier = push[1] - 0.1 * 9.81 + 0.1 * 0.4;
    vec![2.0 * pressed / 0.4, push[0] / 0.1, -0.4, multiplier, pressed, blown[0].hypot(blown[1])]
}

#[test]
fn generated_code_calls_the_values_among_the_parameters() {
    let mut cylinder = Cylinder::new(params()).expect("valid");
    assert_close(&readings(&cylinder), &expected());
    // Other values are set like parameters.
    cylinder.set_params(cylinder::Params { gas: Fitted(vec![0.0]), ..params() }).expect("valid");
    assert_eq!(readings(&cylinder)[0], 0.0);
    assert_eq!(cylinder.params().gas.0, [0.0]);
    let copy = cylinder.clone();
    assert_eq!(readings(&copy), readings(&cylinder));
}

#[test]
fn the_interpreter_and_the_engine_call_values_that_are_bound() {
    let text = declared!(text, (2, Fitted), (1, Field));
    let mut compiled = mbs_codegen::compile_text("cylinder.mbs", text, Options::default()).expect("valid").remove(0).0;
    compiled.model.bind_value::<1, 3, 1>("gas", gas()).expect("declared");
    compiled.model.bind_value("wind", Field(1.5)).expect("declared");
    compiled.model.bind_value::<1, 3, 1>("lift", lift()).expect("declared");
    assert_close(&readings(&Interpreted::new(compiled, Fma::Plain).expect("bound")), &expected());
    for text in [text, declared!(text, (2), (1))] {
        let engine = Engine::options()
            .function_value::<1, 3, 1>("gas", gas())
            .function_value("wind", Field(1.5))
            .function_value::<1, 3, 1>("lift", lift())
            .text(text)
            .expect("valid");
        assert_close(&readings(&engine), &expected());
    }
}

#[test]
fn a_value_with_other_results_is_not_bound() {
    let text = declared!(text, (2, Fitted), (1, Field));
    let options = Engine::options().function_value::<1, 2, 1>("gas", gas());
    let Err(Failure::Function(error)) = options.text(text) else { panic!("it gives one derivative too few") };
    assert_eq!(error.to_string(), "`gas` is an `Opaque<1, 3, 1>`, not an `Opaque<1, 2, 1>`");
}

#[test]
fn too_few_derivatives_are_reported_with_the_kernel_that_needs_them() {
    let text = declared!(text, (1, Fitted), (1, Field));
    let failure = mbs_codegen::compile_text("cylinder.mbs", text, Options::default()).err().expect("γ takes two");
    let message = failure.to_string();
    assert!(message.contains("[MBS067] `lift` gives 1 derivative, `accelerations` needs a second"), "{message}");
    assert!(message.contains("write `function lift: opaque(2, Fitted);`"), "{message}");
}
