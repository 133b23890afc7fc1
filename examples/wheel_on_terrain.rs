//! A spinning wheel is dropped onto hills: tyre friction accelerates it, then a motor drives it up and down, and off the crests.
//!
//! `cargo run --release --example wheel_on_terrain`

use std::error::Error;

use mbs::Simulation;

mbs::mechanism! {
    /// A wheel with a tyre of the Magic Formula, on terrain that is an expression.
    pub planar WheelOnTerrain {
        gravity: [0, -9.81];

        const radius = 0.3;                                 // m
        const m = 20;                                       // kg
        param torque = 14;                                  // of the motor, N m
        param friction = 1.0;
        /// Height of the hills over the way, m.
        function hills(x) = 0.35 * sin(0.9 * x - 0.4) + 0.05 * sin(3.1 * x);

        body wheel { mass: m, inertia: 0.9, position: [0, radius + 0.1], velocity: [0, 0], angle: 0, rate: -20 }
        marker spoke = wheel at [0, radius];
        curve rim on wheel = circle(radius);                // drawn
        curve ground_line(s) on ground = [s, hills(s)] { range: [-0.7, 9] };

        force tyre = terrain_contact(ground, wheel) {
            height: hills, radius, stiffness: 6e4, exponent: 1, damping: 500,
            friction, creep: 0.05, slip_stiffness: 10, slip_shape: 1.65, slip_curvature: 0.3
        };
        force motor = torque(wheel) { torque: -torque };

        output way = position(wheel).x;                     // m
        output speed = norm(velocity(wheel));               // m/s
        output rim_speed = -radius * rate(wheel);
        output slip = -tyre.slip;
        output slip_ratio = min(max(tyre.slip_ratio, -1), 1);       // a wheel that spins has more than 1
        output load = tyre.normal_force / 1000;             // kN
        output depth = tyre.depth;                          // m
        report on tyre;
    }
}

/// A wheel that falls from 0.4 m over x = 0 touches the ground where the distance of its centre from the hills is its radius, to 1e-6 m, the accuracy
/// of the integrator.
fn assert_touches(time: f64) {
    let hills = |x: f64| 0.35 * (0.9 * x - 0.4).sin() + 0.05 * (3.1 * x).sin();
    let centre = 0.4 - 0.5 * 9.81 * time * time;
    let away = (-5000..5000).map(|k| f64::from(k) * 1e-4).map(|x| x.hypot(hills(x) - centre));
    let nearest = away.fold(f64::INFINITY, f64::min);
    assert!((nearest - 0.3).abs() < 1e-6, "{nearest} m away at {time} s");
}

/// Force of a tyre by the Magic Formula, from the slip, the speed along the ground and the load \[kN\].
fn friction(slip: f64, speed: f64, load: f64) -> f64 {
    let x = 10.0 * slip / speed.hypot(0.05);
    1000.0 * load * (1.65 * (x - 0.3 * (x - x.atan())).atan()).sin()
}

fn main() -> Result<(), Box<dyn Error>> {
    let wheel = WheelOnTerrain::new(Default::default())?;
    let motion = Simulation::new(&wheel).duration(4.2).every(0.005).run()?;
    let [way, speed, slip, ratio, load, depth] =
        ["way", "speed", "slip", "slip_ratio", "load", "depth"].map(|name| motion.output(name).unwrap_or_default());
    let times = motion.times();

    println!("  t [s]    way [m]   speed [m/s]   slip [m/s]   slip ratio [%]   load [kN]");
    let mut next = 0.25;
    for (i, t) in times.iter().enumerate() {
        if *t + 1e-9 < next {
            continue;
        }
        println!(
            "{t:7.2} {:10.3} {:13.3} {:12.3} {:16.2} {:11.3}",
            way[i],
            speed[i],
            slip[i],
            100.0 * ratio[i],
            load[i]
        );
        next += 0.25;
    }
    // The wheel rolls when it is on the ground with a slip below 5 %.
    let touched = motion.events().of("tyre")?.next().map_or(0.0, |occasion| occasion.t);
    let rolls = (0..times.len()).find(|i| depth[*i] > 0.0 && ratio[*i].abs() < 0.05);
    match rolls.map(|i| times[i]) {
        Some(t) => {
            println!("set down at {touched:.3} s, up to speed after {:.3} s: the slip ratio is below 5 %", t - touched)
        }
        None => println!("set down at {touched:.3} s, and never up to speed"),
    }
    let flights = motion.events().of("tyre")?.count() / 2;
    println!("it leaves the ground {flights} times");

    assert_touches(touched);
    // Until it rolls, motor and tyre change the spin: I Δω = ∫ (τ − r F) dt, to 0.3 %, the error of rows 5 ms apart with
    // loads that jump.
    let (rolls, rim) = (rolls.ok_or("it never rolls")?, motion.output("rim_speed")?);
    let moment = |i: usize| 14.0 - 0.3 * friction(slip[i], rim[i] - slip[i], load[i]);
    let given: f64 = (0..rolls).map(|i| 0.5 * (moment(i) + moment(i + 1)) * (times[i + 1] - times[i])).sum();
    let spun = 0.9 * (rim[rolls] / 0.3 - 20.0);
    assert!((given / spun - 1.0).abs() < 0.003, "{given} N m s, not {spun} N m s");

    let page = motion.page().title("A driven wheel on terrain").trace("spoke")?;
    page.write("target/wheel_on_terrain.html")?;
    println!("wrote target/wheel_on_terrain.html (open it in a browser)");
    Ok(())
}
