//! Engines of several cylinders: superposition of one cylinder against closed forms, and against the complete engine as one mechanism.

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use mbs::analysis::{AnalysisError, BlockLoads, Cylinder};
use mbs::{FullMechanism, InverseDynamics, Recording};
use mbs_model::Formulation;

use crate::analysis::mechanisms::{FORMULATIONS, engine};

const OMEGA: f64 = 200.0;
const CRANK: f64 = 0.045;
const ROD: f64 = 0.15;

/// A cylinder as phasors of textbooks assume it: the rod is massless and the crank balanced. The piston of mass `mass` \[kg\] oscillates along x.
fn ideal(mass: f64) -> String {
    format!(
        "pub planar Ideal {{
    body crank  {{ mass: 3, inertia: 0.02 }}
    body rod    {{ angle: 0 }}
    body piston {{ mass: {mass:?}, inertia: 1e-4, position: [0.195, 0] }}
    joint main_bearing = revolute(ground, crank);
    joint crank_pin    = revolute(crank at [0.045, 0], rod);
    joint wrist_pin    = revolute(rod at [0.15, 0], piston);
    joint cylinder     = prismatic(ground, piston) {{ axis: [1, 0] }};
    drive motor = main_bearing.angle == 200 * t;
    output angle = main_bearing.angle;
}}"
    )
}

fn record_revolution<M: FullMechanism>(mechanism: &M, rows: usize) -> Recording {
    InverseDynamics::new(mechanism).grid(0.0, TAU / OMEGA, rows + 1).run().unwrap_or_else(|e| panic!("{e}"))
}

/// Amplitude of an even order of the oscillating force, over m ω²: n² c_n with the Fourier coefficients of √(l² − r² sin² θ),
/// c_n = 2 l Σ_j binom(½, j) (−λ²)^j (−1)^{n/2} binom(2j, j − n/2)/4^j.
fn even_order(n: i32) -> f64 {
    let lambda = CRANK / ROD;
    let binomial =
        |top: f64, bottom: i32| (0..bottom).map(|i| (top - f64::from(i)) / f64::from(i + 1)).product::<f64>();
    // The first omitted term contains λ^80 = 1e-42.
    let term =
        |j: i32| binomial(0.5, j) * (-lambda * lambda).powi(j) * binomial(f64::from(2 * j), j - n / 2) / 4_f64.powi(j);
    let sign = f64::from(1 - (n / 2) % 2 * 2);
    f64::from(n * n) * 2.0 * ROD * sign * (n / 2..40).map(term).sum::<f64>()
}

