//! Checks that the bench `robots` times the right code: all candidates agree.

use mbs::Differentiable;
use mbs_bench::robots::tasks;
use mbs_bench::satellite::{ByHand, STATES, VARIABLES, generated, state, view};

/// Creating tasks compares generated code with the engine's recursions: values at 1e-9, derivatives with differences at 1e-4.
#[test]
fn robots_move_by_the_recursions_of_the_engine() {
    let tasks = tasks(&|_| true);
    let names: Vec<String> = tasks.iter().map(|task| task.name()).collect();
    assert_eq!(names.len(), if cfg!(largest) { 11 } else { 6 }, "{names:?}");
    for mut task in tasks {
        assert_eq!(task.candidates.len(), 2, "{}", task.name());
        task.candidates.iter_mut().for_each(|candidate| assert!(!candidate.time(1).is_zero()));
    }
}

/// 1e-12: some 100 operations on numbers of order one, J⁻¹ about one.
#[test]
fn the_jacobian_of_the_satellite_is_that_of_jets() {
    let x = state();
    let [mut found, mut expected] = [[0.0; STATES * VARIABLES]; 2];
    generated().state_jacobian(view(&x), &mut found).expect("a free body moves");
    ByHand::new().jacobian(&x, &mut expected);
    for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let (row, column) = (k / VARIABLES, k % VARIABLES);
        assert!((found - expected).abs() <= 1e-12, "∂{row}/∂{column}: {found}, by jets {expected}");
    }
    assert!(expected.iter().filter(|derivative| **derivative != 0.0).count() > 60);
}
