//! Torque ripple, and flywheels: closed forms, and the fluctuation that a simulated machine shows.

use std::f64::consts::{PI, TAU};

use mbs::analysis::{Harmonics, TorqueFluctuation};
use mbs::{InverseDynamics, Simulation};

/// Torques at n equally spaced angles of a revolution.
fn torque(n: usize, law: impl Fn(f64) -> f64) -> TorqueFluctuation {
    let samples: Vec<f64> = (0..n).map(|j| law(TAU * j as f64 / n as f64)).collect();
    Harmonics::new(&samples, 1).unwrap().torque_fluctuation()
}

#[test]
fn fluctuation_of_one_wave_is_its_area() {
    // T = 100 + 40 sin 3θ: the work between zeros of the sine is 40 · 2/3 J.
    let found = torque(50, |angle| 100.0 + 40.0 * (3.0 * angle).sin());
    // 1e-12: round-off of 50 terms of 140.
    for (found, expected) in [
        (found.mean, 100.0),
        (found.minimum, 60.0),
        (found.maximum, 140.0),
        (found.energy, 80.0 / 3.0),
        (found.ripple(), 0.8),
        (found.flywheel(0.02, 50.0), 80.0 / 3.0 / 50.0),
        (found.coefficient(80.0 / 3.0 / 50.0, 50.0), 0.02),
    ] {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }
    // The speed is least where the torque begins to exceed its mean, and greatest where it falls below its mean.
    assert!((3.0 * found.slowest).cos() > 1.0 - 1e-12 && (3.0 * found.fastest).cos() < 1e-12 - 1.0, "{found:?}");
}

#[test]
fn fluctuation_adds_neighbouring_areas() {
    // A pulse of Norton's kind: the largest difference of E, not the largest single area. E = −10 cos θ − 4 cos 2θ has its extremes where
    // sin θ (10 + 16 cos θ) = 0: −14 at 0, 6 at π, and 7.125 where cos θ = −10/16.
    let found = torque(64, |angle| 10.0 * angle.sin() + 8.0 * (2.0 * angle).sin());
    let peak = -10.0 * -0.625 - 4.0 * (2.0 * 0.625_f64.powi(2) - 1.0);
    assert!((found.energy - (peak + 14.0)).abs() < 1e-12, "{found:?}");
    assert!((found.fastest.cos() + 0.625).abs() < 1e-9 && found.slowest.sin().abs() < 1e-9, "{found:?}");
    let level = torque(8, |_| 5.0);
    assert!(level.energy.abs() < 1e-14 && (level.mean - 5.0).abs() < 1e-14);
}

mbs::mechanism! {
    /// A cylinder whose gas pushes during the downward stroke, driven at constant speed.
    pub planar DrivenPress {
        param speed = 100.0;
        body crank  { mass: 2, inertia: 0.02 }
        body rod    { mass: 0.3, inertia: 1e-3, com: [0.05, 0], angle: 0 }
        body piston { mass: 0.2, inertia: 1e-4, position: [0.2, 0] }
        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [0.05, 0], rod);
        joint wrist_pin    = revolute(rod at [0.15, 0], piston);
        joint cylinder     = prismatic(ground, piston) { axis: [1, 0] };
        drive motor = main_bearing.angle == speed * t;
        force gas = mobility(cylinder) { value: -300 * (1 + sin(main_bearing.angle)) };
        output torque = -load(motor);
    }
}

mbs::mechanism! {
    /// This cylinder without a drive, with a flywheel on its crank and a constant load.
    pub planar FreePress {
        param speed = 100.0;
        param flywheel = 1.0;
        param brake = 0.0;
        body crank  { mass: 2, inertia: flywheel }
        body rod    { mass: 0.3, inertia: 1e-3, com: [0.05, 0], angle: 0 }
        body piston { mass: 0.2, inertia: 1e-4, position: [0.2, 0] }
        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [0.05, 0], rod);
        joint wrist_pin    = revolute(rod at [0.15, 0], piston);
        joint cylinder     = prismatic(ground, piston) { axis: [1, 0] };
        initial main_bearing.angle = 0, main_bearing.rate = speed;
        force gas   = mobility(cylinder) { value: -300 * (1 + sin(main_bearing.angle)) };
        force works = torque(ground, crank) { torque: -brake };
        output rate = main_bearing.rate;
    }
}

#[test]
fn flywheels_keep_the_requested_coefficient() {
    let speed = 100.0;
    let driven = DrivenPress::new(driven_press::Params { speed }).unwrap();
    let recording = InverseDynamics::new(&driven).grid(0.0, TAU / speed, 257).run().unwrap();
    let torque =
        recording.cycle("main_bearing.angle").unwrap_or_else(|e| panic!("{e}")).harmonics("torque", 256).unwrap();
    let fluctuation = torque.torque_fluctuation();
    // The gas does 300 N · ∮ sin θ dx of work per revolution, with dx/dθ = −r sin θ − (even orders): 300 π r.
    assert!((fluctuation.mean - 0.5 * 300.0 * 0.05).abs() < 1e-9, "{fluctuation:?}");
    let mut misses = Vec::new();
    for requested in [0.04, 0.02, 0.01, 0.005] {
        let flywheel = fluctuation.flywheel(requested, speed);
        assert!((fluctuation.coefficient(flywheel, speed) - requested).abs() < 1e-15);
        let brake = fluctuation.mean;
        let free = FreePress::new(free_press::Params { speed, flywheel, brake }).unwrap();
        let run = Simulation::new(&free).duration(5.0 * TAU / speed).every(1e-4).run().unwrap();
        let rate = run.extremes("rate").unwrap();
        let [least, largest] = [rate.minimum.value, rate.maximum.value];
        let found = 2.0 * (largest - least) / (largest + least);
        println!("asked for {requested}, found {found:.6}, J = {flywheel:.4}");
        misses.push((found / requested - 1.0).abs());
    }
    // Equation 2 of the module is exact for J alone. The linkage also stores energy, some part C_s of the flywheel's, and its
    // inertia torque follows the actual speed: the difference is of order C_s.
    assert!(misses[2] < 0.02, "{misses:?}");
    assert!(misses.windows(2).all(|pair| (0.4..0.6).contains(&(pair[1] / pair[0]))), "{misses:?}");
}

#[test]
fn fluctuation_of_a_square_wave_converges() {
    // ±1 N m for half a revolution each: the fluctuation is π J. A sample represents a step as wide as the sampling interval.
    for n in [64, 256] {
        let found = torque(n, |angle| if angle < PI - 1e-9 { 1.0 } else { -1.0 });
        assert!((found.energy - PI).abs() < 4.0 / n as f64, "{}", found.energy);
    }
}
