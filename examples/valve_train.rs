//! A valve train: a cam lifts a roller on a rocker, whose pad opens a valve against its spring. Prints the speed at which contact is lost, the
//! largest pressure angle and the smallest radius of the cam, and writes a page.
//!
//! `cargo run --release --example valve_train`

use std::error::Error;
use std::f64::consts::TAU;

use mbs::{InverseDynamics, Recording, Simulation};

mbs::mechanism! {
    /// Overhead valve train of one cam.
    pub planar ValveTrain {
        param speed = 150;                                              // rad/s, of the cam
        param height = 0.006;                                           // m, of the lobe
        param base = 0.018;                                             // m, radius of the base circle

        /// Lift of the lobe [m] at an angle on it [rad].
        function lift(s) = rise(within(s)) - fall(within(s));
        function within(s) = s - TAU * floor(s / TAU);
        function rise = polynomial_4567([0.17, 1.57], [0, height]);
        function fall = polynomial_4567([1.57, 2.97], [0, height]);

        body camshaft { mass: 1, inertia: 1e-3, angle: -1.57 }
        body rocker   { mass: 0.15, inertia: 5e-5, position: [0.03, 0.035] }
        body valve    { mass: 0.09, inertia: 1e-5, com: [0, -0.03], position: [0.06, 0.027] }
        marker roller = rocker at [-0.03, -0.009];
        marker pad = rocker at [0.03, 0.002];

        joint bearing = revolute(ground, camshaft);
        joint pivot   = revolute(ground at [0.03, 0.035], rocker);
        joint guide   = prismatic(ground at [0.06, 0], valve) { axis: [0, 1] };
        curve lobe(s) on camshaft = (base + lift(s)) * [cos(s), sin(s)] { closed: TAU };
        curve wheel on roller = circle(0.008);
        curve shoe on pad     = circle(0.01);
        curve tip on valve    = line([-1, 0]);
        joint contact = cam(lobe, wheel);
        joint tappet  = cam(shoe, tip);

        force spring = spring_damper(ground at [0.06, -0.03], valve at [0, -0.01]) { stiffness: 40e3, free_length: 0.0545 };
        drive turn   = bearing.angle == speed * t - PI / 2;
        event jump_off = when contact.force falls { report; }
        freedoms: 1;

        output opening = 0.027 - position(valve).y;
        output pressure_angle = contact.pressure_angle;
        output radius = contact.radius;
        output relative_curvature = contact.relative_curvature;
        output force = contact.force;
        output tip_force = tappet.force;
        output place = lobe.point(contact.first);
    }
}

/// Runs a revolution at a speed \[rad/s\], with a row per degree.
fn run_revolution(speed: f64) -> Result<Recording, Box<dyn Error>> {
    let train = ValveTrain::new(valve_train::Params { speed, ..Default::default() })?;
    Ok(InverseDynamics::new(&train).grid(0.0, TAU / speed, 361).run()?)
}

