//! The energy that a ball loses while it rides on a plane is the work of damping and friction, computed here from position, velocity and spin of the
//! ball: normal force, friction and energy follow the book's formulas of depth, its rate and slip.

use super::run_everywhere;

const MASS: f64 = 2.0;
const INERTIA: f64 = 0.05;
const RADIUS: f64 = 0.3;
const STIFFNESS: f64 = 2e4;
const GRAVITY: f64 = 9.81;
const END: f64 = 0.1;

/// Parts of the run, and nodes and weights of Gauss's five points on each. Friction falls by e in 0.5 ms or more, a part is 1 ms: with h λ = 2 the
/// error is (h λ)¹⁰ 5!⁴/(11 · 10!³) = 4e-10 of the energy lost in that part.
const PARTS: u32 = 100;
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// A contact law as text and as numbers.
struct Law {
    text: &'static str,
    exponent: f64,
    dissipation: f64,
    damping: f64,
    /// Friction coefficient at a slip and at the speed of the ball along the plane \[m/s\]: positive against the slip.
    used: fn(f64, f64) -> f64,
    /// Speed and rate of spin at the start.
    start: [f64; 2],
}

const LAWS: [Law; 4] = [
    Law {
        text: "exponent: 1, damping: 60",
        exponent: 1.0,
        dissipation: 0.0,
        damping: 60.0,
        used: |_, _| 0.0,
        start: [0.6, 0.0],
    },
    Law {
        text: "dissipation: 0.3, friction: 0.5, creep: 0.05",
        exponent: 1.5,
        dissipation: 0.3,
        damping: 0.0,
        used: |slip, _| 0.5 * (slip / 0.05).tanh(),
        start: [0.6, 1.0],
    },
    Law {
        text: "exponent: 1, damping: 30, dissipation: 0.2, friction: 0.4, creep: 0.03, stiction: 0.3, stribeck: 0.15",
        exponent: 1.0,
        dissipation: 0.2,
        damping: 30.0,
        used: |slip, _| (0.4 + 0.3 * (-(slip / 0.15).powi(2)).exp()) * (slip / 0.03).tanh(),
        start: [0.6, -0.5],
    },
    Law {
        text: "exponent: 1.5, damping: 40, friction: 1.05, creep: 0.1, slip_stiffness: 10, slip_shape: 1.65, slip_curvature: -0.4",
        exponent: 1.5,
        dissipation: 0.0,
        damping: 40.0,
        used: |slip, speed| {
            let x = 10.0 * slip / speed.hypot(0.1);
            1.05 * (1.65 * (x + 0.4 * (x - x.atan())).atan()).sin()
        },
        start: [5.0, 10.0],
    },
];

/// The ball in the plane and in space, at the depth of its static equilibrium, with a velocity into the plane.
fn texts(law: &Law) -> [String; 2] {
    let height = RADIUS - (MASS * GRAVITY / STIFFNESS).powf(1.0 / law.exponent);
    let contact = format!("plane_contact(ground, ball) {{ radius: {RADIUS}, stiffness: {STIFFNESS:e}, {} }}", law.text);
    let [speed, rate] = law.start;
    [
        format!(
            "planar Ball {{
                gravity: [0, -{GRAVITY}];
                body ball {{ mass: {MASS}, inertia: {INERTIA}, position: [0, {height}], velocity: [{speed}, -0.04], angle: 0, rate: {} }}
                force touch = {contact};
                output x = position(ball);
                output v = velocity(ball);
                output spin = rate(ball);
                output energy = kinetic_energy + potential_energy;
            }}",
            -rate
        ),
        format!(
            "spatial Ball {{
                gravity: [0, 0, -{GRAVITY}];
                body ball {{
                    mass: {MASS}, inertia: [{INERTIA}, {INERTIA}, {INERTIA}], position: [0, 0, {height}], velocity: [{speed}, -0.2, -0.04],
                    angular_velocity: [0.7, {rate}, 3]
                }}
                force touch = {contact};
                output x = position(ball);
                output v = velocity(ball);
                output spin = angular_velocity(ball);
                output energy = kinetic_energy + potential_energy;
            }}"
        ),
    ]
}

