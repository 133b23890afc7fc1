//! An arm from its URDF draws a circle by computed torque, with friction that the controller's model does not contain.
//!
//! `cargo run --release --example robot_arm`

use std::error::Error;
use std::f64::consts::TAU;

use mbs::report::Solid;
use mbs::{Integrator, Recording, Simulation, StateView};
use nalgebra::{SMatrix, SVector};
use robot_arm::{Inputs, Params};

mbs::mechanism! {
    /// Arm with seven hinges on a table, torques at all of them.
    pub spatial RobotArm {
        gravity: [0, 0, -9.81];
        kernels: [forward, kinematics, energies, outputs, reactions, operators];
        param friction = 0.0;                                           // N m s, at every joint
        input torque: [7];

        import "../mechanisms/urdf/robot_arm7.urdf";
        joint stand = fixed(ground, base);
        marker tip = l7 at [0, 0, 0.12];

        force motor_1 = mobility(j1) { value: torque[0] - friction * j1.rate };
        force motor_2 = mobility(j2) { value: torque[1] - friction * j2.rate };
        force motor_3 = mobility(j3) { value: torque[2] - friction * j3.rate };
        force motor_4 = mobility(j4) { value: torque[3] - friction * j4.rate };
        force motor_5 = mobility(j5) { value: torque[4] - friction * j5.rate };
        force motor_6 = mobility(j6) { value: torque[5] - friction * j6.rate };
        force motor_7 = mobility(j7) { value: torque[6] - friction * j7.rate };
        // On the path, near a posture with its elbow up.
        initial position(tip) = [0.63, 0, 0.415], j1.angle = 0, j2.angle ~ 0.4, j4.angle ~ -1.4, j6.angle ~ 0.8;
        freedoms: 7;

        output tip = position(tip);
        output tip_velocity = velocity(tip);
        output tip_acceleration = acceleration(tip);
    }
}

type Vector = SVector<f64, 3>;
type Joints = SVector<f64, 7>;

/// Angles of the preferred posture [rad], and duration of the motion [s].
const POSTURE: [f64; 7] = [0.0, 0.4, 0.0, -1.4, 0.0, 0.8, 0.0];
const DURATION: f64 = 4.0;

/// A full circle in a tilted plane from rest to rest [m], and its first two rates.
fn path(t: f64) -> [Vector; 3] {
    let (center, across, up) =
        (Vector::new(0.55, 0.0, 0.62), Vector::new(0.0, 0.22, 0.0), Vector::new(-0.08, 0.0, 0.205));
    // The angle grows like a polynomial of degree five, without acceleration at both ends.
    let s = (t / DURATION).clamp(0.0, 1.0);
    let angle = TAU * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    let rate = TAU / DURATION * 30.0 * (s * (1.0 - s)).powi(2);
    let growth = TAU / DURATION.powi(2) * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
    let (sin, cos) = angle.sin_cos();
    let (outward, along) = (sin * across - cos * up, cos * across + sin * up);
    [center + outward, rate * along, growth * along - rate * rate * outward]
}

/// Computed torque: torques for the required acceleration of the tip, by the model of the arm.
fn command(model: &RobotArm, at: StateView) -> Result<Joints, mbs::Error> {
    let (q, v): (&[f64; 7], &[f64; 7]) =
        (at.q.try_into().expect("seven angles"), at.v.try_into().expect("seven rates"));
    let position = model.at_position(at.t, q);
    let velocity = position.at_velocity(v);
    let coasting = velocity.accelerate(&Inputs::default(), &[])?;
    let now = coasting.outputs();
    let (rates, free) = (Joints::from(*v), Joints::from(coasting.a));

    // The Jacobian of the tip from that of the last link: ṗ_tip = ṗ_l7 + ω × r.
    let link = position.poses().last().expect("links").position;
    let jacobians = position.body_jacobians();
    let rows = &jacobians[jacobians.len() - 6..];
    let arm = Vector::from(now.tip) - Vector::from(link);
    let jacobian = SMatrix::<f64, 3, 7>::from_fn(|i, k| {
        let (j, l) = ((i + 1) % 3, (i + 2) % 3);
        rows[i][k] + rows[3 + j][k] * arm[l] - rows[3 + l][k] * arm[j]
    });

    // p̈ = p̈_d + K_d ė + K_p e, and J̇ v from the acceleration of the tip without torques.
    let [wanted, speed, acceleration] = path(at.t);
    let demand =
        acceleration + 40.0 * (speed - Vector::from(now.tip_velocity)) + 400.0 * (wanted - Vector::from(now.tip));
    let drift = Vector::from(now.tip_acceleration) - jacobian * free;

    // a = J⁺ (p̈ − J̇ v), and in the null space of J a return to the posture.
    let posture = -8.0 * rates - 16.0 * (Joints::from(*q) - Joints::from(POSTURE));
    let metric = (jacobian * jacobian.transpose()).cholesky().ok_or(mbs::Error::NotFinite { t: at.t })?;
    let a = posture + jacobian.transpose() * metric.solve(&(demand - drift - jacobian * posture));

    // τ = M a − Q, Q without the torques of the motors.
    Ok(Joints::from(velocity.inverse_dynamics(a.as_ref(), &Inputs::default(), &[])))
}

/// Simulates an arm with friction [N m s] in its joints; the controller's model has none.
fn draw(friction: f64) -> Result<Recording, Box<dyn Error>> {
    let (arm, model) = (RobotArm::new(Params { friction })?, RobotArm::new(Params::default())?);
    // Torques that are not finite stop the run.
    let law = |at: StateView, u: &mut [f64]| match command(&model, at) {
        Ok(torque) => u.copy_from_slice(torque.as_slice()),
        Err(_) => u.fill(f64::NAN),
    };
    let integrator = Integrator::DormandPrince { rtol: 1e-10, atol: 1e-12 };
    Ok(Simulation::new(&arm).inputs(law).integrator(integrator).duration(DURATION + 1.0).every(0.01).run()?)
}

/// Distance of the tip from the path [m], at every time.
fn errors(run: &Recording) -> Result<Vec<f64>, Box<dyn Error>> {
    let tip = run.marker("tip")?;
    Ok(run.times().iter().zip(tip).map(|(t, tip)| (Vector::from(*tip) - path(*t)[0]).norm()).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (exact, real) = (draw(0.0)?, draw(0.5)?);
    let (without, with) = (errors(&exact)?, errors(&real)?);
    println!("          tip off the path [mm]              torques of the first four motors, with friction [N m]");
    println!("t [s]   exact model     friction");
    for (i, t) in exact.times().iter().enumerate().step_by(50) {
        print!("{t:5.1} {:13.1e} {:12.4}     ", 1e3 * without[i], 1e3 * with[i]);
        for k in 0..4 {
            print!("{:11.3}", real.input(&format!("torque[{k}]"))?[i]);
        }
        println!();
    }
    let most = |errors: &[f64]| 1e3 * errors.iter().copied().fold(0.0, f64::max);
    println!(
        "largest: {:.1e} mm with the exact model, {:.3} mm with friction that it does not know",
        most(&without),
        most(&with)
    );
    println!("the tip draws {:.3} m", real.trace("tip")?.length);

    // The arm has the solids of its file; the table is added here.
    let table = Solid::block("ground", [1.0, 1.0, 0.04]).at([0.15, 0.0, -0.02]).color([176, 182, 190]);
    let page = real.page().title("Arm with seven joints").trace("tip")?.reactions(&["j2", "j4", "j6"])?.solid(table)?;
    page.write("target/robot_arm.html")?;
    println!("wrote target/robot_arm.html (open it in a browser)");
    Ok(())
}
