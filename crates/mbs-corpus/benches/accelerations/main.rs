//! Accelerations with multipliers: generated code against what one writes by hand with nalgebra, in the same run.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench -p mbs-corpus --bench accelerations`, and without the flags.

mod baseline;
mod hand;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mbs::nalgebra::SVector;
use mbs::{Mechanism, State, StateView, assemble};
use mbs_corpus::{body, joint};

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
        // What integrators call: results written in place.
        let (_, mut a, mut lambda, ..) = in_body.storage();
        group.bench_function("body_in_place", |b| {
            b.iter(|| {
                let at = StateView { t: 0.0, q: black_box(&sb.q), v: black_box(&sb.v), z: &[], u: &[] };
                Mechanism::accelerations(&in_body, at, black_box(&mut a), black_box(&mut lambda))
            })
        });
        group.finish();
    }};
}

fn accelerations(c: &mut Criterion) {
    group!(c, "four_bar", four_bar, FourBar, hand::four_bar(), 9);
    group!(c, "andrews", andrews, Andrews, hand::andrews(), 21);
}

criterion_group!(benches, accelerations);
criterion_main!(benches);
