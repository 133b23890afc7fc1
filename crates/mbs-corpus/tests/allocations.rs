//! Steps of compiled mechanisms allocate nothing: a counting allocator around the system's.
#![allow(unsafe_code, missing_docs)] // an allocator is unsafe to implement

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use mbs::{DormandPrince, Mechanism, Rk4, State, StateView, Stepper, assemble};

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

/// Everything of a simulation: assembly, work space, steps of both kinds, with projection and with inputs.
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

#[test]
fn compiled_mechanisms_never_allocate() {
    macro_rules! silent {
        ($($type:ident)*) => { $(
            assert_silent(concat!("body ", stringify!($type)), &mbs_corpus::body::$type::new(Default::default()).unwrap());
            assert_silent(concat!("joint ", stringify!($type)), &mbs_corpus::joint::$type::new(Default::default()).unwrap());
        )* };
    }
    silent!(FourBar SliderCrankMotor Andrews ActuatedCart Satellite SphericalPendulum SpatialArm);
}
