//! A four-cylinder engine from one of its cylinders: shaking loads on the block by order, against other engines; the torque, and its flywheel.
//!
//! `cargo run --release --example inline_four`

use std::error::Error;
use std::f64::consts::{PI, TAU};

use mbs::analysis::{BlockLoads, Cylinder, Harmonics};
use mbs::report::Solid;
use mbs::{FullMechanism, InverseDynamics, Recording};

mbs::mechanism! {
    const speed = 3000 * TAU / 60;                                      // rad/s
    const crank_length = 0.043;                                         // m
    const rod_length = 0.144;
    const spacing = 0.09;                                               // between cylinders, m
    const bore_area = 0.0055;                                           // m²
    const piston_mass = 0.42;                                           // kg
    const rod_mass = 0.5;
    const rod_center = 0.3;                                             // of its length from the crank pin

    // The gas of four strokes, fired at 0: compressed and expanded in one revolution, exchanged at the pressure of the atmosphere in the other.
    const clearance = 2 * crank_length / 9;                             // compression ratio of 10
    const dead_height = crank_length + rod_length;                      // of the wrist pin above the shaft
    function stroke_angle(angle) = angle - 4 * PI * floor(angle / (4 * PI) + 0.5);     // in [-2π, 2π)
    function burnt(angle) = if angle > -0.2 { 1 - exp(-5 * (angle + 0.2).powi(3)) } else { 0 };
    function kept(angle) = if angle > 2.4 { exp(-6 * (angle - 2.4)) } else { 1 };
    function closed(angle, height) = 1e5 * (((clearance + 2 * crank_length) / height).powf(1.3) - 1)
        + 4.5e6 * burnt(angle) * kept(angle) * (clearance / height).powf(1.3);
    function pressure(angle, height) = if abs(angle) < PI { closed(angle, height) } else { 0 };

    /// One cylinder in its plane, upright, its crank at the top at 0. A counterweight takes half of the rod's rotation.
    pub planar OneCylinder {
        param load = 1;                                                 // of the throttle: 0 leaves the gas out
        body crank  { mass: 2, inertia: 4e-3, com: [0, -0.004] }
        body rod    { mass: rod_mass, inertia: 1.6e-3, com: [0, rod_center * rod_length] }
        body piston { mass: piston_mass, inertia: 5e-4, position: [0, dead_height] }
        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [0, crank_length], rod);
        joint wrist_pin    = revolute(rod at [0, rod_length], piston);
        joint cylinder     = prismatic(ground, piston) { axis: [0, 1] };
        drive shaft = main_bearing.angle == speed * t;
        freedoms: 1;

        let height = clearance + dead_height - cylinder.position;
        force gas = mobility(cylinder) { value: -load * bore_area * pressure(stroke_angle(main_bearing.angle), height) };
        output torque = -load(shaft);                                   // what it gives
        output push = load(gas);
        output speed = cylinder.speed;
    }

    /// The whole engine: the shaft along z, cylinders 1 to 4 along it, fired in the order 1, 3, 4, 2.
    pub spatial InlineFour {
        part unit(z, throw, fired) {
            let lean = asin(crank_length * sin(throw) / rod_length);
            let pin = [-crank_length * sin(throw), crank_length * cos(throw), z];
            body web    { mass: 2, inertia: [2e-3, 2e-3, 4e-3], com: [0.004 * sin(throw), -0.004 * cos(throw), 0],
                          position: [0, 0, z] }
            body rod    { mass: rod_mass, inertia: [1.6e-3, 2e-4, 1.6e-3], com: [0, rod_center * rod_length, 0],
                          position: pin, rotation: axis_angle([0, 0, 1], -lean) }
            body piston { mass: piston_mass, inertia: [5e-4, 5e-4, 5e-4],
                          position: [0, crank_length * cos(throw) + rod_length * cos(lean), z] }
            joint weld      = fixed(shaft at [0, 0, z], web);
            joint crank_pin = revolute(shaft at pin, rod) { axis: [0, 0, 1] };
            joint cylinder  = prismatic(ground at [0, 0, z], piston) { axis: [0, 1, 0] };
            joint wrist_pin = point_on_line(piston, rod at [0, rod_length, 0]) { axis: [0, 0, 1] };
            let height = clearance + dead_height - cylinder.position;
            let angle = stroke_angle(main_bearing.angle - fired);
            force gas = mobility(cylinder) { value: -bore_area * pressure(angle, height) };
        }
        body shaft { mass: 1, inertia: [0.05, 0.05, 0.002] }
        joint main_bearing = revolute(ground, shaft) { axis: [0, 0, 1] };
        drive motor = main_bearing.angle == speed * t;
        part first  = unit(-1.5 * spacing, 0, 0);
        part second = unit(-0.5 * spacing, PI, 3 * PI);
        part third  = unit(0.5 * spacing, PI, PI);
        part fourth = unit(1.5 * spacing, 0, 2 * PI);
        freedoms: 1;

        // On the block: gas presses on heads as much as on pistons.
        output shaking_force = -rate(momentum(bodies)).y;
        output shaking_force_of_first = -rate(momentum(first)).y;
        output rocking_couple = -rate(angular_momentum(bodies, ground)).x;
        output rocking_couple_of_front = -rate(angular_momentum(first, ground) + angular_momentum(second, ground)).x;
        output torque = -load(motor);
    }
}

