//! Links only if no panic path remains: the panic handler calls an undefined function.
//!
//! Exits with 0 if the mechanism assembles, runs and satisfies its constraints.
#![no_std]
#![no_main]

use mbs::{Describe, DormandPrince, Mechanism, Rk4, State, StateView, Stepper, assemble, max_norm};

mbs::mechanism! {
    /// Slider-crank with a return spring and a motor behind a first-order lag.
    pub planar SliderCrank {
        gravity: [0, -9.81];
        coordinates: joint;
        param crank_length = 0.05;
        const rod_length = 0.15;
        input motor_torque;
        state charge = 0 { rate: (motor_torque - charge) / 0.02 };
        body crank  { mass: 0.8, inertia: 4e-4, com: [crank_length / 2, 0], angle: 0.5 }
        body rod    { mass: 0.5, inertia: 9e-4, com: [rod_length / 2, 0] }
        body piston { mass: 0.4, inertia: 1e-4 }
        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [crank_length, 0], rod);
        joint wrist_pin    = revolute(rod at [rod_length, 0], piston);
        joint cylinder     = prismatic(ground, piston) { axis: [1, 0] };
        force motor  = torque(ground, crank) { torque: charge };
        force spring = spring_damper(ground at [0.3, 0], piston) { stiffness: 500, damping: 5, free_length: 0.1 };
        initial main_bearing.angle = 0.5, main_bearing.rate = 10;
        freedoms: 1;
        output stroke = position(piston).x;
    }
}

mbs::mechanism! {
    /// A satellite with a pendulum on a ball joint, and an antenna on a hinge that the pendulum's string holds.
    pub spatial Station {
        gravity: param [0, 0, -1];
        input moment: [3];
        body bus     { mass: 10, inertia: [1, 2, 3], com: [0.01, 0.02, 0] }
        body antenna { mass: 1, inertia: [0.02, 0.03, 0.01], com: [0.3, 0, 0] }
        body weight  { mass: 0.5, inertia: [0.001, 0.002, 0.003], com: [0, 0, -0.3] }
        joint base   = free(ground, bus);
        joint hinge  = revolute(bus at [0.5, 0, 0], antenna) { axis: [0, 1, 1] };
        joint ball   = spherical(bus at [0, 0, -0.5], weight);
        joint string = distance(antenna at [0.6, 0, 0], weight at [0, 0, -0.6]) { length: 1.5 };
        force wheels = torque(bus) { torque: moment in bus };
        initial hinge.angle = 0.1, hinge.rate = 0.2;
        output tip = position(antenna at [0.6, 0, 0]);
    }
}

// On an operating system the C library starts the program.
#[cfg(unix)]
#[link(name = "c")]
unsafe extern "C" {}

unsafe extern "C" {
    fn mbs_panic_path_remains() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { mbs_panic_path_remains() }
}

/// The precompiled `core` refers to this symbol; nothing unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

fn run() -> Result<f64, mbs::Error> {
    let mut mechanism = SliderCrank::new(slider_crank::Params::default())?;
    mechanism.set_params(slider_crank::Params { crank_length: core::hint::black_box(0.049) })?;
    let mut state = State::new(&mechanism);
    assemble(&mechanism, &mut state)?;
    let mut law = |at: StateView, u: &mut [f64]| u.fill(0.5 - 0.01 * at.v.iter().sum::<f64>());
    Rk4::new(&mechanism, 1e-3).advance_to(&mechanism, &mut state, 0.1, &mut law)?;
    let mut adaptive = DormandPrince::new(&mechanism);
    adaptive.advance_to(&mechanism, &mut state, 0.2, &mut law)?;
    adaptive.interpolate(&mechanism, 0.2, &mut state)?;
    // All other functions of the type, through its stages and through the trait.
    let inputs = slider_crank::Inputs { motor_torque: 0.5 };
    let position = mechanism.at_position(state.t, &state.q);
    let velocity = position.at_velocity(&state.v);
    let motion = velocity.accelerate(&inputs, &state.z)?;
    let outputs = motion.outputs();
    let fused = mechanism.accelerations(state.t, &state.q, &state.v, &inputs, &state.z)?;
    let (mut x, mut mu) = (fused.a, fused.lambda);
    position.solve(&fused.a, &fused.lambda, &mut x, &mut mu)?;
    let mut poses = [mbs::Pose::planar(0.0, 0.0, 0.0); 3];
    Mechanism::poses(&mechanism, state.view(&[]), &mut poses);
    let mut jacobians = [0.0; 6 * 3 * slider_crank::NV];
    mechanism.body_jacobians(state.view(&[]), &mut jacobians);
    let energy = motion.energy();
    core::hint::black_box((&x, &mu, &poses, &jacobians, energy.kinetic, outputs.stroke, motion.output_rates()));
    core::hint::black_box(mechanism.name(mbs::Item::Row(core::hint::black_box(1))));
    Ok(max_norm(&position.position_residuals()) + max_norm(&velocity.velocity_residuals()))
}

/// Runs the mechanism in space; returns the sum of the norms of Φ and ψ.
fn run_in_space() -> Result<f64, mbs::Error> {
    let mut mechanism = Station::new(station::Params::default())?;
    mechanism.set_params(station::Params { gravity: core::hint::black_box([0.0, 0.1, -0.9]) })?;
    let mut state = State::new(&mechanism);
    assemble(&mechanism, &mut state)?;
    mechanism.normalize(&mut state.q);
    let mut law = |at: StateView, u: &mut [f64]| u.fill(0.1 - 0.01 * at.v.iter().sum::<f64>());
    Rk4::new(&mechanism, 1e-3).advance_to(&mechanism, &mut state, 0.1, &mut law)?;
    let mut adaptive = DormandPrince::new(&mechanism);
    adaptive.advance_to(&mechanism, &mut state, 0.2, &mut law)?;
    adaptive.interpolate(&mechanism, 0.2, &mut state)?;
    let inputs = station::Inputs { moment: [0.5, 0.1, 0.2] };
    let position = mechanism.at_position(state.t, &state.q);
    let velocity = position.at_velocity(&state.v);
    let motion = velocity.accelerate(&inputs, &state.z)?;
    let mut poses = position.poses();
    Mechanism::poses(&mechanism, state.view(&[]), &mut poses);
    let mut jacobians = [0.0; 6 * 3 * station::NV];
    mechanism.body_jacobians(state.view(&[]), &mut jacobians);
    let mut reactions = [mbs::Reaction::default(); 4];
    mechanism.reactions(state.view(&inputs.to_array()), &motion.a, &motion.lambda, &mut reactions);
    let view = station::SpeedView::of(&motion.a);
    core::hint::black_box((&poses, &jacobians, &reactions, velocity.coordinate_rates(), velocity.momentum()));
    core::hint::black_box((motion.energy(), motion.outputs(), motion.reactions(), view.ball));
    Ok(max_norm(&position.position_residuals()) + max_norm(&velocity.velocity_residuals()))
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    match run().and_then(|miss| Ok(miss + run_in_space()?)) {
        Ok(miss) if miss < 1e-9 => 0,
        Ok(_) => 1,
        Err(_) => 2,
    }
}
