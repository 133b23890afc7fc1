//! Random mechanisms contain every kind of joint and force of the catalogue.

use std::collections::BTreeMap;

use mbs_model::catalog::{self, Kind};
use mbs_random::catalogued::{RELATIONS, kinds, undrawn};
use mbs_random::plan::Space;
use mbs_random::print::print;
use mbs_random::realize::realize;
use mbs_random::run::description;

/// Most mechanisms that are printed; they are not checked.
const COUNT: u64 = 800;
/// Least number of mechanisms with each kind.
const LEAST: usize = 5;
const SEED: u64 = 5;

/// Draws mechanisms until each of these features is in [`LEAST`] of them, and returns the numbers of mechanisms with each feature.
fn draw_until_all_occur(space: Space, features: &[String]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for case in 0..COUNT {
        let printed = print(&realize(&description(space, SEED, case)).plan);
        for feature in printed.features.list() {
            *counts.entry(feature.to_owned()).or_default() += 1;
        }
        if features.iter().all(|feature| counts.get(feature).is_some_and(|n| *n >= LEAST)) {
            break;
        }
    }
    counts
}

#[test]
fn every_kind_of_the_catalogue_is_drawn() {
    for space in [Space::Planar, Space::Spatial] {
        let names = |category: &'static str, kinds: &[Kind]| {
            kinds.iter().map(|kind| format!("{category} {}", kind.name)).collect::<Vec<_>>()
        };
        let kinds = [names("joint", catalog::joints(space)), names("force", catalog::forces(space))].concat();
        let counts = draw_until_all_occur(space, &kinds);
        for kind in kinds {
            let count = counts.get(&kind).copied().unwrap_or_default();
            assert!(count >= LEAST, "{space:?}: {kind} is in {count} of {COUNT} mechanisms");
        }
    }
}

/// A kind whose rows are not those of steps needs an entry in [`RELATIONS`].
#[test]
fn steps_of_every_kind_are_known() {
    for space in [Space::Planar, Space::Spatial] {
        assert_eq!(undrawn(space), [], "{space:?}");
        for (_, name, ..) in RELATIONS.iter().filter(|relation| relation.0 == space) {
            assert!(kinds(space).iter().any(|kind| kind.name() == *name), "{space:?} has no `{name}`");
        }
    }
}
