//! Steps allocate nothing, as a counting allocator around that of the system shows.
#![allow(unsafe_code, missing_docs)]

mod models;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use mbs_core::*;
use models::bead::Bead;
use models::links::{Links, Strike};
use models::oscillator::Oscillator;
use models::particle::{Particle, Spec};
use models::pendulum::Pendulum;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Number of allocations of this thread during `work`.
fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

fn assert_no_allocation<M: Mechanism>(m: &M, mut stepper: impl Stepper<M>) {
    let mut state = State::new(m);
    let made = allocations(|| stepper.advance_to(m, &mut state, 1.0, &mut zero_inputs).unwrap());
    assert_eq!(made, 0, "{}", core::any::type_name_of_val(&stepper));
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(core::hint::black_box(vec![1.0; 10]))), 1);
}

#[test]
fn no_method_allocates() {
    let pendulum = Pendulum::default();
    assert_no_allocation(&pendulum, ExplicitEuler::new(&pendulum, 0.01));
    assert_no_allocation(&pendulum, SemiImplicitEuler::new(&pendulum, 0.01));
    assert_no_allocation(&pendulum, Rk2::new(&pendulum, 0.01));
    assert_no_allocation(&pendulum, Rk3::new(&pendulum, 0.01));
    assert_no_allocation(&pendulum, Rk4::new(&pendulum, 0.01));
    assert_no_allocation(&pendulum, DormandPrince::new(&pendulum));
    assert_no_allocation(&Oscillator, DormandPrince::new(&Oscillator));
    assert_no_allocation(&pendulum, ImplicitMidpoint::without_derivatives(&pendulum, 0.01));
    assert_no_allocation(&Oscillator, ImplicitMidpoint::without_derivatives(&Oscillator, 0.01));
    assert_no_allocation(&Oscillator, ImplicitMidpoint::new(&Oscillator, 0.01));
    assert_no_allocation(&Oscillator, Gauss4::new(&Oscillator, 0.01));
    assert_no_allocation(&Oscillator, Gauss6::new(&Oscillator, 0.01));
    assert_no_allocation(&pendulum, Gauss4::without_derivatives(&pendulum, 0.01));
    assert_no_allocation(&Oscillator, GeneralizedAlpha::new(&Oscillator, 0.01, 0.8));
    assert_no_allocation(&pendulum, GeneralizedAlpha::without_derivatives(&pendulum, 0.01, 0.8));
    assert_no_allocation(&pendulum, Zhong06::without_derivatives(&pendulum, 0.01));
    assert_no_allocation(&Oscillator, Zhong06::without_derivatives(&Oscillator, 0.01));
    let projection = Stabilization::Projection;
    assert_no_allocation(&pendulum, Gauss6::without_derivatives(&pendulum, 0.01).with_stabilization(projection));
    let baumgarte = Stabilization::Baumgarte { alpha: 5.0, beta: 5.0 };
    assert_no_allocation(&pendulum, Rk4::new(&pendulum, 0.01).with_stabilization(baumgarte));
}

#[test]
fn dense_output_does_not_allocate() {
    let m = Pendulum::default();
    let (mut state, mut stepper) = (State::new(&m), DormandPrince::new(&m));
    stepper.step(&m, &mut state, &mut zero_inputs, 0.05).unwrap();
    assert_eq!(allocations(|| stepper.interpolate(&m, 0.02, &mut state).unwrap()), 0);
}

#[test]
fn tracking_a_motion_does_not_allocate() {
    let m = Bead { omega: 2.0 };
    let (mut state, mut work) = (State::new(&m), [0.0; 16]);
    let made = allocations(|| {
        let mut tracker = Tracker::new(&m, &mut work);
        tracker.start(&m, &mut state, &mut zero_inputs).unwrap();
        tracker.advance_to(&m, &mut state, 0.3, &mut zero_inputs).unwrap();
    });
    assert_eq!(made, 0);
}

#[test]
fn discrete_steps_and_their_derivatives_do_not_allocate() {
    let m = Oscillator;
    let (x, mut next, mut a, mut b) = (State::new(&m), State::new(&m), [0.0; 9], [0.0; 3]);
    for scheme in Scheme::ALL {
        let mut work = Discrete::new(&m, scheme, 0.1);
        let made = allocations(|| {
            work.step(&m, &x, &[0.3], &mut next).unwrap();
            work.linearize(&m, &x, &[0.3], &mut next, &mut a, &mut b).unwrap();
        });
        assert_eq!(made, 0, "{scheme:?}");
    }
    let mut work = Linearization::new(&m);
    assert_eq!(allocations(|| error_jacobian(&m, x.view(&[0.3]), &mut work, &mut a, &mut b).unwrap()), 0);
    assert_eq!(allocations(|| next.displace(&m, &[0.1; 3]).unwrap()), 0);
    assert_eq!(allocations(|| next.displacement(&m, &x, &mut b).unwrap()), 0);
}

#[test]
fn events_do_not_allocate() {
    fn assert_no_allocation<M: Eventful>(m: &M, mut stepper: impl Stepper<M>, least: usize) {
        let (mut state, mut events, mut count) = (State::new(m), Events::new(m), 0);
        let then = &mut |_: usize, _: &State<M>| count += 1;
        let made = allocations(|| {
            events.advance_to(m, &mut stepper, &mut state, 2.0, &mut zero_inputs, then).unwrap();
            events.settle(m, &mut state, 0).unwrap();
        });
        assert!(made == 0 && count >= least, "{made} allocations in {count} events");
    }
    let ball = Particle::falling(1.0)
        .discrete(&[0.0])
        .bouncing(0.8)
        .on(Spec::new(Trigger::Crosses, |at: StateView| at.v[0]))
        .on(Spec::new(Trigger::Every, |_| 0.1).assigns((0, 0), |at, z, _| z[0] = at.t));
    assert_no_allocation(&ball, DormandPrince::new(&ball), 20);
    assert_no_allocation(&ball, Rk4::new(&ball, 0.05), 20);
    let strike = Strike::Bounce { restitution: 0.5, more: 0.0 };
    let links = Links { angles: [0.9, 0.4], rates: [0.3, -0.5], strike };
    assert_no_allocation(&links, DormandPrince::new(&links), 1);
    assert_no_allocation(&links, ImplicitMidpoint::without_derivatives(&links, 0.02), 1);
    assert_no_allocation(&links, Gauss4::without_derivatives(&links, 0.02), 1);
    assert_no_allocation(&links, GeneralizedAlpha::without_derivatives(&links, 0.02, 0.8), 1);
}
