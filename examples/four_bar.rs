//! A four-bar linkage: declared, compiled, simulated, and written as a page.
//!
//! `cargo run --release --example four_bar`

use std::error::Error;

use mbs::Simulation;

mbs::mechanism! {
    /// Four-bar linkage of uniform bars, driven by a motor against a spring on the coupler–rocker pin.
    pub planar FourBar {
        gravity: [0, -9.81];

        param crank_length = 0.1;                                       // m
        param coupler_length = 0.35;
        param rocker_length = 0.25;
        param ground_length = 0.3;
        const density = 2.0;                                            // kg/m
        let crank_mass = density * crank_length;                        // kg
        let coupler_mass = density * coupler_length;
        let rocker_mass = density * rocker_length;
        param torque = 1.6;                                             // N m, at standstill

        body crank   { mass: crank_mass, inertia: crank_mass * crank_length.powi(2) / 12, com: [crank_length / 2, 0], angle: 1.0 }
        body coupler { mass: coupler_mass, inertia: coupler_mass * coupler_length.powi(2) / 12, com: [coupler_length / 2, 0], angle: -1.12 }
        body rocker  { mass: rocker_mass, inertia: rocker_mass * rocker_length.powi(2) / 12, com: [rocker_length / 2, 0], angle: 4.32 }
        marker tracer = coupler at [0.2, 0.08];

        joint crank_bearing  = revolute(ground, crank);
        joint crank_pin      = revolute(crank at [crank_length, 0], coupler);
        joint rocker_pin     = revolute(coupler at [coupler_length, 0], rocker at [rocker_length, 0]);
        joint rocker_bearing = revolute(ground at [ground_length, 0], rocker);

        force motor  = torque(ground, crank) { torque: torque - 0.12 * crank_bearing.rate };
        force spring = spring_damper(ground at [0.6, 0.1], rocker at [rocker_length, 0]) {
            stiffness: 20, damping: 0.5, free_length: 0.2,
        };

        initial crank_bearing.angle = 1.0, crank_bearing.rate = 10;
        freedoms: 1;

        output crank_angle = crank_bearing.angle;
        output crank_speed = crank_bearing.rate;
        output rocker_angle = rocker_bearing.angle;
        output tracer = position(tracer);
        output spring_force = norm(load(spring).force);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mechanism = FourBar::new(four_bar::Params::default())?;
    let recording = Simulation::new(&mechanism).duration(3.0).every(0.005).run()?;

    println!("   t [s]   crank [rad]   crank [rad/s]   rocker [rad]   energy [J]   |Phi| [m]");
    let (angle, speed) = (recording.output("crank_angle")?, recording.output("crank_speed")?);
    let rocker = recording.output("rocker_angle")?;
    let (energy, error) = (recording.total_energy(), recording.position_error());
    for (i, t) in recording.times().iter().enumerate().step_by(50) {
        println!(
            "{t:8.2} {:13.5} {:15.5} {:14.5} {:12.6} {:11.1e}",
            angle[i], speed[i], rocker[i], energy[i], error[i]
        );
    }
    let statistics = recording.statistics();
    println!("{} steps, {} evaluations of the accelerations", statistics.accepted, statistics.evaluations);

    recording.write_csv("target/four_bar.csv")?;
    recording.page().title("Four-bar linkage").write("target/four_bar.html")?;
    println!("wrote target/four_bar.html (open it in a browser) and target/four_bar.csv");
    Ok(())
}
