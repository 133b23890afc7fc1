//! Steps of compiled mechanisms allocate nothing: a counting allocator around the system's.
#![allow(unsafe_code, missing_docs)] // an allocator is unsafe to implement

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use mbs::{
    DormandPrince, Gauss4, Gauss6, GeneralizedAlpha, ImplicitMidpoint, Mechanism, Rk4, State, StateView, Stepper,
    Zhong06, assemble, zero_inputs,
};

mod natural {
    mbs::mechanism! {
        /// Bars that share their pins.
        pub planar Bars {
            gravity: [0, -9.81];
            coordinates: natural;
            kernels: [forward, kinematics, energies, outputs, steps, momenta];
            body a { mass: 0.2, inertia: 2e-4, com: [0.05, 0], angle: 1.0 }
            body b { mass: 0.7, inertia: 7e-3, com: [0.175, 0], angle: -1.12 }
            body c { mass: 0.5, inertia: 3e-3, com: [0.125, 0], angle: 4.32 }
            joint first  = revolute(ground, a);
            joint second = revolute(a at [0.1, 0], b);
            joint third  = revolute(b at [0.35, 0], c at [0.25, 0]);
            joint fourth = revolute(ground at [0.3, 0], c);
            initial first.rate = 10;
        }

        /// A top on its tip.
        pub spatial Top {
            gravity: [0, 0, -9.81];
            coordinates: natural;
            kernels: [forward, kinematics, energies, outputs, steps, momenta];
            body top { mass: 1, inertia: [0.02, 0.02, 0.01], com: [0, 0, 0.3], angular_velocity: [0.1, 0.3, 40] }
            joint tip = spherical(ground, top);
        }
    }
}

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

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Asserts that no part of a simulation allocates: creation of work space, assembly, steps of both kinds, with projection and with inputs.
fn assert_silent<M: Mechanism>(name: &str, mechanism: &M) {
    let mut steps = 0;
    let made = allocations(|| {
        let mut state = State::new(mechanism);
        assemble(mechanism, &mut state).unwrap();
        let mut law = |at: StateView, u: &mut [f64]| u.fill(0.1 * at.t.sin());
        let mut rk4 = Rk4::new(mechanism, 1e-3);
        rk4.advance_to(mechanism, &mut state, 0.02, &mut law).unwrap();
        let mut adaptive = DormandPrince::new(mechanism);
        adaptive.advance_to(mechanism, &mut state, 0.03, &mut law).unwrap();
        let end = state.t;
        adaptive.interpolate(mechanism, end, &mut state).unwrap();
        steps = rk4.statistics().accepted + adaptive.statistics().accepted;
    });
    assert!(steps > 20, "{name}: {steps} steps");
    assert_eq!(made, 0, "{name}");
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0; 10]))), 1);
}

/// A function that is set at run time changes the motion from one step to the next, without allocations.
#[test]
fn setting_a_function_between_steps_allocates_nothing() {
    use mbs_corpus::joint::{QuarterCar, quarter_car};
    let mut car = QuarterCar::new(quarter_car::Params::default()).unwrap();
    let x = [0.0, 4.0, 5.0, 5.5, 6.0, 7.0, 10.0, 14.0];
    let made = allocations(|| {
        let mut state = State::new(&car);
        assemble(&car, &mut state).unwrap();
        let mut before = f64::NAN;
        for k in 0..20 {
            let road = mbs::CubicSpline::new(x, [0.001 * f64::from(k); 8]).unwrap();
            car.set_params(quarter_car::Params { road, ..*car.params() }).unwrap();
            let mut rk4 = Rk4::new(&car, 1e-3);
            rk4.advance_to(&car, &mut state, 1e-3 * f64::from(k + 1), &mut mbs::zero_inputs).unwrap();
            let mut outputs = [0.0; 4];
            car.outputs(state.view(&[]), &[0.0; 2], &[], &mut outputs);
            assert!(outputs[2] != before, "the road rises");
            before = outputs[2];
        }
    });
    assert_eq!(made, 0);
    assert_eq!(car.params().road.value(3.0), 0.019);
    let default = quarter_car::Params::default();
    // Values are an array; the functions stay the declared ones.
    assert_eq!(quarter_car::Params::from_array(&default.to_array()), default);
}

#[test]
fn compiled_mechanisms_never_allocate() {
    macro_rules! silent {
        ($($type:ident)*) => { $(
            assert_silent(concat!("body ", stringify!($type)), &mbs_corpus::body::$type::new(Default::default()).unwrap());
            assert_silent(concat!("joint ", stringify!($type)), &mbs_corpus::joint::$type::new(Default::default()).unwrap());
        )* };
    }
    silent!(FourBar SliderCrankMotor Andrews ActuatedCart Satellite);
    #[cfg(largest)]
    silent!(SphericalPendulum HeavyTop SpatialArm);
}

/// Implicit steps: their equations are solved by generated code, and densely for mechanisms without it.
#[test]
fn implicit_steps_never_allocate() {
    fn assert_silent<M: Mechanism>(name: &str, mechanism: &M, step: impl FnOnce(&M, &mut State<M>)) {
        let made = allocations(|| {
            let mut state = State::new(mechanism);
            assemble(mechanism, &mut state).unwrap();
            step(mechanism, &mut state);
        });
        assert_eq!(made, 0, "{name}");
    }
    macro_rules! silent {
        ($($mechanism:expr, $stepper:expr;)*) => { $(
            assert_silent(stringify!($mechanism, $stepper), &$mechanism, |m, state| {
                #[allow(clippy::redundant_closure_call)]
                let mut stepper = $stepper(m);
                stepper.advance_to(m, state, 0.01, &mut zero_inputs).unwrap();
                assert!(stepper.statistics().accepted > 5);
            });
        )* };
    }
    let h = 1e-3;
    let bars = natural::Bars::new(Default::default()).unwrap();
    let top = natural::Top::new(Default::default()).unwrap();
    silent! {
        bars, |m| Zhong06::new(m, h);
        top, |m| Zhong06::new(m, h);
        bars, |m| ImplicitMidpoint::new(m, h);
        top, |m| ImplicitMidpoint::new(m, h);
        bars, |m| Gauss4::new(m, h);
        top, |m| Gauss6::new(m, h);
        bars, |m| GeneralizedAlpha::new(m, h, 0.8);
        top, |m| GeneralizedAlpha::new(m, h, 0.8);
    }
    let without = mbs_corpus::joint::ActuatedCart::new(Default::default()).unwrap();
    silent! {
        without, |m| ImplicitMidpoint::new(m, h);
        without, |m| Gauss4::new(m, h);
        without, |m| GeneralizedAlpha::new(m, h, 0.8);
    }
}