/// Radius of curvature of the lobe at an angle on it, of ρ = base + lift: (ρ² + ρ′²)^(3/2)/(ρ² + 2 ρ′² − ρ ρ″).
fn radius_of_curvature(s: f64) -> f64 {
    // Rise and fall are each other's mirror images about the nose at 1.57.
    let (beta, height) = (1.4, 0.006);
    let from = (s - 1.57 + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
    let x = (1.0 - from.abs() / beta).max(0.0);
    let direction = -from.signum() / beta;
    let lift = x.powi(4) * (35.0 - 84.0 * x + 70.0 * x * x - 20.0 * x.powi(3));
    let first = 140.0 * (x * (1.0 - x)).powi(3);
    let second = 420.0 * (x * (1.0 - x)).powi(2) * (1.0 - 2.0 * x);
    let (rho, first, second) =
        (0.018 + height * lift, height * first * direction, height * second * direction * direction);
    (rho * rho + first * first).powf(1.5) / (rho * rho + 2.0 * first * first - rho * second)
}

fn main() -> Result<(), Box<dyn Error>> {
    let slow = run_revolution(1.0)?;
    let largest = |values: &[f64]| values.iter().fold(f64::NEG_INFINITY, |m, x| m.max(*x));
    let angles: Vec<f64> = slow.output("pressure_angle")?.iter().map(|a| a.abs().to_degrees()).collect();
    let radii = slow.output("radius")?;
    let smallest = radii.iter().filter(|r| **r > 0.0).fold(f64::INFINITY, |m, r| m.min(*r));
    let hollow = radii.iter().filter(|r| **r < 0.0).fold(f64::NEG_INFINITY, |m, r| m.max(*r));
    let closest = slow.output("relative_curvature")?.iter().fold(f64::INFINITY, |m, x| m.min(*x));
    println!("opening             {:8.2} mm", 1e3 * largest(slow.output("opening")?));
    println!("pressure angle      {:8.1}°  at most", largest(&angles));
    println!("radius of the cam   {:8.2} mm at least where it bulges", 1e3 * smallest);
    println!("                    {:8.2} mm where it is hollow, for a roller of 8 mm", 1e3 * hollow);
    println!("relative curvature  {closest:8.1} 1/m at least: not undercut while it is positive");
    // Curvatures are those of the lobe at the contact and of the roller, 1/8 mm, to 1e-9 of these.
    let [x, y, curvature] = ["place.x", "place.y", "relative_curvature"].map(|name| slow.output(name));
    let (x, y, curvature) = (x?, y?, curvature?);
    for (row, angle) in slow.times().iter().map(|t| t - TAU / 4.0).enumerate() {
        let expected = 1.0 / radius_of_curvature(y[row].atan2(x[row]) - angle);
        assert!((1.0 / radii[row] - expected).abs() < 1e-7, "1/{} m, not {expected} 1/m", radii[row]);
        assert!((curvature[row] - expected - 125.0).abs() < 1e-7, "{}, not {expected} + 125 1/m", curvature[row]);
    }

    // Forces are the sum of spring forces and of inertia forces with the square of the speed: F = F₀ + ω² F₂.
    let fast = run_revolution(100.0)?;
    let (mut limit, mut location) = (f64::INFINITY, ("", 0));
    for name in ["force", "tip_force"] {
        let parts = slow.output(name)?.iter().zip(fast.output(name)?).enumerate();
        for (degree, (at_one, at_hundred)) in parts {
            let inertia = (at_hundred - at_one) / (100.0 * 100.0 - 1.0);
            let speed = ((at_one - inertia) / -inertia).sqrt();
            if inertia < 0.0 && speed < limit {
                (limit, location) = (speed, (name, degree));
            }
        }
    }
    let minute = 60.0 / TAU;
    println!(
        "jumps off           {limit:8.1} rad/s, {:.0} rpm of the cam, where {} vanishes at {}°",
        limit * minute,
        location.0,
        location.1
    );

    // At that speed the force vanishes at that angle, to roundings of some 100 N, and is larger at all others.
    let at_limit = run_revolution(limit)?;
    let least = at_limit.output(location.0)?.iter().fold(f64::INFINITY, |m, x| m.min(*x));
    assert!(least.abs() < 1e-8 && at_limit.output(location.0)?[location.1] == least, "{least} N");

    let train = ValveTrain::new(valve_train::Params { speed: 0.97 * limit, ..Default::default() })?;
    let recording = Simulation::new(&train).duration(2.0 * TAU / limit).every(TAU / limit / 180.0).run()?;
    let below = recording.events().of("jump_off")?.count();
    println!("at 97 % of that     {below:8} jumps in two turns");
    let train = ValveTrain::new(valve_train::Params { speed: 1.03 * limit, ..Default::default() })?;
    let over = Simulation::new(&train).duration(TAU / limit).every(TAU / limit / 180.0).run()?;
    let above = over.events().of("jump_off")?.count();
    println!("at 103 %            {above:8} in one");
    assert_eq!((below, above), (0, 1), "it jumps beyond that speed, and not before");
    recording.write_csv("target/valve_train.csv")?;
    recording.page().title("Valve train").write("target/valve_train.html")?;
    println!("wrote target/valve_train.html (open it in a browser) and target/valve_train.csv");
    Ok(())
}
