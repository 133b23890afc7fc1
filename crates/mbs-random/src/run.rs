//! Checks many mechanisms, each with a separate seed, and shrinks those that fail.

use std::collections::BTreeMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::case::{Failure, Outcome, check};
use crate::description::Description;
use crate::features::Coverage;
use crate::plan::Space;
use crate::strategy::descriptions;

/// Most mechanisms checked while shrinking one, unless another number is given.
pub const MOST_SHRINKS: usize = 2000;

/// Summary of the checks of many mechanisms.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of mechanisms checked.
    pub count: usize,
    /// Number of mechanisms that compiler and engine refuse, by code.
    pub refused: BTreeMap<String, usize>,
    /// Largest relative error of each law.
    pub worst: BTreeMap<&'static str, f64>,
    /// Features of mechanisms that were accepted.
    pub coverage: Coverage,
}

impl Summary {
    /// Adds another summary.
    pub fn merge(&mut self, other: &Summary) {
        self.count += other.count;
        for (code, n) in &other.refused {
            *self.refused.entry(code.clone()).or_default() += n;
        }
        for (law, error) in &other.worst {
            let most = self.worst.entry(law).or_insert(0.0);
            *most = error.max(*most);
        }
        self.coverage.merge(&other.coverage);
    }

    /// Mechanisms that compiled.
    pub fn accepted(&self) -> usize {
        self.count - self.refused.values().sum::<usize>()
    }
}

/// A mechanism that violates a law, as found and after shrinking.
#[derive(Clone, Debug)]
pub struct Found {
    /// Number of the case in the run.
    pub case: u64,
    /// As found.
    pub original: Failure,
    /// The smallest that violates the same law.
    pub minimal: Failure,
}

/// Checks one mechanism, and counts it.
///
/// # Errors
/// The law it violates, and the smallest mechanism that violates it.
pub fn run(space: Space, seed: u64, case: u64, most_shrinks: usize, summary: &mut Summary) -> Result<(), Box<Found>> {
    let tree = tree(space, seed, case);
    let (features, result) = check(&tree.current());
    match result {
        Ok(Outcome::Passed(worst)) => {
            summary.coverage.count(&features);
            for (law, error) in worst {
                let most = summary.worst.entry(law).or_insert(0.0);
                *most = error.max(*most);
            }
        }
        Ok(Outcome::Refused(codes)) => *summary.refused.entry(codes.join(" ")).or_default() += 1,
        Err(original) => {
            let minimal = shrink(tree, &original, most_shrinks);
            return Err(Box::new(Found { case, original, minimal }));
        }
    }
    summary.count += 1;
    Ok(())
}

/// The description of a case.
pub fn description(space: Space, seed: u64, case: u64) -> Description {
    tree(space, seed, case).current()
}

/// The description of a case as a value tree that can be shrunk.
fn tree(space: Space, seed: u64, case: u64) -> impl ValueTree<Value = Description> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&case.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    descriptions(space, case).new_tree(&mut runner).expect("no strategy filters")
}

/// The smallest description that violates the same law.
fn shrink(mut tree: impl ValueTree<Value = Description>, found: &Failure, most_shrinks: usize) -> Failure {
    let mut minimal = found.clone();
    let mut steps = 0;
    while steps < most_shrinks && tree.simplify() {
        loop {
            steps += 1;
            match check(&tree.current()).1 {
                Err(failure) if failure.violation.law == found.violation.law => {
                    minimal = failure;
                    break;
                }
                _ if steps >= most_shrinks || !tree.complicate() => break,
                _ => {}
            }
        }
    }
    minimal
}