#[test]
fn closed_forms_of_rows_and_opposed_cylinders() {
    let (mass, spacing) = (0.55, 0.1);
    let scale = mass * OMEGA * OMEGA;
    let first = scale * CRANK;
    let even = |n: i32| scale * even_order(n);
    for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
        let run = record_revolution(&engine(&ideal(mass), formulation), 128);
        let one = BlockLoads::of(&run.cycle("angle").unwrap(), &["main_bearing", "cylinder"], 128).unwrap();
        // Sums of reactions of 3e3 N are accurate to 1e-12 of the primary force, couples to that times the lever arm.
        let [force, couple] = [1e-12 * first, 1e-12 * first * 3.0 * spacing];
        let check = |name: &str, found: f64, expected: f64, tolerance: f64| {
            assert!((found - expected).abs() < tolerance, "{formulation:?}, {name}: {found} is not {expected}");
        };
        let x = |loads: &BlockLoads, order: f64| loads.force[0].order(order).amplitude();
        let rocking = |loads: &BlockLoads, order: f64| loads.moment[1].order(order).amplitude();
        check("order 1", x(&one, 1.0), first, force);
        check("order 2", x(&one, 2.0), even(2).abs(), force);
        check("order 4", x(&one, 4.0), even(4).abs(), force);
        check("order 3", x(&one, 3.0), 0.0, force);
        check("across", one.force[1].rms(), 0.0, force);

        // Three in line, throws at 0°, 120° and 240°: forces up to order 4 cancel, the couple is √3 a F₁, and √3 a F₂ twice as fast.
        let three = one.superposed(&Cylinder::in_line(spacing, &[0.0, TAU / 3.0, 2.0 * TAU / 3.0]));
        for order in [1.0, 2.0, 4.0] {
            check("inline-3, force", x(&three, order), 0.0, 3.0 * force);
        }
        check("inline-3, order 6", x(&three, 6.0), 3.0 * even(6).abs(), 3.0 * force);
        check("inline-3, primary couple", rocking(&three, 1.0), 3.0_f64.sqrt() * spacing * first, couple);
        check("inline-3, secondary couple", rocking(&three, 2.0), 3.0_f64.sqrt() * spacing * even(2).abs(), couple);
        assert!(three.moment[0].rms() < couple);

        // Four in line with a flat crank: secondary forces add, couples cancel.
        let four = one.superposed(&Cylinder::in_line(spacing, &[0.0, PI, PI, 0.0]));
        check("inline-4, primary force", x(&four, 1.0), 0.0, 4.0 * force);
        check("inline-4, secondary force", x(&four, 2.0), 4.0 * even(2).abs(), 4.0 * force);
        check("inline-4, couple", four.moment[1].rms(), 0.0, 4.0 * couple);

        // Opposed pistons on separate throws, half a revolution apart and offset by b: forces cancel at any time, and couples of
        // even orders remain, 2 b F₂.
        let boxer: Vec<Cylinder> = Cylinder::in_line(spacing, &[0.0, PI, PI, 0.0])
            .into_iter()
            .zip([0.0, PI, 0.0, PI])
            .map(|(cylinder, bank)| cylinder.bank(bank))
            .collect();
        let flat = one.superposed(&boxer);
        check("boxer-4, force", flat.force[0].rms().hypot(flat.force[1].rms()), 0.0, 4.0 * force);
        check("boxer-4, primary couple", rocking(&flat, 1.0), 0.0, 4.0 * couple);
        check("boxer-4, secondary couple", rocking(&flat, 2.0), 2.0 * spacing * even(2).abs(), 4.0 * couple);

        // Two at 90° on one throw: the sum of the primary forces has a constant size and rotates with the crank.
        let twin = one.superposed(&[Cylinder::new(0.0, 0.0), Cylinder::new(0.0, 0.0).bank(0.5 * PI)]);
        for k in 0..12 {
            let theta = TAU * f64::from(k) / 12.0;
            let (x, y) = (twin.force[0].order(1.0).value(theta), twin.force[1].order(1.0).value(theta));
            check("90° V twin, x", x, first * theta.cos(), 2.0 * force);
            check("90° V twin, y", y, first * theta.sin(), 2.0 * force);
        }
    }
}

mbs::mechanism! {
    /// One cylinder with a heavy rod, an unbalanced crank, an offset cylinder and compressed gas.
    pub planar OneCylinder {
        const speed = 200;
        const crank_length = 0.045;
        const rod_length = 0.15;
        body crank  { mass: 3, inertia: 0.02, com: [0.004, 0.001] }
        body rod    { mass: 0.6, inertia: 2.1e-3, com: [0.05, 0.002], angle: 0 }
        body piston { mass: 0.5, inertia: 4e-4, com: [0.01, 0], position: [0.195, 0.003] }
        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [crank_length, 0], rod);
        joint wrist_pin    = revolute(rod at [rod_length, 0], piston);
        joint cylinder     = prismatic(ground at [0, 0.003], piston) { axis: [1, 0] };
        drive motor = main_bearing.angle == speed * t;
        force gas = mobility(cylinder) { value: -600 * ((0.108 / (0.213 - cylinder.position)).powf(1.3) - 1) };
        output angle = main_bearing.angle;
        output torque = load(motor);
    }
}

