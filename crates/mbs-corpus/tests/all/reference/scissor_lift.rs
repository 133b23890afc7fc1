//! A scissor lift made of parts against closed forms of its one freedom, the angle θ of the bars.
//!
//! With bars of length L and mass m, a load M, a roller m_r and N pairs, all from x = L cos θ and heights (i + ½) L sin θ of the
//! centres of both bars of pair i:
//!
//! 1. height of the platform N L sin θ, of the pivot of pair i (i + ½) L sin θ, roller at L cos θ;
//! 2. V = g L sin θ (N M + N² m), and by virtual work the spindle balances it with F = −g (N M + N² m) / tan θ;
//! 3. J θ̈ + ½ J′ θ̇² + V′ = −F L sin θ with J = L² (a sin²θ + b cos²θ + c), a = N m / 2 + m_r, b = 2 m Σ (i + ½)² + N² M,
//!    c = N m / 6.

use mbs::Describe;

use crate::reference::case::for_both_formulations;
use crate::reference::comparison::{Accuracy, Comparison};

const N: usize = 3;
const G: f64 = 9.81;
const ROLLER: f64 = 2.0;

/// Length and mass of a bar, load; force of the spindle, angle and its rate.
#[derive(Clone, Copy)]
struct Lift {
    length: f64,
    bar: f64,
    load: f64,
    push: f64,
    tilt: f64,
    rate: f64,
}

impl Lift {
    /// −V′/(L cos θ), by equation 2 \[N\].
    fn weight(self) -> f64 {
        let n = N as f64;
        G * (n * self.load + n * n * self.bar)
    }

    /// The lift in equilibrium, equation 2.
    fn balanced(self) -> Lift {
        Lift { push: -self.weight() / self.tilt.tan(), rate: 0.0, ..self }
    }

    /// θ̈ by equation 3 \[rad/s²\].
    fn acceleration(self) -> f64 {
        let (n, (sin, cos), l) = (N as f64, self.tilt.sin_cos(), self.length);
        let squares: f64 = (0..N).map(|i| (i as f64 + 0.5).powi(2)).sum();
        let [a, b, c] = [n * self.bar / 2.0 + ROLLER, 2.0 * self.bar * squares + n * n * self.load, n * self.bar / 6.0];
        let inertia = l * l * (a * sin * sin + b * cos * cos + c);
        let derivative = 2.0 * l * l * (a - b) * sin * cos;
        (-self.push * l * sin - self.weight() * l * cos - 0.5 * derivative * self.rate * self.rate) / inertia
    }
}

#[test]
fn a_scissor_lift_follows_its_closed_form_and_is_balanced_by_virtual_work() {
    let usual = Lift { length: 0.8, bar: 3.0, load: 120.0, push: -7000.0, tilt: 0.5, rate: 0.0 };
    let steep = Lift { length: 1.1, bar: 7.0, load: 40.0, push: 300.0, tilt: 1.2, rate: -0.7 };
    for lift in [usual, usual.balanced(), steep, steep.balanced(), Lift { rate: 0.4, ..usual }] {
        for_both_formulations!(scissor_lift {
            length: lift.length, bar_mass: lift.bar, load: lift.load, push: lift.push, tilt: lift.tilt, rate: lift.rate,
        } => compare(lift));
    }
}

fn compare<M: Describe>(coordinates: &str, mechanism: &M, lift: Lift) {
    let mut comparison = Comparison::new("scissor_lift", coordinates, mechanism, &[0.0]);
    // Assembled to Newton's round-off, 1e-15 of lengths, times the derivatives of ten bars in a chain.
    let rounded = Accuracy::Absolute(1e-12);
    let ((sin, cos), l, n) = (lift.tilt.sin_cos(), lift.length, N as f64);
    comparison.compare("height", rounded, &[n * l * sin], |at| at.output("height"));
    comparison.compare("climb", rounded, &[n * l * cos * lift.rate], |at| at.output("climb"));
    comparison.compare("reach", rounded, &[l * cos], |at| at.output("reach"));
    comparison.compare("level", rounded, &[0.0], |at| at.output("level"));
    for i in 0..N {
        let name = format!("pair[{i}].height");
        comparison.compare(&name.clone(), rounded, &[(i as f64 + 0.5) * l * sin], move |at| at.output(&name));
    }
    // 1e-11: loads of 1e4 N cancel in equilibrium, divided by an inertia of 500 kg m².
    let acceleration = Accuracy::Absolute(1e-11);
    comparison.compare("acceleration", acceleration, &[lift.acceleration()], |at| at.output("angular_acceleration"));
    comparison.finish();
}
