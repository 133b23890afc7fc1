//! A parallel robot with two motors draws a star: inverse kinematics in the declaration, then the torques of the motors.
//!
//! `cargo run --release --example five_bar`

use std::error::Error;

use mbs::InverseDynamics;

mbs::mechanism! {
    /// Five-bar linkage: two arms with motors on ground, two rods that meet at the tool.
    pub planar FiveBar {
        gravity: [0, -9.81];

        param base = 0.2;                                               // distance of the motors, m
        param arm_length = 0.15;
        param rod_length = 0.25;
        const density = 1.2;                                            // kg/m
        let arm_mass = density * arm_length;
        let rod_mass = density * rod_length;

        // The figure: a star of five points (a hypocycloid), once round from rest to rest.
        param center: [2] = [0.1, 0.27];                                // m
        param size = 0.05;
        param duration = 4.0;                                           // s
        let part = t / duration;
        let turn = TAU * part - sin(TAU * part);
        let point = center + size * [sin(turn), cos(turn)] + size / 4 * [sin(-4 * turn), cos(4 * turn)];

        // The triangle of motor, elbow and tool: its angle at the motor, by the law of cosines.
        function bend(reach) = acos((dot(reach, reach) + arm_length.powi(2) - rod_length.powi(2)) / (2 * arm_length * norm(reach)));
        let from_left = point - [0, 0];
        let from_right = point - [base, 0];
        drive left_motor  = left_shoulder.angle == atan2(from_left.y, from_left.x) + bend(from_left);
        drive right_motor = right_shoulder.angle == atan2(from_right.y, from_right.x) - bend(from_right);
        freedoms: 2;

        body left_arm  { mass: arm_mass, inertia: arm_mass * arm_length.powi(2) / 12, com: [arm_length / 2, 0], angle: 2.5 }
        body right_arm { mass: arm_mass, inertia: arm_mass * arm_length.powi(2) / 12, com: [arm_length / 2, 0], angle: 0.6 }
        body left_rod  { mass: rod_mass, inertia: rod_mass * rod_length.powi(2) / 12, com: [rod_length / 2, 0], angle: 0.8 }
        body right_rod { mass: rod_mass, inertia: rod_mass * rod_length.powi(2) / 12, com: [rod_length / 2, 0], angle: 2.3 }
        marker tool = left_rod at [rod_length, 0];

        joint left_shoulder  = revolute(ground, left_arm);
        joint right_shoulder = revolute(ground at [base, 0], right_arm);
        joint left_elbow     = revolute(left_arm at [arm_length, 0], left_rod);
        joint right_elbow    = revolute(right_arm at [arm_length, 0], right_rod);
        joint wrist          = revolute(tool, right_rod at [rod_length, 0]);

        output tool = position(tool);
        output speed = norm(velocity(tool));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let parameters = five_bar::Params::default();
    let robot = FiveBar::new(parameters)?;
    let motion = InverseDynamics::new(&robot).grid(0.0, parameters.duration, 801).run()?;

    println!("  t [s]    tool at [m]          motors [N m]");
    let tool = motion.marker("tool")?;
    let (left, right) = (motion.drive("left_motor")?, motion.drive("right_motor")?);
    for (i, t) in motion.times().iter().enumerate().step_by(100) {
        println!("{t:7.2} {:9.4} {:8.4} {:11.4} {:9.4}", tool[i][0], tool[i][1], left[i], right[i]);
    }

    let star = motion.trace("tool")?;
    println!("the star is {:.3} m long; it encloses {:.1} cm²", star.length, star.enclosed_area.abs() * 1e4);
    for motor in ["left_motor", "right_motor"] {
        let load = motion.extremes(&format!("drive.{motor}"))?;
        println!("{motor} supplies {:.3} to {:.3} N m", load.minimum.value, load.maximum.value);
    }

    motion.page().title("Five-bar robot").trace("tool")?.polar("wrist", "ground")?.write("target/five_bar.html")?;
    println!("wrote target/five_bar.html (open it in a browser)");
    Ok(())
}
