//! Inverse dynamics of a driven slider-crank: against the case, and, with an offset, an angular acceleration and a gas force, which are
//! zero in the case, against a closed form that the case confirms.

use mbs::{FullMechanism, StateView};

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::figures::Accuracy;
use crate::reference::prescribed::Prescribed;

/// Names in the case, and names of our outputs and recorded columns.
const KINEMATICS: [(&str, &[&str]); 6] = [
    ("x", &["stroke", "body.piston.x"]),
    ("vx", &["speed"]),
    ("ax", &["acceleration"]),
    ("phi_rod", &["rod_angle"]),
    ("dphi_rod", &["rod_rate"]),
    ("ddphi_rod", &["rod_acceleration"]),
];

/// F1 of ground on the crank, F2 of the crank on the rod, F3 of the rod on the piston, N of the wall on the piston: each of the
/// first end on the second.
const LOADS: [(&str, &[&str]); 9] = [
    ("T_drive", &["torque", "drive.motor"]),
    ("F1x", &["main_bearing_force.x", "reaction.main_bearing.x"]),
    ("F1y", &["main_bearing_force.y", "reaction.main_bearing.y"]),
    ("F2x", &["crank_pin_force.x", "reaction.crank_pin.x"]),
    ("F2y", &["crank_pin_force.y", "reaction.crank_pin.y"]),
    ("F3x", &["wrist_pin_force.x", "reaction.wrist_pin.x"]),
    ("F3y", &["wrist_pin_force.y", "reaction.wrist_pin.y"]),
    ("N_wall", &["wall_force.y", "reaction.cylinder.y"]),
    ("F_gas", &["u.gas_force"]),
];

/// The parameters of the case, and those that are zero in it.
struct SliderCrank {
    r: f64,
    l: f64,
    e: f64,
    /// Centres of mass on crank and rod.
    c: [f64; 2],
    m: [f64; 3],
    i: [f64; 2],
    g: f64,
    start: f64,
    omega: f64,
    alpha: f64,
    gas: fn(f64) -> f64,
}

impl SliderCrank {
    fn from_case(case: &Case) -> SliderCrank {
        let p = |name: &str| case.parameter(name);
        assert_eq!(case.value("parameters/gas_force"), "0");
        SliderCrank {
            r: p("r"),
            l: p("l"),
            e: p("e"),
            c: [p("c1"), p("c2")],
            m: [p("m1"), p("m2"), p("m3")],
            i: [p("I1"), p("I2")],
            g: p("g"),
            start: 0.0,
            omega: p("omega"),
            alpha: p("alpha"),
            gas: |_| 0.0,
        }
    }

    /// Columns of [`KINEMATICS`], then those of [`LOADS`], at a time: the loop differentiated twice, then Newton and Euler for
    /// piston, rod and crank.
    fn columns_at(&self, t: f64) -> [f64; 15] {
        let SliderCrank { r, l, e, c: [c1, c2], m: [m1, m2, m3], i: [i1, i2], g, alpha, .. } = *self;
        let (theta, omega) = (self.start + self.omega * t + alpha * t * t / 2.0, self.omega + alpha * t);
        let (s, c) = theta.sin_cos();
        // r sin θ + l sin φ = e.
        let phi = ((e - r * s) / l).asin();
        let (sp, cp) = phi.sin_cos();
        let w = -r * c * omega / (l * cp);
        let dw = (-r * c * alpha + r * s * omega * omega + l * sp * w * w) / (l * cp);
        let x = r * c + l * cp;
        let vx = -r * s * omega - l * sp * w;
        let pin = [-r * (s * alpha + c * omega * omega), r * (c * alpha - s * omega * omega)];
        let ax = pin[0] - l * (sp * dw + cp * w * w);
        // Centres of mass.
        let a1 = pin.map(|a| a * c1 / r);
        let a2 = [pin[0] - c2 * (sp * dw + cp * w * w), pin[1] + c2 * (cp * dw - sp * w * w)];
        let gas = (self.gas)(t);
        let f3x = m3 * ax - gas;
        // Moments about the rod's centre of mass with F2 = F3 + m2 (a2 + g): I2 φ̈ = −c2 û × m2 (a2 + g) − l û × F3.
        let inertial = [m2 * a2[0], m2 * (a2[1] + g)];
        let f3 = [f3x, (sp * f3x - (i2 * dw + c2 * (cp * inertial[1] - sp * inertial[0])) / l) / cp];
        let f2 = [f3[0] + inertial[0], f3[1] + inertial[1]];
        let f1 = [f2[0] + m1 * a1[0], f2[1] + m1 * (a1[1] + g)];
        let torque = (i1 + m1 * c1 * c1) * alpha + r * (c * f2[1] - s * f2[0]) + c1 * m1 * g * c;
        let wall = m3 * g - f3[1];
        [x, vx, ax, phi, w, dw, torque, f1[0], f1[1], f2[0], f2[1], f3[0], f3[1], wall, gas]
    }
}

/// Compares both formulations with 15 columns of reference values.
fn compare(label: &str, linkage: &SliderCrank, times: &[f64], exact: Accuracy, columns: &[Vec<f64>]) {
    for_both_formulations!(slider_crank_offset {
        g: linkage.g, crank_length: linkage.r, rod_length: linkage.l, offset: linkage.e, crank_com: linkage.c[0], rod_com: linkage.c[1],
        crank_mass: linkage.m[0], rod_mass: linkage.m[1], piston_mass: linkage.m[2], crank_inertia: linkage.i[0], rod_inertia: linkage.i[1],
        start: linkage.start, omega: linkage.omega, alpha: linkage.alpha,
    } => slider_crank(label, linkage, times, exact, columns));
}

