//! A double pendulum swings against a post: impacts act through its joints, and the energy that each one costs follows from the list of events.
//!
//! `cargo run --release --example struck_pendulum`

use std::error::Error;

use mbs::{Eventful, Integrator, Mechanism, Simulation, StateView};

mbs::mechanism! {
    /// Two rods on a pin, beside a post that the tip of the lower one strikes.
    pub planar StruckPendulum {
        gravity: [0, -9.81];

        param restitution = 0.6;
        param post = 0.25;                                  // its face, right of the pin, m
        const length = 0.5;                                 // of each rod, m
        discrete strikes = 0;                               // counted
        discrete brake = 0;                                 // friction of the pin once it is worn, N m s

        body upper { mass: 1.2, inertia: 0.025, com: [length / 2, 0] }
        body lower { mass: 0.8, inertia: 0.017, com: [length / 2, 0] }
        marker tip = lower at [length, 0];
        joint pin = revolute(ground, upper);
        joint knee = revolute(upper at [length, 0], lower);
        force friction = torque(ground, upper) { torque: -brake * pin.rate };
        initial pin.angle = -2.8, knee.angle = 0.35;

        // The tip has reached the post when its distance falls to zero; the post pushes it back along x.
        event strike = when post - position(tip).x falls {
            impulse(ground, tip) { direction: [-1, 0], restitution };
            strikes = strikes + 1;
        }
        event worn = when strikes >= 3 { brake = 0.4; }
        report on strike;
        stop when abs(pin.rate) + abs(knee.rate) < 0.02 && kinetic_energy < 1e-3;

        output reach = position(tip).x;
        output energy = kinetic_energy + potential_energy;
        output bearing = norm(reaction(pin).force);
    }
}

/// Rate at which the gap between tip and post opens \[m/s\]: the rate of the value of the first event.
fn approach(pendulum: &StruckPendulum, at: StateView) -> Result<f64, mbs::Error> {
    let mut rates = vec![0.0; pendulum.sizes().n_events];
    pendulum.event_rates(at, &mut rates)?;
    Ok(rates[0])
}

fn main() -> Result<(), Box<dyn Error>> {
    let pendulum = StruckPendulum::new(Default::default())?;
    let precise = Integrator::DormandPrince { rtol: 1e-9, atol: 1e-10 };
    let motion = Simulation::new(&pendulum).integrator(precise).duration(12.0).every(0.02).run()?;

    println!("strike     t [s]   impulse [N s]   gap opens at [m/s]   energy lost [J]");
    for (k, strike) in motion.events().of("strike")?.enumerate() {
        let lost = pendulum.energy(strike.before).kinetic - pendulum.energy(strike.after).kinetic;
        let [before, after] = [approach(&pendulum, strike.before)?, approach(&pendulum, strike.after)?];
        println!("{:6} {:9.4} {:15.4} {:9.3} → {:6.3} {lost:17.4}", k + 1, strike.t, strike.impulses[0], before, after);
    }
    for worn in motion.events().of("worn")? {
        println!("the pin is worn at {:.4} s, and brakes from then on", worn.t);
    }
    println!(
        "{}",
        match motion.events().stop() {
            Some(_) => format!("at rest after {:.2} s", motion.times().last().unwrap_or(&0.0)),
            None => "still swinging".to_owned(),
        }
    );
    println!("largest load of the pin: {:.1} N", motion.extremes("bearing")?.maximum.value);

    let page = motion.page().title("A double pendulum strikes a post").trace("tip")?;
    page.write("target/struck_pendulum.html")?;
    println!("wrote target/struck_pendulum.html (open it in a browser)");
    Ok(())
}
