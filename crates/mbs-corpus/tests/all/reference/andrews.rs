//! Andrews' squeezing mechanism: trajectories, and the 27 published numbers at t = 0.03 s.

use mbs::Describe;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison, RunSample};

const ANGLES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];

/// Order of the published multipliers: E through B, G and H. The published equations have +Jᵀ λ on the left, with rows E via
/// K2 minus E via the other body: the ends of our loop joints are in that order, so that signs agree.
const MULTIPLIERS: [&str; 6] = ["e3.x", "e3.y", "e4.x", "e4.y", "e6.x", "e6.y"];

#[test]
fn andrews_squeezer_squeezes() {
    let case = Case::read("iftomm_a03_andrews");
    let p = |name: &str| case.parameter(name);
    for_both_formulations!(andrews {
        m1: p("m1"), m2: p("m2"), m3: p("m3"), m4: p("m4"), m5: p("m5"), m6: p("m6"), m7: p("m7"),
        i1: p("i1"), i2: p("i2"), i3: p("i3"), i4: p("i4"), i5: p("i5"), i6: p("i6"), i7: p("i7"),
        xa: p("xa"), ya: p("ya"), xb: p("xb"), yb: p("yb"), xc: p("xc"), yc: p("yc"), c0: p("c0"), l0: p("l0"),
        d: p("d"), da: p("da"), e: p("e"), ea: p("ea"), rr: p("rr"), ra: p("ra"), ss: p("ss"), sa: p("sa"), sb: p("sb"),
        sc: p("sc"), sd: p("sd"), ta: p("ta"), tb: p("tb"), u: p("u"), ua: p("ua"), ub: p("ub"), zf: p("zf"), zt: p("zt"),
        fa: p("fa"), mom: p("mom"),
    } => andrews(&case));
}

fn andrews<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    trajectory(coordinates, mechanism, case);
    initial_accelerations(coordinates, mechanism, case);
    published(coordinates, mechanism, case);
}

fn trajectory<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.number_at("accuracy/series_abs"));
    for (i, angle) in ANGLES.iter().enumerate() {
        comparison.compare(angle, exact, &case.series(angle), |at| at.output(angle));
        let rate = format!("d{angle}");
        comparison.compare(&rate, exact, &case.series(&rate), |at| at.output(&format!("rates[{i}]")));
    }
    for (column, output) in [("Fx", "crank_end.x"), ("Fy", "crank_end.y"), ("Dx", "d_point.x"), ("Dy", "d_point.y")] {
        comparison.compare(column, exact, &case.series(column), |at| at.output(output));
    }
    comparison.finish();
}

fn initial_accelerations<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new("iftomm_a03_andrews at 0 s", coordinates, mechanism, &[0.0]);
    compare_dynamics(&mut comparison, "initial", case, ["initial_acceleration", "initial_lambda"]);
    comparison.finish();
}

/// Accelerations and multipliers at one time, each to 1e-12 of the largest of its kind.
fn compare_dynamics(comparison: &mut Comparison, label: &str, case: &Case, keys: [&str; 2]) {
    let [accelerations, multipliers] = keys.map(|key| case.numbers_at(&format!("reference/{key}")));
    let largest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let relative = |list: &[f64]| Accuracy::Absolute(1e-12 * largest(list));
    for (i, value) in accelerations.iter().enumerate() {
        let quantity = format!("{label} accelerations");
        comparison
            .compare(&quantity, relative(&accelerations), &[*value], |at| at.output(&format!("accelerations[{i}]")));
    }
    for (row, value) in MULTIPLIERS.iter().zip(&multipliers) {
        comparison.compare(&format!("{label} multipliers"), relative(&multipliers), &[*value], |at| at.multiplier(row));
    }
}

/// Value i of the published vector: q (7), q̇ (7), q̈ (7), λ (6).
fn unknown(at: RunSample<'_>, i: usize) -> f64 {
    match i {
        0..7 => at.output(ANGLES[i]),
        7..14 => at.output(&format!("rates[{}]", i - 7)),
        14..21 => at.output(&format!("accelerations[{}]", i - 14)),
        _ => at.multiplier(MULTIPLIERS[i - 21]),
    }
}

fn published<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new("iftomm_a03_andrews at 0.03 s", coordinates, mechanism, &[0.03]);
    let (angles, all) = (case.number_at("accuracy/published_rel_angles"), case.number_at("accuracy/published_rel_all"));
    let values = case.numbers_at("reference/published_t003/y");
    assert_eq!(values.len(), 27);
    for (i, value) in values.iter().enumerate() {
        let (quantity, accuracy) = match i {
            0..7 => ("published angles", angles),
            7..14 => ("published rates", all),
            14..21 => ("published accelerations", all),
            _ => ("published multipliers", all),
        };
        comparison.compare(quantity, Accuracy::Relative(accuracy), &[*value], |at| unknown(at, i));
    }
    // Recomputed values are consistent with the series: accurate to 1e-9 in the angles, which is the phase of the crank. Errors of rates,
    // accelerations and multipliers are 1e-9 rad of phase at 1140 rad/s times their derivatives.
    let groups = ["q", "qdot", "qddot", "lam"].map(|key| case.numbers_at(&format!("reference/recomputed_t003/{key}")));
    let exact = case.number_at("accuracy/series_abs");
    for (i, value) in groups.concat().iter().enumerate() {
        let quantity = ["recomputed angles", "recomputed rates", "recomputed accelerations", "recomputed multipliers"];
        comparison.compare(quantity[(i / 7).min(3)], Accuracy::Absolute(exact), &[*value], |at| unknown(at, i));
    }
    comparison.finish();
}