mbs::mechanism! {
    /// Four such cylinders on one shaft, in two banks.
    pub planar FourCylinders {
        const speed = 200;
        const crank_length = 0.045;
        const rod_length = 0.15;
        part unit(throw, bank) {
            let lean = bank - asin(crank_length * sin(throw - bank) / rod_length);
            let along = crank_length * cos(throw - bank) + rod_length * cos(lean - bank);
            marker seat = ground at [-0.003 * sin(bank), 0.003 * cos(bank)] { angle: bank };
            body crank  { mass: 3, inertia: 0.02, com: [0.004, 0.001], angle: throw }
            body rod    { mass: 0.6, inertia: 2.1e-3, com: [0.05, 0.002], angle: lean }
            body piston { mass: 0.5, inertia: 4e-4, com: [0.01, 0], angle: bank,
                          position: [along * cos(bank) - 0.003 * sin(bank), along * sin(bank) + 0.003 * cos(bank)] }
            joint web       = fixed(shaft, crank) { angle: throw };
            joint crank_pin = revolute(crank at [crank_length, 0], rod);
            joint wrist_pin = revolute(rod at [rod_length, 0], piston);
            joint cylinder  = prismatic(seat, piston) { axis: [1, 0] };
            force gas = mobility(cylinder) { value: -600 * ((0.108 / (0.213 - cylinder.position)).powf(1.3) - 1) };
        }
        body shaft { mass: 1, inertia: 1e-3 }
        joint main_bearing = revolute(ground, shaft);
        drive motor = main_bearing.angle == speed * t;
        part first  = unit(0.3, PI / 4);
        part second = unit(1.7, -PI / 4);
        part third  = unit(3.0, PI / 4);
        part fourth = unit(5.2, -PI / 4);
        freedoms: 1;
        output angle = main_bearing.angle;
        output torque = load(motor);
    }
}

#[test]
fn superposed_cylinders_are_the_compiled_engine() {
    const SAMPLES: usize = 256;
    let single = record_revolution(&OneCylinder::new(one_cylinder::Params::default()).unwrap(), SAMPLES);
    let complete = record_revolution(&FourCylinders::new(four_cylinders::Params::default()).unwrap(), SAMPLES);
    let one = single.cycle("angle").unwrap();
    let four = complete.cycle("angle").unwrap();
    // Throws that are not multiples of the sampling interval.
    let cylinders = [(0.3, FRAC_PI_4), (1.7, -FRAC_PI_4), (3.0, FRAC_PI_4), (5.2, -FRAC_PI_4)]
        .map(|(throw, bank)| Cylinder::new(0.0, throw).bank(bank));
    let superposed = BlockLoads::of(&one, &["main_bearing", "cylinder"], SAMPLES).unwrap().superposed(&cylinders);
    let joints = ["main_bearing", "first.cylinder", "second.cylinder", "third.cylinder", "fourth.cylinder"];
    let block = BlockLoads::of(&four, &joints, SAMPLES).unwrap();
    let torque = [&one, &four].map(|cycle| cycle.harmonics("torque", SAMPLES).unwrap());
    let parts = [
        ("force x", &superposed.force[0], &block.force[0]),
        ("force y", &superposed.force[1], &block.force[1]),
        ("roll", &superposed.moment[2], &block.moment[2]),
        ("torque", &torque[0].of_cylinders(&cylinders), &torque[1]),
    ];
    for (name, found, expected) in parts {
        let [found, expected] = [found, expected].map(|part| part.samples(SAMPLES));
        let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let miss = found.iter().zip(&expected).fold(0.0_f64, |miss, (a, b)| miss.max((a - b).abs()));
        println!("{name}: {miss:.1e} of {largest:.1e}");
        // Reactions of 1e4 N have relative errors of some 1e-12, and orders beyond 128 are smaller than that.
        assert!(miss < 1e-9 * largest, "{name}: {miss} of {largest}");
    }
}

