//! Modes against simulated small motions.

use mbs::analysis::{Modes, Statics};
use mbs::{Integrator, Simulation};

use crate::modes::mechanisms::{assert_near, for_each_formulation, output, solved};

/// A four-bar that hangs on its two bearings.
pub const LINKAGE: &str = "planar FourBar { gravity: [0, -9.81];
    body crank   { mass: 0.4, inertia: 0.002, com: [0.01, -0.1], angle: 0.3 }
    body coupler { mass: 0.9, inertia: 0.02, com: [0.2, 0.03], position: [0.06, -0.19], angle: 0.05 }
    body rocker  { mass: 0.6, inertia: 0.01, com: [0, -0.15], position: [0.35, 0], angle: 0.1 }
    joint a = revolute(ground, crank);
    joint b = revolute(crank at [0, -0.2], coupler);
    joint c = revolute(coupler at [0.4, 0], rocker at [0, -0.3]);
    joint d = revolute(ground at [0.35, 0], rocker);
    output angle = a.angle;
    output rate = a.rate;
    freedoms: 1; }";

#[test]
fn a_hanging_four_bar_swings_at_its_frequency() {
    for_each_formulation(LINKAGE, |linkage| {
        let equilibrium = solved(Statics::new(linkage).stable());
        let rest = output(linkage, &equilibrium, "angle");
        let modes = Modes::undamped(linkage, &equilibrium).unwrap();
        // The initial rate is 1e-4 rad/s: the period depends on the square of the amplitude.
        let mut start = equilibrium.state.clone();
        start.v.iter_mut().zip(&modes[0].shape).for_each(|(v, x)| *v = 1e-4 * x.re);
        let period = std::f64::consts::TAU / modes[0].frequency();
        let exact = Integrator::DormandPrince { rtol: 1e-12, atol: 1e-15 };
        let run =
            Simulation::new(linkage).initial(start).integrator(exact).duration(10.25 * period).every(period / 400.0);
        let run = run.run().unwrap_or_else(|e| panic!("{e}"));
        let (times, angles, rates) = (run.times(), run.output("angle").unwrap(), run.output("rate").unwrap());
        // The upward passage through the equilibrium near the end of ten periods.
        let k = (1..angles.len())
            .rev()
            .find(|k| (angles[k - 1] - rest) * rates[0] < 0.0 && (angles[*k] - rest) * rates[0] >= 0.0);
        let k = k.unwrap();
        let crossing = times[k] - (angles[k] - rest) / rates[k];
        // Linear interpolation over at most 1/400 of a period has an error of (2π/400)³/6 of the amplitude, 1e-8 of ten periods.
        assert_near(crossing / (10.0 * period), 1.0, 1e-7);
    });
}