const SPEED: f64 = 100.0 * PI;
const CYLINDERS: [&str; 4] = ["first", "second", "third", "fourth"];
/// Samples of two revolutions: every degree.
const SAMPLES: usize = 720;

fn two_revolutions<M: FullMechanism>(mechanism: &M) -> Result<Recording, Box<dyn Error>> {
    Ok(InverseDynamics::new(mechanism).grid(0.0, 2.0 * TAU / SPEED, SAMPLES + 1).run()?)
}

/// Engines by their throws and banks \[°\], cylinders at equal distances along the shaft.
fn engines() -> [(&'static str, Vec<Cylinder>); 6] {
    let engine = |throws: &[f64], banks: &[f64]| -> Vec<Cylinder> {
        let throws: Vec<f64> = throws.iter().map(|throw| throw.to_radians()).collect();
        let row = Cylinder::in_line(0.09, &throws).into_iter();
        row.zip(banks).map(|(cylinder, bank)| cylinder.bank(bank.to_radians())).collect()
    };
    [
        ("one", engine(&[0.0], &[0.0])),
        ("inline-3", engine(&[0.0, 240.0, 120.0], &[0.0; 3])),
        ("inline-4", engine(&[0.0, 180.0, 180.0, 0.0], &[0.0; 4])),
        ("boxer-4", engine(&[0.0, 180.0, 180.0, 0.0], &[90.0, -90.0, 90.0, -90.0])),
        ("inline-6", engine(&[0.0, 240.0, 120.0, 120.0, 240.0, 0.0], &[0.0; 6])),
        ("60° V6", engine(&[0.0, 60.0, 240.0, 300.0, 120.0, 180.0], &[30.0, -30.0, 30.0, -30.0, 30.0, -30.0])),
    ]
}

/// Largest length of one order of a planar vector, over a revolution.
fn largest([x, y]: [&Harmonics; 2], order: f64) -> f64 {
    let (x, y) = (x.order(order), y.order(order));
    let length = |k: i32| x.value(f64::from(k).to_radians()).hypot(y.value(f64::from(k).to_radians()));
    (0..360).map(length).fold(0.0, f64::max)
}

/// Largest difference of two quantities over the cycle.
fn difference(a: &Harmonics, b: &Harmonics) -> f64 {
    let pairs = a.samples(SAMPLES).into_iter().zip(b.samples(SAMPLES));
    pairs.fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
}

/// Asserts the balance of the engines. Orders 1 and 2 of a cylinder are
///
/// ```text
/// (m r + s) ω²          m r ω² (λ + λ³/4 + 15 λ⁵/128 + 35 λ⁷/512 + 1575 λ⁹/32768 + …)
/// ```
///
/// with the reciprocating mass m and the moment s of the rotating parts; engines have multiples. Values agree to 1e-6 of the first, five
/// times the truncation error of the series.
fn assert_balanced(engines: &[[[f64; 3]; 2]; 6]) {
    let [one, three, four, boxer, six, _] = engines;
    let (crank, lambda, spacing): (f64, f64, f64) = (0.043, 0.043 / 0.144, 0.09);
    let reciprocating = 0.42 + 0.3 * 0.5;
    let rotating = 0.7 * 0.5 * crank - 2.0 * 0.004;
    let terms = [(1, 1.0), (3, 1.0 / 4.0), (5, 15.0 / 128.0), (7, 35.0 / 512.0), (9, 1575.0 / 32768.0)];
    let series: f64 = terms.iter().map(|(power, factor)| factor * lambda.powi(*power)).sum();
    let first = (reciprocating * crank + rotating) * SPEED * SPEED;
    let second = reciprocating * crank * series * SPEED * SPEED;
    let within = 1e-6 * first;
    assert_near("force of one cylinder", one[0][0], first, within);
    assert_near("force of one cylinder", one[0][1], second, within);
    for (order, alone) in [first, second].into_iter().enumerate() {
        assert_near("couple of inline-3", three[1][order], 3.0_f64.sqrt() * spacing * alone, within);
        assert_near("force of inline-4", four[0][order], if order == 1 { 4.0 * alone } else { 0.0 }, within);
        assert_near("couple of boxer-4", boxer[1][order], if order == 1 { 2.0 * spacing * alone } else { 0.0 }, within);
        for force in [three[0], boxer[0], six[0], six[1], four[1]] {
            assert_near("what is balanced", force[order], 0.0, within);
        }
    }
}

/// Pistons, rods and a crankshaft with webs.
fn solids() -> Vec<Solid> {
    let (steel, dark, brass, bright) = ([176, 184, 194], [70, 78, 90], [224, 147, 26], [226, 230, 236]);
    let (crank, rod, spacing) = (0.043, 0.144, 0.09);
    let upright = [1.0, -1.0, 0.0, 0.0];
    let mut solids = vec![Solid::cylinder("shaft", 0.06, 0.025).at([0.0, 0.0, 2.25 * spacing]).color(dark)];
    for i in 0..5 {
        solids.push(Solid::cylinder("shaft", 0.022, 0.034).at([0.0, 0.0, (f64::from(i) - 2.0) * spacing]).color(steel));
    }
    for (i, name) in CYLINDERS.iter().enumerate() {
        let (z, up) = ((i as f64 - 1.5) * spacing, if i % 3 == 0 { 1.0 } else { -1.0 });
        for side in [-1.0, 1.0] {
            let web = Solid::block("shaft", [0.052, 0.1, 0.014]).at([0.0, 0.3 * up * crank, z + 0.024 * side]);
            solids.push(web.color(dark));
        }
        solids.push(Solid::cylinder("shaft", 0.019, 0.036).at([0.0, up * crank, z]).color(steel));
        let (rod_name, piston) = (format!("{name}.rod"), format!("{name}.piston"));
        solids.push(Solid::cylinder(&rod_name, 0.03, 0.022).color(brass));
        solids.push(Solid::block(&rod_name, [0.02, rod, 0.014]).at([0.0, 0.5 * rod, 0.0]).color(brass));
        solids.push(Solid::cylinder(&rod_name, 0.017, 0.022).at([0.0, rod, 0.0]).color(brass));
        solids.push(Solid::cylinder(&piston, 0.04, 0.024).at([0.0, 0.03, 0.0]).rotated(upright).color(bright));
        solids.push(Solid::cylinder(&piston, 0.039, 0.03).at([0.0, 0.002, 0.0]).rotated(upright).color(steel));
    }
    solids
}

/// Asserts that a printed value agrees with theory, to within a tolerance.
fn assert_near(quantity: &str, found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{quantity}: {found}, not {expected}");
}

fn main() -> Result<(), Box<dyn Error>> {
    // Loads of one cylinder on the block without its gas, which is enclosed between piston and head.
    let idle = two_revolutions(&OneCylinder::new(one_cylinder::Params { load: 0.0 })?)?;
    let one =
        BlockLoads::of(&idle.cycle("main_bearing.angle")?.revolutions(2)?, &["main_bearing", "cylinder"], SAMPLES)?;

    println!("3,000 rev/min      shaking force [N], order        rocking couple [N m], order");
    println!("                  1          2          4          1          2          4");
    let shaken = engines().map(|(name, cylinders)| {
        let BlockLoads { force, moment } = one.superposed(&cylinders);
        let orders = [&force, &moment].map(|of| [1.0, 2.0, 4.0].map(|order| largest([&of[0], &of[1]], order)));
        print!("{name:9}");
        orders.iter().flatten().for_each(|size| print!(" {size:10.2}"));
        println!();
        orders
    });
    assert_balanced(&shaken);

    // The engine as one mechanism in space gives the same values, as does its front half, whose couple the rear half balances.
    let engine = InlineFour::new(inline_four::Params::default())?;
    let run = two_revolutions(&engine)?;
    let complete = run.cycle("main_bearing.angle")?.revolutions(2)?;
    let four = &engines()[2].1;
    let shaking = complete.harmonics("shaking_force", SAMPLES)?;
    let front = complete.harmonics("rocking_couple_of_front", SAMPLES)?;
    let force = difference(&shaking, &one.superposed(four).force[1]);
    let couple = difference(&front, &one.superposed(&four[..2]).moment[0]);
    println!(
        "\nfour cylinders compiled as one mechanism differ from one superposed by at most {force:.0e} N, its front half by {couple:.0e} N m"
    );
    // 1e-12 of 3 kN of each cylinder, and of their couple.
    assert!(force < 1e-8 && couple < 1e-9, "{force} N, {couple} N m");

    // Torque: the cylinders fire half a revolution apart, so that half orders and order 1 cancel.
    let fired = two_revolutions(&OneCylinder::new(one_cylinder::Params { load: 1.0 })?)?;
    let single = fired.cycle("main_bearing.angle")?.revolutions(2)?.harmonics("torque", SAMPLES)?;
    let firing = [four[0], four[1].next_revolution(), four[2], four[3].next_revolution()].map(|cylinder| Cylinder {
        // Ahead by the angle at which it fires, backwards: cylinders 1, 3, 4 and 2 at 0, π, 2π and 3π.
        phase: -cylinder.phase,
        ..cylinder
    });
    let torque = single.of_cylinders(&firing);
    println!("\norder     torque of one cylinder [N m]     of four");
    for order in [0.0, 0.5, 1.0, 1.5, 2.0, 4.0, 6.0] {
        let [alone, together] = [&single, &torque].map(|torque| torque.order(order).amplitude());
        println!("{order:5.1} {alone:20.2} {together:20.2}");
        // Orders that occur once per firing are four times as large, and all others vanish.
        let expected = if order.rem_euclid(2.0) == 0.0 { 4.0 * alone } else { 0.0 };
        assert_near("torque of four cylinders", together, expected, 1e-9);
    }
    // The work of the mean torque over two revolutions, 4π, is that of the gas.
    let [push, speed] = ["push", "speed"].map(|name| fired.output(name));
    let power = push?.iter().zip(speed?).take(SAMPLES).map(|(push, speed)| push * speed);
    let work = power.sum::<f64>() * (2.0 * TAU / SPEED / SAMPLES as f64);
    assert_near("mean torque", single.order(0.0).cos, work / (4.0 * PI), 1e-9);
    for (name, torque) in [("one cylinder", &single), ("four", &torque)] {
        let fluctuation = torque.torque_fluctuation();
        println!(
            "{name}: {:.1} to {:.1} N m around {:.1} N m, {:.0} J to be stored: {:.3} kg m² for 1 %",
            fluctuation.minimum,
            fluctuation.maximum,
            fluctuation.mean,
            fluctuation.energy,
            fluctuation.flywheel(0.01, SPEED)
        );
    }

    let complete_torque = complete.harmonics("torque", SAMPLES)?;
    let table = complete.steps(12).table(&["shaking_force", "rocking_couple", "torque"])?;
    let cylinders = CYLINDERS.map(|name| format!("{name}.cylinder"));
    let page = run.page().title("Four cylinders in line").up([0.0, 1.0, 0.0]).solids(solids())?.cycle(table);
    let page = page.reactions(&cylinders.each_ref().map(String::as_str))?;
    let [_, three, _, _, _, six] = engines().map(|(_, cylinders)| one.superposed(&cylinders));
    page.orders("Shaking force, upright [N]", &[("one cylinder", &one.force[1]), ("inline-4", &shaking)])
        .orders("Torque [N m]", &[("one cylinder", &single), ("inline-4", &complete_torque)])
        .orders("Rocking couple of others [N m]", &[("inline-3", &three.moment[0]), ("60° V6", &six.moment[0])])
        .write("target/inline_four.html")?;
    println!("wrote target/inline_four.html (open it in a browser)");
    Ok(())
}
