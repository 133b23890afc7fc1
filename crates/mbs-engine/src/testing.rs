//! Functions that the tests of this crate share.

use mbs_model::Formulation;
use mbs_resolve::resolve;
use mbs_syntax::parse_text;

use crate::Engine;

/// Engine of a text without the checks: it need not assemble, and its rows may be dependent.
pub fn unchecked(text: &str, formulation: Formulation) -> Engine {
    let parsed = parse_text("test", text);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    let mut model = resolve(&parsed.definitions[0]).unwrap_or_else(|e| panic!("{}", parsed.sources.render(e.list())));
    mbs_physics::set_formulation(&mut model, formulation);
    Engine::unchecked(model)
}

/// Asserts that each pair agrees within a tolerance relative to the largest value, or to one.
#[track_caller]
pub fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{i}: {a} and {b}, apart by {:e}", a - b);
    }
}

/// Seeded random numbers in [−1, 1].
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next_number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next_number()).collect()
    }
}
