//! A satellite that thrusters rotate and move, with five representations of its attitude and one motion.
//!
//! `cargo run --release --example satellite`

use std::error::Error;
use std::f64::consts::PI;

use mbs::report::Solid;
use mbs::{FullMechanism, Integrator, Recording, Simulation, State, StateView};

/// Declares the satellite with a representation of its attitude.
macro_rules! satellite {
    ($name:ident, $($attitude:tt)+) => {
        mbs::mechanism! {
            /// Free body; thrusters give a force and a moment in its axes.
            pub spatial $name {
                input force: [3];                                       // N
                input moment: [3];                                      // N m
                body bus {
                    mass: 140,
                    inertia: [[24, 1.2, -0.8], [1.2, 38, 0.6], [-0.8, 0.6, 31]],
                    com: [0.02, -0.01, 0.05],
                    attitude: $($attitude)+,
                }
                marker antenna = bus at [0, 0, 1.1];
                joint base = free(ground, bus);
                force thrust = wrench(bus at com) { force: force in bus, moment: moment in bus };
                freedoms: 6;
                kernels: [forward, kinematics, energies, outputs];      // it has no joints: no reactions

                output spin = angular_velocity(bus);
                output angular_momentum = angular_momentum(bodies, bodies at com);
                output speed = norm(velocity(bus at com));
            }
        }
    };
}

satellite!(Quaternion, quaternion);
satellite!(ModifiedRodrigues, mrp);
satellite!(Rodrigues, rodrigues);
satellite!(RotationVector, vector);
satellite!(EulerAngles, euler(zyx));

const DURATION: f64 = 40.0;

/// The sequence: start of the burn [s], its length [s], force [N] and moment [N m] at its peak, in axes of the bus.
const BURNS: [(f64, f64, [f64; 3], [f64; 3]); 5] = [
    (1.0, 8.0, [0.0; 3], [0.5, 0.3, 0.8]),
    (10.0, 6.0, [12.0, 0.0, 4.0], [0.0; 3]),
    (18.0, 6.0, [0.0; 3], [0.6, -0.9, 0.3]),
    (25.0, 8.0, [0.0; 3], [-0.9, 0.2, -0.9]),
    (34.0, 5.0, [-10.0, 6.0, 0.0], [0.0; 3]),
];

/// Forces and moments of all burns at a time; each rises and falls like sin⁴.
fn thrusters(at: StateView, u: &mut [f64]) {
    u.fill(0.0);
    for (start, length, force, moment) in BURNS {
        if at.t > start && at.t < start + length {
            let strength = (PI * (at.t - start) / length).sin().powi(4);
            for (u, peak) in u.iter_mut().zip(force.into_iter().chain(moment)) {
                *u += strength * peak;
            }
        }
    }
}

fn fly(satellite: &impl FullMechanism) -> Result<Recording, Box<dyn Error>> {
    let flight = Simulation::new(satellite).inputs(thrusters);
    let exact = Integrator::DormandPrince { rtol: 1e-13, atol: 1e-14 };
    Ok(flight.integrator(exact).max_step(0.25).duration(DURATION).every(0.1).run()?)
}

/// Largest differences of two flights: positions of the bus [m], its attitude [rad], and its angular velocity [rad/s].
fn differences(one: &Recording, other: &Recording) -> Result<[f64; 3], Box<dyn Error>> {
    let (a, b) = (one.body("bus")?, other.body("bus")?);
    let mut largest = [0.0; 3];
    for i in 0..one.len() {
        let apart = |x: &[f64], y: &[f64], sign: f64| {
            x.iter().zip(y).fold(0.0, |most: f64, (x, y)| most.max((x - sign * y).abs()))
        };
        // Both signs of a unit quaternion are one attitude; its vector part has half of the angle of the rotation.
        let (e, f) = (&a.attitudes[i], &b.attitudes[i]);
        let sign = e.iter().zip(f).map(|(e, f)| e * f).sum::<f64>().signum();
        let mut spin = 0.0_f64;
        for name in ["spin.x", "spin.y", "spin.z"] {
            spin = spin.max((one.output(name)?[i] - other.output(name)?[i]).abs());
        }
        let now = [apart(&a.positions[i], &b.positions[i], 1.0), 2.0 * apart(e, f, sign), spin];
        largest = std::array::from_fn(|k| now[k].max(largest[k]));
    }
    Ok(largest)
}

