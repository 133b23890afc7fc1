//! Generated modules compile for every name of a mechanism and its vectors, and for vectors of every length.

#![allow(non_camel_case_types)] // the names are the point

use mbs::{Mechanism, State, all_finite, assemble};

/// A module for each name, with a mechanism of that name that has every kernel, and a test that assembles all of them.
macro_rules! called {
    ($test:ident: $($module:ident: $name:ident;)*) => { $(
        mod $module {
            mbs::mechanism! {
                pub planar $name {
                    gravity: [0, -9.81];
                    kernels: [forward, kinematics, energies, outputs, reactions, operators, jacobians, linearization, steps,
                        sensitivities, momenta, hessians];
                    param length = 0.5;
                    input torque;
                    state charge = 0 { rate: torque - charge };
                    coordinates: body;
                    body bob { mass: 1, inertia: 0.1, com: [length, 0] }
                    joint pin = revolute(ground, bob);
                    force motor = torque(ground, bob) { torque: torque + charge };
                    function lift = spline([0, 1, 2], [0, 1, 4]);
                    output angle = lift(pin.angle);
                    output place = position(bob);
                }
            }
            pub fn new() -> $name {
                $name::new(::core::default::Default::default()).expect("the defaults are in their domains")
            }
        }
    )*
        #[test]
        fn $test() {
            $( moves(&$module::new(), stringify!($name)); )*
        }
    };
}

/// Assembles and evaluates accelerations; a simulation would add nothing that depends on names, and would compile slowly.
fn moves<M: Mechanism>(mechanism: &M, name: &str) {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (_, mut a, mut lambda, _, u, _) = mechanism.storage();
    let at = state.view(u.as_ref());
    mechanism.accelerations(at, a.as_mut(), lambda.as_mut()).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(all_finite(a.as_ref()), "{name}");
}

// A sort of name each: primitive types, modules of generated code, types and traits of the prelude and of the runtime.
called! {
    mechanisms_called_like_what_generated_code_uses_compile_and_move:
    a1: f64; a7: kernels; b7: Option; c9: Mechanism;
}

// The rest. Each has as much code as all mechanisms of some other file.
#[cfg(largest)]
called! {
    mechanisms_with_further_names_compile_and_move:
    a2: usize; a3: str; a4: bool; a5: u8; a6: index; a8: functions; a9: row; b1: hessian; b2: limits; b3: Core; b4: Std; b5: Mbs; b6: Alloc;
    b8: Result; b9: Vec; c1: Some; c2: State; c3: Error; c4: Default; c5: Clone; c6: Sizes; c7: T; c8: NQ; d1: part; d2: broken; d3: String; d4: Box; d5: Debug; d6: speed;
}

mod spatial {
    mbs::mechanism! {
        pub spatial speed {
            kernels: [forward, kinematics, energies, outputs, reactions, linearization];
            body b { mass: 1, inertia: [1, 1, 1] }
            joint base = free(ground, b);
            initial base.velocity = [1, 0, 0];
        }
        pub spatial wrench_pattern {
            kernels: [forward, linearization];
            body b { mass: 1, inertia: [1, 1, 1] }
            joint base = free(ground, b);
            force pull = point_force(b) { force: [1, 2, 3] in ground };
        }
    }
}

#[test]
fn names_of_modules_in_space_are_names_of_mechanisms() {
    moves(&spatial::speed::new(Default::default()).expect("no parameters"), "speed");
    moves(&spatial::wrench_pattern::new(Default::default()).expect("no parameters"), "wrench_pattern");
}

mbs::mechanism! {
    /// Thirty-three motors.
    pub planar Long {
        input torques: [33];
        input grid: [2, 40];
        body bob { mass: 1, inertia: 0.1 }
        joint pin = revolute(ground, bob);
        force motor = mobility(pin) { value: torques[32] + grid[1][39] };
        output all: [33] = torques;
        output rate = pin.rate;
        output angles: [34] = 2 * pin.angle * [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
            26, 27, 28, 29, 30, 31, 32, 33, 34];
    }
}

/// θ̈ = (τ + g) / J, with the last elements of vectors of 33 and of 2 × 40 numbers.
#[test]
fn inputs_and_outputs_may_be_longer_than_32() -> Result<(), mbs::Error> {
    let machine = Long::new(Default::default())?;
    let mut inputs = long::Inputs::default();
    assert_eq!((inputs.torques, inputs.grid), ([0.0; 33], [[0.0; 40]; 2]));
    (inputs.torques[32], inputs.grid[1][39]) = (3.0, 0.5);
    let motion = machine.accelerations(0.0, &[0.1], &[0.0], &inputs, &[])?;
    assert!((motion.a[0] - 35.0).abs() < 1e-12, "{}", motion.a[0]);
    assert_eq!(long::Outputs::default().all, [0.0; 33]);
    assert_eq!(long::OutputRates::default().angles, [0.0; 34]);
    Ok(())
}
