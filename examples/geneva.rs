//! A Geneva drive: the pin of a crank with constant speed enters a slot, rotates the wheel by 90°, and leaves; in between a disc on the crank locks
//! the wheel. Slot and disc are rows that events switch. Prints the wheel's motion and its closed form, and writes a page.
//!
//! `cargo run --release --example geneva`

use std::error::Error;
use std::f64::consts::{PI, TAU};

use mbs::Simulation;

mbs::mechanism! {
    /// The pin enters along the slot, so that the wheel starts and stops without a blow.
    pub planar Geneva {
        const slots = 4;
        const apart = 0.1;                                              // of the axes, m
        const reach = apart * sin(PI / slots);                          // of the pin from the crank's
        const rim = apart * cos(PI / slots);                            // of the wheel
        const step = TAU / slots;
        param speed = TAU;                                              // rad/s, of the crank

        body crank { mass: 0.3, inertia: 2e-4 }
        body wheel { mass: 0.5, inertia: 6e-4 }
        marker pin = crank at [reach, 0];
        joint shaft = revolute(ground, crank);
        joint axle  = revolute(ground at [apart, 0], wheel);
        drive motor = shaft.angle == speed * t - 0.9 * PI;              // from where the crank points away from the wheel
        freedoms: 1;

        // The wheel rotates the other way, and rests with a slot on either side of the line of axes.
        switch engaged = off;
        discrete turned = 0;                                            // how often
        function slot(k) = PI + step / 2 + k * step;                    // its direction on the wheel
        let along = cos(slot(turned)) * wheel.x + sin(slot(turned)) * wheel.y;
        let arm = position(pin) - position(wheel);
        constraint disc   = axle.angle == -step * turned { enabled: !engaged };
        constraint flanks = cross(along, arm) == 0 { enabled: engaged };
        exclusive: [disc, flanks];
        event enters = when norm(arm) - rim falls { enabled: arm.y < 0; engaged = on; }
        event leaves = when norm(arm) - rim rises { enabled: arm.y > 0; engaged = off; turned = turned + 1; }

        // As it looks.
        const width = 0.006;                                            // half of a slot's, m
        const lock = 0.046;                                             // radius of the disc
        const open = acos((apart * apart + lock * lock - rim * rim) / (2 * apart * lock));
        const edge = acos((apart * apart + rim * rim - lock * lock) / (2 * apart * rim));
        function cut(s) = apart * cos(s) - sqrt(rim * rim - (apart * sin(s)).powi(2));
        function rounded(s) = lock * [cos(s), sin(s)];
        function hole(s) = if abs(s) < open { cut(s) * [cos(s), sin(s)] } else { rounded(s) };
        function deep(s) = apart - reach + if abs(s) < 0.3 { -width * cos(s * PI / 0.6) }
            else { (abs(s) - 0.3) / 0.7 * (sqrt(rim * rim - width * width) - apart + reach) };
        function wide(s) = if abs(s) < 0.3 { width * sin(s * PI / 0.6) } else { width * signum(s) };
        function at_angle(v, a) = [v.x * cos(a) - v.y * sin(a), v.x * sin(a) + v.y * cos(a)];
        curve held(s) on crank = hole(s) { range: [-PI, PI] };
        curve peg on pin = circle(width);
        for k in 0..slots {
            curve groove[k](s) on wheel = at_angle([deep(s), wide(s)], slot(k)) { range: [-1, 1] };
            curve hollow[k](s) on wheel = at_angle([apart - lock * cos(s), lock * sin(s)], PI + k * step) { range: [-open, open] };
            curve before[k](s) on wheel = rim * [cos(s), sin(s)]
                { range: [PI + k * step + edge, slot(k) - asin(width / rim)] };
            curve behind[k](s) on wheel = rim * [cos(s), sin(s)]
                { range: [slot(k) + asin(width / rim), PI + (k + 1) * step - edge] };
        }

        output angle = axle.angle;
        output rate = axle.rate;
        output acceleration = axle.acceleration;
        output press = load(flanks);
        output torque = load(motor);
        output wheel_turned = turned;
    }
}

/// Angle of the wheel relative to its pose with the pin on the line of axes, and its rate: tan β = sin α/(μ − cos α), β' = (μ cos α − 1)/(μ² − 2 μ
/// cos α + 1).
fn closed_form(alpha: f64, rate: f64) -> (f64, f64) {
    let mu = 1.0 / (PI / 4.0).sin();
    let derivative = (mu * alpha.cos() - 1.0) / (mu * mu - 2.0 * mu * alpha.cos() + 1.0);
    (alpha.sin().atan2(mu - alpha.cos()), derivative * rate)
}

fn main() -> Result<(), Box<dyn Error>> {
    let geneva = Geneva::new(geneva::Params::default())?;
    // Steps are limited to less than the time of the pin in a slot: during constant rotation longer ones would pass over it.
    let recording = Simulation::new(&geneva).duration(4.0).every(0.01).max_step(0.1).run()?;
    let [angle, rate, turned] = ["angle", "rate", "wheel_turned"].map(|name| recording.output(name));
    let (angle, rate, turned) = (angle?, rate?, turned?);
    let (mut off, mut engaged) = (0.0_f64, 0);
    println!(" crank [°]   wheel [°]   closed form   rate [rad/s]   closed form");
    for (row, t) in recording.times().iter().enumerate() {
        let alpha = (TAU * t - 0.9 * PI + PI).rem_euclid(TAU) - PI;
        if alpha.abs() >= PI / 4.0 - 1e-9 {
            continue;
        }
        let (beta, derivative) = closed_form(alpha, TAU);
        // The wheel rotates in the opposite direction of the crank.
        let expected = -(turned[row] + 0.5) * PI / 2.0 - beta;
        off = off.max((angle[row] - expected).abs()).max((rate[row] + derivative).abs());
        engaged += 1;
        if *t < 1.0 {
            println!(
                "{:9.1} {:11.4} {:13.4} {:14.4} {:13.4}",
                alpha.to_degrees(),
                angle[row].to_degrees(),
                expected.to_degrees(),
                rate[row],
                -derivative
            );
        }
    }
    println!("{engaged} rows in a slot, at most {off:.1e} rad or rad/s off");
    // Error of the integrator over four revolutions.
    assert!(engaged == 100 && off < 1e-9, "{engaged} rows, {off:e} off");
    for (k, event) in (0..).zip(recording.events().iter()) {
        let blow = event.row_impulses.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        println!("{:8.4} s  {}, with a blow of {blow:.1e} N s", event.t, event.name);
        // The pin enters at −45° and leaves at 45° of every revolution, along the slot, so that there is no impulse.
        let expected = f64::from(k / 2) + if k % 2 == 0 { 0.325 } else { 0.575 };
        assert!((event.t - expected).abs() < 1e-9 && blow < 1e-9, "at {} s, not {expected} s, {blow} N s", event.t);
    }
    // Four revolutions index the wheel four times by 90°.
    let index = angle[angle.len() - 1] / -4.0;
    assert!((index.to_degrees() - 90.0).abs() < 1e-9, "{}°", index.to_degrees());
    recording.write_csv("target/geneva.csv")?;
    recording.page().title("Geneva drive").write("target/geneva.html")?;
    println!("wrote target/geneva.html (open it in a browser) and target/geneva.csv");
    Ok(())
}