fn slider_crank<M: FullMechanism>(
    coordinates: &str,
    mechanism: &M,
    label: &str,
    linkage: &SliderCrank,
    times: &[f64],
    exact: Accuracy,
    columns: &[Vec<f64>],
) {
    let gas = |at: StateView, u: &mut [f64]| u[0] = (linkage.gas)(at.t);
    let mut run = Prescribed::with_inputs(label, coordinates, mechanism, times, gas);
    for ((_, names), reference) in KINEMATICS.iter().chain(&LOADS).zip(columns) {
        for name in *names {
            run.compare(name, exact, reference);
        }
    }
    // The wall exerts no moment on a piston whose centre of mass is the pin, to 1e-12 of its force times the length of the crank, and no
    // force along the direction of motion.
    let largest = |name: &str| run.column(name).iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let (force, moments) = (largest("wall_force.y"), largest("wall_moment").max(largest("reaction.cylinder.torque")));
    let axial = largest("wall_force.x").max(largest("reaction.cylinder.x"));
    run.bound("wall_moment", moments, 1e-12 * force * linkage.r);
    run.bound("wall_force.x", axial, 1e-12 * force);
    run.finish();
}

#[test]
fn slider_crank_carries_the_loads_of_the_case() {
    let case = Case::read("slider_crank_inverse_dynamics");
    let linkage = SliderCrank::from_case(&case);
    let times = case.crank_times("reference/kinematics");
    assert_eq!(times, case.crank_times("reference/inverse_dynamics"));
    let kinematics = KINEMATICS.iter().map(|(column, _)| case.column("reference/kinematics", column));
    let columns: Vec<_> =
        kinematics.chain(LOADS.iter().map(|(column, _)| case.column("reference/inverse_dynamics", column))).collect();
    for (k, t) in times.iter().enumerate() {
        for ((column, found), name) in columns.iter().zip(linkage.columns_at(*t)).zip(KINEMATICS.iter().chain(&LOADS)) {
            let tolerance = case.relative_accuracy().tolerance(column);
            assert!((found - column[k]).abs() <= tolerance, "the closed form's {}: {found}, not {}", name.0, column[k]);
        }
    }
    compare(&case.name, &linkage, &times, case.relative_accuracy(), &columns);
}

/// The case with an offset of either sign, an accelerating crank, and gas. Both sides have rounding errors: 1e-12 of the largest value.
#[test]
fn slider_crank_with_an_offset_and_gas_has_the_loads_of_the_closed_form() {
    let case = Case::read("slider_crank_inverse_dynamics");
    for (offset, alpha, start) in [(0.03, 700.0, 0.4), (-0.02, -400.0, 2.5)] {
        let gas = |t: f64| -900.0 * (60.0 * t).sin().powi(2);
        let linkage = SliderCrank { e: offset, alpha, start, gas, ..SliderCrank::from_case(&case) };
        let times: Vec<f64> = (0..40).map(|k| 0.002 * f64::from(k)).collect();
        let rows: Vec<[f64; 15]> = times.iter().map(|t| linkage.columns_at(*t)).collect();
        let columns: Vec<Vec<f64>> = (0..15).map(|i| rows.iter().map(|row| row[i]).collect()).collect();
        let label = format!("slider-crank with offset {offset}");
        compare(&label, &linkage, &times, Accuracy::Relative(1e-12), &columns);
    }
}

/// The generated `inverse` is inverse dynamics in one function, with a field for every joint.
#[test]
fn inverse_kernel_has_the_loads_of_the_case() {
    let case = Case::read("slider_crank_inverse_dynamics");
    let known = |column: &str| case.column("reference/inverse_dynamics", column);
    let times = case.crank_times("reference/inverse_dynamics");
    macro_rules! check {
        ($coordinates:ident) => {{
            use mbs_corpus::$coordinates::{SliderCrankOffset, slider_crank_offset};
            let params = slider_crank_offset::Params { offset: 0.0, ..Default::default() };
            let mechanism = SliderCrankOffset::new(params).expect("parameters in their domain");
            let label = concat!(stringify!($coordinates), ", inverse");
            let mut run = Prescribed::new(&case.name, label, &mechanism, &times);
            let row = |quantity: mbs::Quantity, k: usize| {
                run.recording().table(quantity).columns().iter().map(|column| column[k]).collect::<Vec<f64>>()
            };
            let loads: Vec<[f64; 8]> = (0..times.len())
                .map(|k| {
                    let [q, v] = [mbs::Quantity::Coordinates, mbs::Quantity::Speeds].map(|quantity| row(quantity, k));
                    let (q, v) = (q.try_into().expect("n_q"), v.try_into().expect("n_v"));
                    let found = mechanism.inverse(times[k], &q, &v, &Default::default(), &[]).expect("a regular pose");
                    let motor = found.lambda.last().expect("the drive's row is the last");
                    let r = found.reactions;
                    let [f1, f2, f3] = [r.main_bearing.force, r.crank_pin.force, r.wrist_pin.force];
                    [-motor, f1[0], f1[1], f2[0], f2[1], f3[0], f3[1], r.cylinder.force[1]]
                })
                .collect();
            for (i, (column, _)) in LOADS[..8].iter().enumerate() {
                let values: Vec<f64> = loads.iter().map(|row| row[i]).collect();
                run.compare_values(column, case.relative_accuracy(), &known(column), &values);
            }
            run.finish();
        }};
    }
    check!(body);
    check!(joint);
}
