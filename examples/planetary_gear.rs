//! A planetary gear that a brake engages: the motor drives the sun and idles while the ring rotates backwards; a lining slows the ring, and
//! once it is at rest a row fixes it. Prints Willis' ratio, torques, powers and tooth forces, and writes a page.
//!
//! `cargo run --release --example planetary_gear`

use std::error::Error;

use mbs::Simulation;

mbs::mechanism! {
    import "../mechanisms/parts/planetary.mbs";

    const sun_teeth = 36;
    const ring_teeth = 66;
    const planet_teeth = (ring_teeth - sun_teeth) / 2;
    const module = 0.003;                                               // m
    const reach = 0.85 * module;                                        // of teeth over the pitch circle
    function wave(x) = tanh(3 * cos(x));

    /// Motor at the sun, brake at the ring, winch at the carrier.
    pub planar PlanetaryGear {
        redundant: resolve;                                             // three planets constrain the same three times

        part set = planetary(ground, sun_teeth, ring_teeth);
        switch held = off;
        param winch = 8;                                                // N m, of the rope at the carrier
        param lining = 6;                                               // N m, of the slipping brake

        function motor(rate) = 9 - 0.15 * rate;                         // N m at rad/s
        force motor_torque = mobility(set.sun_bearing) { value: motor(set.sun_bearing.rate) };
        force rope = mobility(set.carrier_bearing) { value: -winch * tanh(set.carrier_bearing.rate / 0.1) };
        force friction = mobility(set.ring_bearing) {
            value: if t > 0.3 { -lining * tanh(set.ring_bearing.rate / 0.05) } else { 0 },
            enabled: !held,
        };
        constraint brake = set.ring_bearing.rate == 0 { enabled: held };
        event stands = when set.ring_bearing.rate > -0.2 && t > 0.31 { enabled: !held; held = on; }
        freedoms: 1;

        // As they look: teeth in and out of the pitch circles.
        for i in 0..4 {
            curve of_sun[i](s) on set.sun = (module * sun_teeth / 2 + reach * wave(sun_teeth * s)) * [cos(s), sin(s)]
                { range: [TAU * i / 4, TAU * (i + 1) / 4] };
        }
        for i in 0..11 {
            curve of_ring[i](s) on set.ring = (module * ring_teeth / 2 + reach * wave(ring_teeth * s)) * [cos(s), sin(s)]
                { range: [TAU * i / 11, TAU * (i + 1) / 11] };
        }
        for i in 0..2 {
            curve housing[i](s) on set.ring = module * (ring_teeth + 8) / 2 * [cos(s), sin(s)] { range: [PI * i, PI * (i + 1)] };
        }
        function planet_rim(s) = (module * planet_teeth / 2 + reach * wave(planet_teeth * s)) * [cos(s), sin(s)];
        for k in 0..3 {
            curve of_planet[k](s) on set.planet[k] = planet_rim(s) { range: [0, TAU / 3] };
            curve on_planet[k](s) on set.planet[k] = planet_rim(s) { range: [TAU / 3, 2 * TAU / 3] };
            curve to_planet[k](s) on set.planet[k] = planet_rim(s) { range: [2 * TAU / 3, TAU] };
        }

        output sun = set.sun_bearing.rate;
        output ring = set.ring_bearing.rate;
        output carrier = set.carrier_bearing.rate;
        output willis = (sun_rate - arm_rate) / (ring_rate - arm_rate + 1e-12);
        output motor = load(motor_torque);
        output holding = load(brake);
        output press = norm(reaction(set.inner[0]).force);
        output pin = norm(reaction(set.pin[0]).force);
        let sun_rate = set.sun_bearing.rate;
        let ring_rate = set.ring_bearing.rate;
        let arm_rate = set.carrier_bearing.rate;
    }
}

/// Asserts that a printed value agrees with theory, to within a tolerance.
fn assert_near(quantity: &str, found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{quantity}: {found}, not {expected}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let gear = PlanetaryGear::new(planetary_gear::Params::default())?;
    let recording = Simulation::new(&gear).duration(1.5).every(0.005).run()?;
    let last = recording.len() - 1;
    let at = |name: &str, row: usize| recording.output(name).map(|values| values[row]);

    println!("  t [s]    sun    ring  carrier [rad/s]   Willis   motor  brake [N m]   teeth    pin [N]");
    for row in (0..=last).step_by(30) {
        // Willis' equation, to what rates of 60 rad/s round to: (ω_sun − ω_carrier)/(ω_ring − ω_carrier) = −z_ring/z_sun.
        if row > 0 {
            assert_near("Willis' ratio", at("willis", row)?, -66.0 / 36.0, 1e-8);
        }
        println!(
            "{:7.2} {:6.1} {:7.1} {:8.1} {:16.4} {:7.2} {:6.2} {:13.1} {:8.1}",
            recording.times()[row],
            at("sun", row)?,
            at("ring", row)?,
            at("carrier", row)?,
            at("willis", row)?,
            at("motor", row)?,
            at("holding", row)?,
            at("press", row)?,
            at("pin", row)?,
        );
    }
    for event in recording.events().of("stands")? {
        println!(
            "\nthe ring stands at {:.3} s; from then on the sun turns {:.3} times as fast as the carrier",
            event.t,
            1.0 + 66.0 / 36.0
        );
    }
    // With the ring fixed, the ratios of the rope's 8 N m to the torques of motor and brake are 1 + z_ring/z_sun to 1 and z_ring/z_sun, and
    // the speed of the motor follows from its torque. The transient has decayed by a factor of e some 20 times.
    let balance = 8.0 / (1.0 + 66.0 / 36.0);
    assert_near("torque of the motor", at("motor", last)?, balance, 1e-6);
    assert_near("torque of the brake", at("holding", last)?, 66.0 / 36.0 * balance, 1e-6);
    assert_near("rate of the sun", at("sun", last)?, (9.0 - balance) / 0.15, 1e-5);
    assert_near("rate of the carrier", at("carrier", last)?, at("sun", last)? / (1.0 + 66.0 / 36.0), 1e-9);
    let power = at("motor", last)? * at("sun", last)?;
    assert_near("power", power, 8.0 * at("carrier", last)?, 1e-4);
    println!("at the end the motor gives {power:.1} W, and the rope takes {:.1} W", 8.0 * at("carrier", last)?);
    recording.write_csv("target/planetary_gear.csv")?;
    recording.page().title("Planetary gear").write("target/planetary_gear.html")?;
    println!("wrote target/planetary_gear.html (open it in a browser) and target/planetary_gear.csv");
    Ok(())
}