/// An engine in space: a cylinder for each throw \[rad\] and position along the shaft \[m\], with pistons along y.
fn in_space(cylinders: &[(f64, f64)]) -> String {
    let unit = |(i, (throw, z)): (usize, &(f64, f64))| format!("    part cell[{i}] = unit({throw:?}, {z:?});\n");
    let units: String = cylinders.iter().enumerate().map(unit).collect();
    format!(
        "pub spatial Row {{
    part unit(throw, z) {{
        let lean = asin(0.045 * sin(throw) / 0.15);
        let height = 0.045 * cos(throw) + 0.15 * cos(lean);
        body rod    {{ mass: 0.6, inertia: [2.1e-3, 1e-4, 2.1e-3], com: [0.002, 0.05, 0], rotation: euler(xyz, [0, 0, -lean]),
                      position: [-0.045 * sin(throw), 0.045 * cos(throw), z] }}
        body piston {{ mass: 0.5, inertia: [4e-4, 4e-4, 4e-4], com: [0, 0.01, 0], position: [0, height, z] }}
        joint crank_pin = revolute(shaft at [-0.045 * sin(throw), 0.045 * cos(throw), z], rod) {{ axis: [0, 0, 1] }};
        joint cylinder  = prismatic(ground at [0, 0, z], piston) {{ axis: [0, 1, 0] }};
        joint wrist_pin = point_on_line(piston, rod at [0, 0.15, 0]) {{ axis: [0, 0, 1] }};
    }}
    body shaft {{ mass: 5, inertia: [0.1, 0.1, 0.02] }}
    joint main_bearing = revolute(ground, shaft) {{ axis: [0, 0, 1] }};
    drive motor = main_bearing.angle == 200 * t;
{units}    freedoms: 1;
    output angle = main_bearing.angle;
}}"
    )
}

#[test]
fn rocking_couples_are_those_of_the_engine_in_space() {
    const SAMPLES: usize = 128;
    let throws = [0.0, TAU / 3.0, 2.0 * TAU / 3.0];
    let positions = [-0.11, 0.02, 0.13];
    let row: Vec<(f64, f64)> = throws.into_iter().zip(positions).collect();
    let loads = |text: &str, formulation: Formulation, count: usize| {
        let run = record_revolution(&engine(text, formulation), SAMPLES);
        let joints: Vec<String> = (0..count).map(|i| format!("cell[{i}].cylinder")).collect();
        let joints: Vec<&str> = ["main_bearing"].into_iter().chain(joints.iter().map(String::as_str)).collect();
        BlockLoads::of(&run.cycle("angle").unwrap(), &joints, SAMPLES).unwrap()
    };
    for formulation in FORMULATIONS {
        let cylinders: Vec<Cylinder> = row.iter().map(|(throw, z)| Cylinder::new(*z, *throw)).collect();
        let superposed = loads(&in_space(&[(0.0, 0.0)]), formulation, 1).superposed(&cylinders);
        let block = loads(&in_space(&row), formulation, 3);
        let pairs = superposed.force.iter().chain(&superposed.moment).zip(block.force.iter().chain(&block.moment));
        for (i, (found, expected)) in pairs.enumerate() {
            let [found, expected] = [found, expected].map(|part| part.samples(SAMPLES));
            let miss = found.iter().zip(&expected).fold(0.0_f64, |miss, (a, b)| miss.max((a - b).abs()));
            println!("{formulation:?} {i}: {miss:.1e}");
            // Errors relative to forces of 1e3 N and couples of 1e2 N m.
            assert!(miss < 1e-8, "{formulation:?}, component {i}: {miss}");
        }
        // Three throws of 120° leave a couple, and it is not small.
        assert!(block.moment[0].order(1.0).amplitude() > 50.0);
    }
}

