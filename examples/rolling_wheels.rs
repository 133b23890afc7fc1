//! Rolling without slip, as a row and as friction: two equal wheels with equal torques, one of which may slip.
//!
//! `cargo run --release --example rolling_wheels`

use std::error::Error;

use mbs::Simulation;

mbs::mechanism! {
    /// A wheel that rolls by a constraint, and under it one that friction drives along a road.
    pub planar RollingWheels {
        gravity: [0, -9.81];

        const radius = 0.3;                                 // m
        const m = 20;                                       // kg
        const k = 4e6;                                      // of Hertz's law, N/m^1.5
        const sunk = (m * 9.81 / k).powf(2 / 3);            // where it stands, m
        param friction = 0.6;
        param creep = 0.05;                                 // m/s
        /// Grips, spins, grips again and brakes, N m.
        let torque = 30 + spin(t) - grip(t) - brake(t);
        function spin = step([0.6, 0.65], [0, 60]);
        function grip = step([0.9, 0.95], [0, 60]);
        function brake = step([1.6, 1.65], [0, 60]);

        marker road = ground at [0, -1];
        body roller { mass: m, inertia: 0.9, position: [0, radius], velocity: [0, 0], angle: 0, rate: 0 }
        body wheel { mass: m, inertia: 0.9, position: [0, radius - sunk - 1], velocity: [0, 0], angle: 0, rate: 0 }
        marker spoke = wheel at [0, radius];
        curve disc on roller = circle(radius);              // drawn
        curve rim on wheel = circle(radius);
        curve pavement on road = line([1, 0]) { range: [-0.5, 9] };
        curve track on ground = line([1, 0]) { range: [-0.5, 9] };

        constraint lane = position(roller).y == radius;
        constraint rolling = velocity(roller).x + radius * rate(roller) == 0;
        force tyre = plane_contact(road, wheel) { radius, stiffness: k, dissipation: 0.3, friction, creep };
        force motor[0] = torque(roller) { torque: -torque };
        force motor[1] = torque(wheel) { torque: -torque };

        output ideal = velocity(roller).x;                  // m/s
        output speed = velocity(wheel).x;
        output slip = -tyre.slip;
        output slip_ratio = -tyre.slip / max(max(abs(velocity(wheel).x), abs(radius * rate(wheel))), creep);
        output held = load(rolling);                        // what rolling takes, N
        output drive = load(tyre).force.x;                  // what friction gives, N
    }
}

/// Asserts that a printed value agrees with theory, to within a tolerance.
fn assert_near(quantity: &str, found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{quantity}: {found}, not {expected}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let wheels = RollingWheels::new(Default::default())?;
    let motion = Simulation::new(&wheels).duration(2.0).every(0.005).run()?;
    let [ideal, speed, ratio, held, drive] =
        ["ideal", "speed", "slip_ratio", "held", "drive"].map(|name| motion.output(name).unwrap_or_default());

    println!("  t [s]   rolls [m/s]   drives [m/s]   slip [%]   row [N]   friction [N]");
    for i in (50..=400).step_by(50) {
        let (t, percent) = (motion.times()[i], 100.0 * ratio[i]);
        println!("{t:7.2} {:13.3} {:14.3} {percent:10.2} {:9.1} {:14.1}", ideal[i], speed[i], held[i], drive[i]);
    }
    // Pure rolling has a = τ r/(I + m r²) and requires the force m a of the road; friction exerts it at a creep of v₀ atanh(a/(μ g)), up to
    // μ m g. Tolerances of 1e-6 of the integrator are some 1e-5 N on a stiff tyre.
    let (mass, inertia, radius, friction, creep) = (20.0, 0.9, 0.3, 0.6, 0.05);
    let rolling = |torque: f64| torque * radius / (inertia + mass * radius * radius);
    let grip = friction * mass * 9.81;
    for (i, torque) in [(100, 30.0), (400, -30.0)] {
        let taken = mass * rolling(torque);
        assert_near("what rolling takes", held[i], taken, 1e-6);
        assert_near("what friction gives", drive[i], taken, 1e-4);
        let slip = creep * (taken / grip).atanh();
        assert_near("creep", ratio[i], slip / (speed[i] + slip.max(0.0)), 1e-5);
    }
    assert_near("what friction gives at most", drive[200], grip, 1e-4);
    // A smooth step has half of the impulse of its final value: 30 N m for 2 s, and 60 N m less or more from the middles of the steps on.
    let impulse = 30.0 * 2.0 + 60.0 * ((2.0 - 0.625) - (2.0 - 0.925) - (2.0 - 1.625));
    assert_near("speed", ideal[400], rolling(impulse), 1e-6);

    let spun = motion.times().iter().zip(ratio).filter(|(t, ratio)| **t > 0.6 && ratio.abs() > 0.05);
    if let (Some((from, _)), Some((to, _))) = (spun.clone().next(), spun.clone().next_back()) {
        println!("the wheel spins, by more than 5 %, from {from:.2} s to {to:.2} s");
    }

    let page = motion.page().title("Rolling by a row, and by friction").trace("spoke")?;
    page.write("target/rolling_wheels.html")?;
    println!("wrote target/rolling_wheels.html (open it in a browser)");
    Ok(())
}
