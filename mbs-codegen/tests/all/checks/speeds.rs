//! Speeds that `initial` values determine.

use mbs_codegen::compile_text;
use mbs_compiler::interp::Fma;
use mbs_core::Mechanism;
use mbs_interp::Interpreted;

/// Two conditions on three speeds that differ by δ d: d itself lies in their span, and is found to κ ≈ 1/δ = 1e6 roundings. With κ² of them it
/// would be off by 1e-4.
#[test]
fn nearly_dependent_conditions_cost_their_condition_number_once() {
    let (a, d) = ([0.6, 0.7, 0.3], [0.2, -0.5, 0.9]);
    let b = [0, 1, 2].map(|i| a[i] + 1e-6 * d[i]);
    let condition = |a: [f64; 3]| {
        let [x, y, z] = a;
        let value: f64 = a.iter().zip(d).map(|(a, d)| a * d).sum();
        format!("initial {x:?} * p.speed + {y:?} * q.speed + {z:?} * r.speed ~ {value:?};")
    };
    let slider = |body: &str, joint: &str| {
        format!("body {body} {{ mass: 1, inertia: 1 }} joint {joint} = prismatic(ground, {body}) {{ axis: [1, 0] }};")
    };
    let sliders = [("a", "p"), ("b", "q"), ("c", "r")].map(|(body, joint)| slider(body, joint)).concat();
    let text = format!("pub planar Sliders {{ {sliders} {} {} }}", condition(a), condition(b));
    let compiled = compile_text("sliders.mbs", &text, Default::default()).unwrap_or_else(|e| panic!("{e}")).remove(0).0;
    let mechanism = Interpreted::new(compiled, Fma::Plain).expect("defaults are inside their domains");
    let mut v = [0.0; 3];
    mechanism.guess(&mut [0.0; 3], &mut v, &mut []);
    for (v, expected) in v.iter().zip(d) {
        assert!((v - expected).abs() < 2e-9, "{v} instead of {expected}");
    }
}
