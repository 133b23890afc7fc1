//! Runs through whole revolutions stay on one branch, on coarse grids too.

use std::f64::consts::TAU;

use mbs::Kinematics;

use crate::analysis::mechanisms::{FourBar, for_each_formulation, wrapped};

/// Runs of two revolutions, each of a second, on grids of 5° to 30°, and one with a row per 100°.
fn assert_keeps_branch(linkage: &FourBar) {
    for_each_formulation(&linkage.text(), |engine| {
        for degrees in [5.0, 10.0, 15.0, 30.0, 100.0] {
            let count = 1 + (720.0 / degrees) as usize;
            let end = (count - 1) as f64 * degrees / 360.0;
            let recording = Kinematics::new(engine).grid(0.0, end, count).run().unwrap_or_else(|e| panic!("{e}"));
            println!("{degrees}°: {:?}", recording.statistics());
            for (t, psi) in recording.times().iter().zip(recording.output("rocker_angle").unwrap()) {
                let pose = linkage.pose(linkage.start + TAU * t);
                let miss = wrapped(psi - pose.rocker[0]).abs();
                assert!(miss < 1e-10, "{degrees}° at t = {t}: {psi} is not {:?}, misses by {miss:e}", pose.rocker);
            }
        }
    });
}

#[test]
fn crank_rocker_keeps_its_branch() {
    assert_keeps_branch(&FourBar::CRANK_ROCKER);
}

#[test]
fn nearly_change_point_linkages_keep_their_branch() {
    // A length is 0.3 mm or 0.1 mm from a change-point linkage: the branches pass each other at a few degrees.
    assert_keeps_branch(&FourBar { ground: 0.3, crank: 0.1, coupler: 0.3, rocker: 0.1003, start: 1.0 });
    assert_keeps_branch(&FourBar { ground: 0.2999, crank: 0.1, coupler: 0.35, rocker: 0.1502, start: 1.0 });
}

#[test]
fn drag_link_keeps_its_branch() {
    assert_keeps_branch(&FourBar { ground: 0.1, crank: 0.25, coupler: 0.2, rocker: 0.3, start: 1.0 });
}

/// Random linkages whose crank rotates fully, some close to change-point linkages, on random grids.
#[test]
fn many_linkages_keep_their_branches() {
    let mut seed = 1_u64;
    let mut number = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for case in 0..32 {
        // s + l + margin = p + q with the crank or the ground the shortest.
        let margin = 10_f64.powf(number(-4.0, -1.0));
        let (s, p) = (number(0.1, 0.3), number(0.4, 0.8));
        let q = number(p - 0.2, p + 0.2).max(s + margin);
        let l = p + q - s - margin;
        let (ground, crank) = if case % 2 == 0 { (p, s) } else { (s, p) };
        let (coupler, rocker) = if case % 4 < 2 { (q, l) } else { (l, q) };
        let linkage = FourBar { ground, crank, coupler, rocker, start: number(0.5, 2.5) };
        let degrees = number(5.0, 60.0);
        println!("case {case}, margin {margin:.1e}, every {degrees}°, lengths {ground} {crank} {coupler} {rocker}");
        for_each_formulation(&linkage.text(), |engine| {
            let times: Vec<f64> = (0..).map(|k| k as f64 * degrees / 360.0).take_while(|t| *t < 2.0).collect();
            let recording = Kinematics::new(engine).at(&times).run().unwrap_or_else(|e| panic!("{e}"));
            println!("{:?}", recording.statistics());
            for (t, psi) in recording.times().iter().zip(recording.output("rocker_angle").unwrap()) {
                let miss = wrapped(psi - linkage.pose(linkage.start + TAU * t).rocker[0]).abs();
                // Angles are round-off divided by the sine of the transmission angle, of the size of √margin.
                assert!(miss < 1e-9, "at t = {t}: misses by {miss:e}");
            }
        });
    }
}
