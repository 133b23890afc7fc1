//! Checks many mechanisms, each with a separate seed, and shrinks those that fail.

use std::collections::BTreeMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::case::{Failure, Outcome, check};
use crate::description::Description;
use crate::features::Coverage;
use crate::plan::Space;
use crate::strategy::descriptions;

/// Most mechanisms that are checked while one is shrunk, unless another number is given.
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

/// A mechanism that violates a law, and those that are simpler.
pub struct Found {
    /// The mechanism as found.
    pub original: Failure,
    tree: Box<dyn ValueTree<Value = Description>>,
}

/// Checks one mechanism, and counts it.
///
/// # Errors
/// The law it violates.
pub fn run(space: Space, seed: u64, case: u64, summary: &mut Summary) -> Result<(), Found> {
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
        Err(original) => return Err(Found { original, tree: Box::new(tree) }),
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

impl Found {
    /// The smallest mechanism that violates the same law, among at most so many.
    pub fn shrink(mut self, most: usize) -> Failure {
        let mut minimal = self.original.clone();
        let mut steps = 0;
        while steps < most && self.tree.simplify() {
            loop {
                steps += 1;
                match check(&self.tree.current()).1 {
                    Err(failure) if failure.violation.law == minimal.violation.law => {
                        minimal = failure;
                        break;
                    }
                    _ if steps >= most || !self.tree.complicate() => break,
                    _ => {}
                }
            }
        }
        minimal
    }
}
