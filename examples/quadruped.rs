//! A quadruped from its URDF leaps with an unintended somersault, and rotates its legs once in the air to land level.
//!
//! In flight its angular momentum is constant, but legs that rotate in one direction rotate the trunk in the other. Motors control the
//! legs' angles by torques, within the limits of the file.
//!
//! `cargo run --release --features urdf --example quadruped`

use std::error::Error;
use std::f64::consts::TAU;

use mbs::report::Solid;
use mbs::{Integrator, Recording, Simulation, StateView};
use quadruped::{LIMITS, index, speed};

mbs::urdf! {
    /// Quadruped with twelve hinges, in flight.
    pub Quadruped = "../mechanisms/urdf/robot_quadruped18.urdf" {
        base: free;
        trunk: { velocity: body, position: [0, 0, 0.31] };
        kernels: [forward, kinematics, energies, outputs];
        freedoms: 18;

        marker FL_foot = FL_calf at [0, 0, -0.2];
        marker FR_foot = FR_calf at [0, 0, -0.2];
        marker RL_foot = RL_calf at [0, 0, -0.2];
        marker RR_foot = RR_calf at [0, 0, -0.2];
        initial FL_hip_j.angle = 0, FL_thigh_j.angle = 0.7, FL_calf_j.angle = -1.4;
        initial FR_hip_j.angle = 0, FR_thigh_j.angle = 0.7, FR_calf_j.angle = -1.4;
        initial RL_hip_j.angle = 0, RL_thigh_j.angle = 0.7, RL_calf_j.angle = -1.4;
        initial RR_hip_j.angle = 0, RR_thigh_j.angle = 0.7, RR_calf_j.angle = -1.4;
        initial velocity(trunk) = [1.2, 0, 3.9], angular_velocity(trunk) = [0, 1.5, 0];

        output center = position(bodies at com);
        output momentum = momentum(bodies);
        output spin = angular_momentum(bodies, bodies at com);
        output pitch = atan2(-trunk.x.z, trunk.z.z);                    // of the nose, downwards
        output foot = position(FL_foot).z;
    }
}

/// Duration of the flight [s]: from take-off until the feet return to their initial height.
const DURATION: f64 = 0.8;

/// Angles of thigh and calf on take-off and landing [rad], and angle of a stretched calf.
const STANDING: [f64; 2] = [0.7, -1.4];
const STRETCHED: f64 = -0.35;

/// Stiffness [N m] and damping [N m s] of the motors of hips, thighs and calves.
const GAINS: [[f64; 2]; 3] = [[150.0, 4.0], [150.0, 4.0], [60.0, 0.8]];

/// Motions of the legs in the air.
#[derive(Clone, Copy, PartialEq)]
enum Legs {
    /// They keep the posture of take-off.
    Held,
    /// They stretch, rotate once about the hips, and flex again.
    Wheeling,
}

/// From 0 to 1 between two times, with its rate; it starts and stops without acceleration.
fn blend(t: f64, from: f64, to: f64) -> [f64; 2] {
    let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
    [s * s * s * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * (s * (1.0 - s)).powi(2) / (to - from)]
}

/// Desired angles and rates of hips, thighs and calves.
fn leg_posture(legs: Legs, t: f64) -> [[f64; 2]; 3] {
    let ([thigh, calf], [mut turn, mut stretch]) = (STANDING, [[0.0; 2]; 2]);
    if legs == Legs::Wheeling {
        turn = blend(t, 0.05, 0.72).map(|x| TAU * x);
        let (out, back) = (blend(t, 0.02, 0.2), blend(t, 0.56, 0.74));
        stretch = [0, 1].map(|k| (STRETCHED - calf) * (out[k] - back[k]));
    }
    [[0.0, 0.0], [thigh + turn[0], turn[1]], [calf + stretch[0], stretch[1]]]
}

/// Torques that pull every joint to its angle, within the limits of its motor. Angles, rates, torques and limits are in one order:
/// the hips, the thighs, the calves.
fn command(legs: Legs, at: StateView, effort: &mut [f64]) {
    let angles = &at.q[index::FL_HIP_J_ANGLE..];
    let rates = &at.v[speed::FL_HIP_J_RATE..];
    for (row, ([angle, rate], [stiffness, damping])) in leg_posture(legs, at.t).into_iter().zip(GAINS).enumerate() {
        for k in 4 * row..4 * row + 4 {
            let pull = stiffness * (angle - angles[k]) + damping * (rate - rates[k]);
            effort[k] = LIMITS[k].clamp_effort(pull);
        }
    }
}

fn leap(legs: Legs) -> Result<Recording, Box<dyn Error>> {
    let quadruped = Quadruped::new(quadruped::Params::default())?;
    let law = |at: StateView, effort: &mut [f64]| command(legs, at, effort);
    let integrator = Integrator::DormandPrince { rtol: 1e-9, atol: 1e-11 };
    Ok(Simulation::new(&quadruped).inputs(law).integrator(integrator).duration(DURATION).every(0.005).run()?)
}

/// Largest change of an output's components since take-off.
fn change(run: &Recording, output: &str) -> Result<f64, Box<dyn Error>> {
    let mut most = 0.0_f64;
    for axis in ["x", "y", "z"] {
        let values = run.output(&format!("{output}.{axis}"))?;
        most = values.iter().fold(most, |most, x| most.max((x - values[0]).abs()));
    }
    Ok(most)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (held, wheeling) = (leap(Legs::Held)?, leap(Legs::Wheeling)?);
    println!("                       nose down [degrees]      torque of the");
    println!("t [s]  center [m]   legs held   legs turning   first thigh [N m]");
    let center = wheeling.output("center.z")?;
    let (without, with) = (held.output("pitch")?, wheeling.output("pitch")?);
    let thigh = wheeling.input("effort[4]")?;
    for (i, t) in wheeling.times().iter().enumerate().step_by(16) {
        let [without, with] = [without[i], with[i]].map(f64::to_degrees);
        println!("{t:5.2} {:11.3} {without:11.1} {with:14.1} {:19.2}", center[i], thigh[i]);
    }
    println!(
        "angular momentum {:.3} kg m²/s about the center of mass, changed by at most {:.0e}",
        wheeling.output("spin.y")?[0],
        change(&wheeling, "spin")?.max(change(&held, "spin")?)
    );

    let floor = Solid::block("ground", [1.9, 0.9, 0.02]).at([0.48, 0.0, -0.01]).color([176, 182, 190]);
    wheeling.page().title("Quadruped in flight").solid(floor)?.trace("FL_foot")?.write("target/quadruped.html")?;
    println!("wrote target/quadruped.html (open it in a browser)");
    Ok(())
}