/// Position, velocity and spin of the ball: planar motions have y for z, and the spin about the axis into the plane.
struct BallState {
    height: f64,
    vertical_speed: f64,
    horizontal_velocity: [f64; 2],
    spin: [f64; 3],
}

impl BallState {
    fn depth(&self) -> f64 {
        RADIUS - self.height
    }

    /// Velocity of the lowest point along the plane, v + ω × (−r e_z) \[m/s\].
    fn slip(&self) -> [f64; 2] {
        [self.horizontal_velocity[0] - self.spin[1] * RADIUS, self.horizontal_velocity[1] + self.spin[0] * RADIUS]
    }

    fn energy(&self, law: &Law) -> f64 {
        let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let elastic = STIFFNESS * self.depth().powf(law.exponent + 1.0) / (law.exponent + 1.0);
        let kinetic =
            MASS * (square(&self.horizontal_velocity) + self.vertical_speed.powi(2)) + INERTIA * square(&self.spin);
        0.5 * kinetic + MASS * GRAVITY * self.height + elastic
    }

    /// Power that damping and friction dissipate \[W\]: (N − K δᵉ) δ̇ and μ N |u|.
    fn dissipated_power(&self, law: &Law) -> f64 {
        let (depth, rate) = (self.depth(), -self.vertical_speed);
        let elastic = STIFFNESS * depth.powf(law.exponent);
        let normal = elastic * (1.0 + 1.5 * law.dissipation * rate) + law.damping * rate;
        assert!(depth > 0.0 && normal > 0.0, "it rides: {depth} m, {normal} N");
        let [slip, speed] = [self.slip(), self.horizontal_velocity].map(|[x, y]| x.hypot(y));
        (normal - elastic) * rate + (law.used)(slip, speed) * normal * slip
    }
}

#[test]
fn energy_is_lost_to_damping_and_friction() {
    let part = END / f64::from(PARTS);
    let nodes = (0..PARTS).flat_map(|k| GAUSS.map(|(x, _)| part * (f64::from(k) + 0.5 + 0.5 * x)));
    let times: Vec<f64> = std::iter::once(0.0).chain(nodes).chain([END]).collect();
    for law in &LAWS {
        for text in texts(law) {
            for (label, recording) in run_everywhere(&text, &times) {
                let column = |name: &str| recording.output(name).unwrap_or_else(|e| panic!("{e}"));
                let is_spatial = text.starts_with("spatial");
                let at = |i: usize| {
                    if is_spatial {
                        BallState {
                            height: column("x.z")[i],
                            vertical_speed: column("v.z")[i],
                            horizontal_velocity: [column("v.x")[i], column("v.y")[i]],
                            spin: ["spin.x", "spin.y", "spin.z"].map(|name| column(name)[i]),
                        }
                    } else {
                        BallState {
                            height: column("x.y")[i],
                            vertical_speed: column("v.y")[i],
                            horizontal_velocity: [column("v.x")[i], 0.0],
                            spin: [0.0, -column("spin")[i], 0.0],
                        }
                    }
                };
                let weights = (0..PARTS).flat_map(|_| GAUSS.map(|(_, weight)| 0.5 * part * weight));
                let work: f64 = weights.zip(1..).map(|(weight, i)| weight * at(i).dissipated_power(law)).sum();
                let last = times.len() - 1;
                let lost = at(0).energy(law) - at(last).energy(law);
                let dissipated = column("energy")[0] - column("energy")[last];
                println!(
                    "{label}, {}: {:.1e} and {:.1e} of {lost:.4} J",
                    law.text,
                    work / lost - 1.0,
                    dissipated / lost - 1.0
                );
                assert!(lost > 1e-3, "{label}, {}: {lost} J", law.text);
                // 1e-9 of the energy covers quadrature, roundings of 30 J, and errors of the integrator at 1e-12 per step.
                assert!((work / lost - 1.0).abs() < 1e-9, "{label}, {}: {work} J, not {lost} J", law.text);
                assert!((dissipated / lost - 1.0).abs() < 1e-9, "{label}, {}: {dissipated} J, not {lost} J", law.text);
            }
        }
    }
}