/// The bus in gold foil, two panels along y on their arms, a dish and a nozzle.
fn solids() -> Vec<Solid> {
    let (foil, cells, metal) = ([201, 152, 58], [38, 64, 122], [170, 176, 186]);
    let mut solids = vec![
        Solid::block("bus", [0.9, 0.8, 1.2]).color(foil),
        Solid::cylinder("bus", 0.04, 0.4).at([0.0, 0.0, 0.8]).color(metal),
        Solid::cylinder("bus", 0.42, 0.05).at([0.0, 0.0, 1.02]).color([226, 229, 234]),
        Solid::cylinder("bus", 0.16, 0.18).at([0.0, 0.0, -0.69]).color([80, 84, 92]),
    ];
    for side in [-1.0, 1.0] {
        solids.push(Solid::block("bus", [0.06, 0.5, 0.06]).at([0.0, 0.65 * side, 0.0]).color(metal));
        for panel in 0..3 {
            let y = side * (1.4 + 1.04 * f64::from(panel));
            solids.push(Solid::block("bus", [1.0, 1.0, 0.03]).at([0.0, y, 0.0]).color(cells));
        }
    }
    solids
}

/// Simulates a rotation without thrusters for ten minutes, in steps of a twentieth of a revolution, by the implicit midpoint rule on the
/// manifold of attitudes and by the explicit one, and prints how well each conserves energy and angular momentum.
fn rotate_freely() -> Result<(), Box<dyn Error>> {
    let satellite = Quaternion::new(Default::default())?;
    let mut start = State::new(&satellite);
    // Linear speeds come first.
    start.v[3..].copy_from_slice(&[0.02, 0.6, 0.05]);
    println!("\n10 min without thrusters, h = 0.5 s   energy changes by   angular momentum by");
    let step = 0.5;
    for (name, integrator) in [
        ("implicit midpoint on the manifold", Integrator::ImplicitMidpoint { step }),
        ("explicit midpoint", Integrator::Rk2 { step }),
    ] {
        let flight = Simulation::new(&satellite).initial(start.clone()).integrator(integrator);
        let flight = flight.duration(600.0).every(step).run()?;
        let energies = flight.total_energy();
        let [x, y, z] = ["x", "y", "z"].map(|axis| flight.output(&format!("angular_momentum.{axis}")));
        let momenta = [x?, y?, z?];
        let size = momenta.iter().map(|h| h[0] * h[0]).sum::<f64>().sqrt();
        let worst = |values: &[f64]| values.iter().fold(0.0, |most: f64, x| most.max((x - values[0]).abs()));
        let (energy, momentum) = (worst(&energies), momenta.iter().fold(0.0, |most: f64, h| most.max(worst(h))));
        println!("{name:35}   {:9.1e} of it   {:9.1e} of it", energy / energies[0], momentum / size);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let flight = fly(&Quaternion::new(Default::default())?)?;
    println!("  t [s]   angular momentum [N m s], world axes      speed [m/s]");
    let [x, y, z] = ["x", "y", "z"].map(|axis| flight.output(&format!("angular_momentum.{axis}")));
    let (x, y, z, speed) = (x?, y?, z?, flight.output("speed")?);
    for (i, t) in flight.times().iter().enumerate().step_by(40) {
        println!("{t:7.1} {:12.6} {:12.6} {:12.6} {:12.6}", x[i], y[i], z[i], speed[i]);
    }

    // No burn has a moment from 9 s to 18 s: the angular momentum is constant.
    let (start, end) = (90, 180);
    let coast =
        (start..=end).fold(0.0_f64, |most, i| [x, y, z].iter().fold(most, |most, h| most.max((h[i] - h[start]).abs())));
    println!("from 9 s to 18 s, without a moment, the angular momentum changes by {coast:.1e} N m s");

    println!("\nattitude                 n_q   differences from the flight with quaternions");
    let others = [
        ("modified Rodrigues", modified_rodrigues::NQ, fly(&ModifiedRodrigues::new(Default::default())?)?),
        ("Rodrigues", rodrigues::NQ, fly(&Rodrigues::new(Default::default())?)?),
        ("rotation vector", rotation_vector::NQ, fly(&RotationVector::new(Default::default())?)?),
        ("Euler angles z, y, x", euler_angles::NQ, fly(&EulerAngles::new(Default::default())?)?),
    ];
    println!("quaternion {:17}   {:>12} {:>14} {:>16}", quaternion::NQ, "position", "attitude", "angular velocity");
    for (name, n_q, other) in &others {
        let [position, attitude, spin] = differences(&flight, other)?;
        println!("{name:22} {n_q:5}   {position:10.1e} m {attitude:10.1e} rad {spin:10.1e} rad/s");
    }

    rotate_freely()?;

    let page = flight.page().title("Satellite with thrusters").trace("antenna")?.solids(solids())?;
    page.write("target/satellite.html")?;
    println!("\nwrote target/satellite.html (open it in a browser)");
    Ok(())
}
