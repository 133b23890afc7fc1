//! Forces between all pairs of a set, against an explicit Coulomb's law, in the plane and in space, with ground and without.

use mbs::{Describe, Error, Item, StateView};
use mbs_engine::Engine;

use crate::mechanisms::harness::{FORMULATIONS, compiled_fma, interpret};

const STRENGTH: f64 = 0.4;
const MASSES: [f64; 3] = [0.5, 1.0, 2.0];
const POSITIONS: [[f64; 3]; 3] = [[0.3, 0.1, 0.2], [-0.4, 0.2, 0.0], [0.1, -0.6, -0.3]];

/// Three free particles that repel each other, and ground if it takes part.
fn text(space: &str, with_ground: bool) -> String {
    let set = if with_ground { "[ground, bodies]" } else { "bodies" };
    let particles: String = (0..3).map(|i| format!("particle p{i} {{ mass: {} }}", MASSES[i])).collect();
    format!(
        "pub {space} Charges {{
            {particles}
            for b in bodies {{ joint loose = free(ground, b); }}
            for (a, b) in pairs({set}) {{ potential repel = {STRENGTH} / distance(a, b); }}
        }}"
    )
}

/// Σ k (pᵢ − pⱼ)/r³ / mᵢ, and Σ k/r.
fn expected(dimension: usize, positions: &[Vec<f64>], with_ground: bool) -> (Vec<f64>, f64) {
    let mut all = positions.to_vec();
    if with_ground {
        all.push(vec![0.0; dimension]);
    }
    let (mut a, mut energy) = (Vec::new(), 0.0);
    for i in 0..all.len() {
        let mut sum = vec![0.0; dimension];
        for j in (0..all.len()).filter(|j| *j != i) {
            let d: Vec<f64> = all[i].iter().zip(&all[j]).map(|(x, y)| x - y).collect();
            let r = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            sum.iter_mut().zip(&d).for_each(|(sum, x)| *sum += STRENGTH * x / r.powi(3));
            energy += STRENGTH / r / 2.0;
        }
        if i < 3 {
            a.extend(sum.iter().map(|f| f / MASSES[i]));
        }
    }
    (a, energy)
}

fn judge<M: Describe>(label: &str, mechanism: &M, dimension: usize, with_ground: bool) {
    let positions: Vec<Vec<f64>> = POSITIONS.iter().map(|p| p[..dimension].to_vec()).collect();
    let (q, v) = (positions.concat(), vec![0.0; 3 * dimension]);
    let (mut a, at) = (vec![0.0; 3 * dimension], StateView::new(0.0, &q, &v));
    mechanism.accelerations(at, &mut a, &mut []).unwrap_or_else(|error| panic!("{label}: {error}"));
    let (forces, energy) = expected(dimension, &positions, with_ground);
    // 1e-13 of accelerations up to 10: a few roundings.
    assert!(a.iter().zip(&forces).all(|(x, y)| (x - y).abs() <= 1e-12), "{label}: {a:?}, not {forces:?}");
    assert!((mechanism.energy(at).potential - energy).abs() <= 1e-13, "{label}: {energy} J");
    // Each force has its name.
    let names: Vec<&str> = (0..6).map(|i| mechanism.name(Item::Force(i))).collect();
    let first = if with_ground { "repel[ground,p0]" } else { "repel[p0,p1]" };
    assert_eq!(names[0], first, "{label}: {names:?}");
    // Two particles at one point have no finite force.
    let mut together = q.clone();
    together.copy_within(0..dimension, dimension);
    let error = mechanism.accelerations(StateView::new(0.5, &together, &v), &mut a, &mut []).expect_err("1/0");
    assert_eq!(error, Error::NotFinite { t: 0.5 }, "{label}");
}

#[test]
fn pairs_repel_by_coulombs_law() {
    for (space, dimension) in [("planar", 2), ("spatial", 3)] {
        for with_ground in [false, true] {
            let text = text(space, with_ground);
            for formulation in FORMULATIONS {
                let label = format!("{space} {formulation:?}, ground {with_ground}");
                let interpreted = interpret(&label, &text, Some(formulation), compiled_fma());
                judge(&label, &interpreted, dimension, with_ground);
                let engine = Engine::options().formulation(formulation).text(&text).expect("it compiles");
                judge(&format!("{label}, engine"), &engine, dimension, with_ground);
            }
        }
    }
}
