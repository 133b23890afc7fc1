//! Accelerations with multipliers: generated code against what one writes by hand with nalgebra, in the same run.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench -p mbs-corpus --bench accelerations`, and without the flags.

mod baseline;

use std::hint::black_box;

use baseline::{Baseline, Body, Pin, Spring};
use criterion::{Criterion, criterion_group, criterion_main};
use mbs::nalgebra::SVector;
use mbs::{Mechanism, State, assemble};
use mbs_corpus::{body, joint};

fn four_bar_by_hand() -> Baseline<9, 8> {
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

fn andrews_by_hand() -> Baseline<21, 20> {
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

/// An assembled state.
fn assembled<M: Mechanism>(mechanism: &M) -> State<M> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("the declared pose assembles");
    state
}

macro_rules! group {
    ($c:ident, $name:literal, $module:ident, $type:ident, $hand:expr, $n:literal) => {{
        let mut group = $c.benchmark_group($name);
        let in_body = body::$type::new(body::$module::Params::default()).expect("defaults are valid");
        let in_joint = joint::$type::new(joint::$module::Params::default()).expect("defaults are valid");
        let hand = $hand;
        let (sb, sj) = (assembled(&in_body), assembled(&in_joint));
        let (q, v) = (SVector::<f64, $n>::from(sb.q), SVector::<f64, $n>::from(sb.v));
        let (a, _) = hand.accelerations(&q, &v);
        let ours = in_body.accelerations(0.0, &sb.q, &sb.v, &Default::default(), &[]).expect("regular");
        for (x, y) in a.iter().zip(ours.a) {
            assert!((x - y).abs() <= 1e-9 * a.amax(), "by hand {x}, generated {y}");
        }
        group.bench_function("by_hand", |b| b.iter(|| hand.accelerations(black_box(&q), black_box(&v))));
        group.bench_function("body", |b| {
            b.iter(|| in_body.accelerations(0.0, black_box(&sb.q), black_box(&sb.v), &Default::default(), &[]))
        });
        group.bench_function("body_staged", |b| {
            b.iter(|| {
                let position = in_body.at_position(0.0, black_box(&sb.q));
                let velocity = position.at_velocity(black_box(&sb.v));
                velocity.accelerate(&Default::default(), &[]).map(|m| (m.a, m.lambda))
            })
        });
        group.bench_function("joint", |b| {
            b.iter(|| in_joint.accelerations(0.0, black_box(&sj.q), black_box(&sj.v), &Default::default(), &[]))
        });
        group.bench_function("joint_staged", |b| {
            b.iter(|| {
                let position = in_joint.at_position(0.0, black_box(&sj.q));
                let velocity = position.at_velocity(black_box(&sj.v));
                velocity.accelerate(&Default::default(), &[]).map(|m| (m.a, m.lambda))
            })
        });
        group.finish();
    }};
}

fn accelerations(c: &mut Criterion) {
    group!(c, "four_bar", four_bar, FourBar, four_bar_by_hand(), 9);
    group!(c, "andrews", andrews, Andrews, andrews_by_hand(), 21);
}

criterion_group!(benches, accelerations);
criterion_main!(benches);