/// Adjacent cylinders on one throw, each with the number of revolutions by which its cycle of two revolutions is ahead. Gas pushes in one of
/// the two.
fn four_strokes(turns: &[i32]) -> String {
    let unit = |(i, turn): (usize, &i32)| {
        format!(
            "    body rod{i}    {{ mass: 0.4, inertia: 1e-3, com: [0.05, 0], angle: 0 }}
    body piston{i} {{ mass: 0.5, inertia: 1e-4, position: [0.195, 0] }}
    joint crank_pin{i} = revolute(crank at [0.045, 0], rod{i});
    joint wrist_pin{i} = revolute(rod{i} at [0.15, 0], piston{i});
    joint cylinder{i}  = prismatic(ground, piston{i}) {{ axis: [1, 0] }};
    force gas{i} = mobility(cylinder{i}) {{ value: -400 * (1 + sin(main_bearing.angle / 2 + {turn} * PI)).powi(3) }};
"
        )
    };
    let units: String = turns.iter().enumerate().map(unit).collect();
    format!(
        "pub planar FourStrokes {{
    body crank {{ mass: 3, inertia: 0.02 }}
    joint main_bearing = revolute(ground, crank);
    drive motor = main_bearing.angle == 200 * t;
{units}    output angle = main_bearing.angle;
    output torque = load(motor);
}}"
    )
}

#[test]
fn four_strokes_are_those_of_the_engine() {
    const SAMPLES: usize = 256;
    for formulation in FORMULATIONS {
        let torque = |turns: &[i32]| {
            let engine = engine(&four_strokes(turns), formulation);
            let run = InverseDynamics::new(&engine).grid(0.0, 2.0 * TAU / OMEGA, SAMPLES + 1).run().unwrap();
            run.cycle("angle").unwrap().revolutions(2).unwrap().harmonics("torque", SAMPLES).unwrap()
        };
        let first = Cylinder::new(0.0, 0.0);
        let superposed = torque(&[0]).of_cylinders(&[first, first.next_revolution()]);
        let (found, expected) = (superposed.samples(SAMPLES), torque(&[0, 1]).samples(SAMPLES));
        // Errors relative to torques of 1e2 N m.
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-10), "{formulation:?}");
        assert!(torque(&[0]).order(0.5).amplitude() > 1.0 && superposed.order(0.5).amplitude() < 1e-12);
    }
}

#[test]
fn firing_revolutions_are_distinguished() {
    let cylinder = Cylinder::new(0.1, 1.0).bank(0.4);
    assert!((cylinder.throw() - 1.0).abs() < 1e-15 && (cylinder.phase - 0.6).abs() < 1e-15);
    let next = cylinder.next_revolution();
    assert!((next.phase - cylinder.phase - TAU).abs() < 1e-14);
    // One cylinder fires once in two revolutions: another one on the same throw fires between, and half orders cancel.
    let samples: Vec<f64> = (0..64).map(|j| (-0.1 * f64::from(j - 20).powi(2)).exp()).collect();
    let one = mbs::analysis::Harmonics::new(&samples, 2).unwrap();
    let pair = one.of_cylinders(&[Cylinder::new(0.0, 0.0), Cylinder::new(0.0, 0.0).next_revolution()]);
    assert!(one.order(0.5).amplitude() > 0.1 && pair.order(0.5).amplitude() < 1e-14);
    assert!((pair.order(1.0) - one.order(1.0) * 2.0).amplitude() < 1e-14);
}

#[test]
fn joints_of_the_block_are_required() {
    let run = record_revolution(&engine(&ideal(0.5), Formulation::Joint), 16);
    let cycle = run.cycle("angle").unwrap();
    let inner = BlockLoads::of(&cycle, &["crank_pin"], 16).unwrap_err();
    assert_eq!(inner.to_string(), "`crank_pin` does not join a body to ground; name the joints that the block carries");
    let misspelt = BlockLoads::of(&cycle, &["main_baring"], 16).unwrap_err();
    assert!(misspelt.to_string().contains("the nearest name is `main_bearing`"), "{misspelt}");
    assert!(matches!(BlockLoads::of(&cycle, &["cylinder"], 0), Err(AnalysisError::TooFewRows { .. })));
}
