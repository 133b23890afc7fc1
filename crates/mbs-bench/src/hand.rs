//! The mechanisms that are also computed by hand.

use std::hint::black_box;

use mbs::nalgebra::SVector;
use mbs_corpus::body;
use mbs_model::Formulation;

use crate::baseline::{Baseline, Body, Pin, Spring};
use crate::candidate::{Candidate, Method, Start};

/// The code by hand for a mechanism, in body coordinates, and its accelerations.
pub fn candidate(name: &str, formulation: Formulation, start: &Start) -> Option<(Candidate, Vec<f64>)> {
    match (name, formulation) {
        ("four_bar", Formulation::Body) => Some(run(four_bar(), start)),
        ("andrews", Formulation::Body) => Some(run(andrews(), start)),
        _ => None,
    }
}

fn run<const N: usize, const C: usize>(baseline: Baseline<N, C>, start: &Start) -> (Candidate, Vec<f64>) {
    let (q, v) = (SVector::<f64, N>::from_column_slice(&start.q), SVector::<f64, N>::from_column_slice(&start.v));
    let a = baseline.accelerations(&q, &v).0.as_slice().to_vec();
    let call = move || {
        black_box(baseline.accelerations(black_box(&q), black_box(&v)));
    };
    (Candidate::new(Method::Hand, call), a)
}

/// The four-bar of `mechanisms/four_bar.mbs` at its default parameters.
fn four_bar() -> Baseline<9, 8> {
    let p = body::four_bar::Params::default();
    let bar = |mass: f64, inertia: f64, length: f64| Body { mass, inertia, com: [length / 2.0, 0.0] };
    let pin = |first, second| Pin { first, second };
    Baseline {
        bodies: vec![
            bar(p.crank_mass, p.crank_inertia, p.crank_length),
            bar(p.coupler_mass, p.coupler_inertia, p.coupler_length),
            bar(p.rocker_mass, p.rocker_inertia, p.rocker_length),
        ],
        pins: vec![
            pin((None, [0.0, 0.0]), (Some(0), [0.0, 0.0])),
            pin((Some(0), [p.crank_length, 0.0]), (Some(1), [0.0, 0.0])),
            pin((Some(1), [p.coupler_length, 0.0]), (Some(2), [p.rocker_length, 0.0])),
            pin((None, [p.ground_length, 0.0]), (Some(2), [0.0, 0.0])),
        ],
        gravity: p.g,
        torque: 0.0,
        spring: None,
    }
}

/// Andrews' mechanism of `mechanisms/andrews.mbs` at its default parameters.
fn andrews() -> Baseline<21, 20> {
    let p = body::andrews::Params::default();
    let make = |mass, inertia, com| Body { mass, inertia, com };
    let pin = |first, second| Pin { first, second };
    let o = [0.0, 0.0];
    Baseline {
        bodies: vec![
            make(p.m1, p.i1, [p.ra, 0.0]),
            make(p.m2, p.i2, [-p.da, 0.0]),
            make(p.m3, p.i3, [p.sb, -p.sa]),
            make(p.m4, p.i4, [0.0, -(p.e - p.ea)]),
            make(p.m5, p.i5, [p.ta, p.tb]),
            make(p.m6, p.i6, [p.zf - p.fa, 0.0]),
            make(p.m7, p.i7, [p.ub, -p.ua]),
        ],
        pins: vec![
            pin((None, o), (Some(0), o)),
            pin((Some(0), [p.rr, 0.0]), (Some(1), o)),
            pin((None, [p.xb, p.yb]), (Some(2), o)),
            pin((None, [p.xa, p.ya]), (Some(4), o)),
            pin((None, [p.xa, p.ya]), (Some(6), o)),
            pin((Some(4), [p.zt, 0.0]), (Some(3), o)),
            pin((Some(6), [0.0, -p.u]), (Some(5), o)),
            pin((Some(1), [-p.d, 0.0]), (Some(2), [0.0, -p.ss])),
            pin((Some(1), [-p.d, 0.0]), (Some(3), [0.0, -p.e])),
            pin((Some(1), [-p.d, 0.0]), (Some(5), [p.zf, 0.0])),
        ],
        gravity: 0.0,
        torque: p.mom,
        spring: Some(Spring { anchor: [p.xc, p.yc], end: (2, [p.sd, -p.sc]), stiffness: p.c0, free_length: p.l0 }),
    }
}
