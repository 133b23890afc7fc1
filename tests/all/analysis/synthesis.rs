//! Synthesis of four-bars for positions and for functions: the results run as mechanisms, and their defects against a search.

use std::f64::consts::{PI, TAU};

use mbs::Kinematics;
use mbs::analysis::{
    AnalysisError, AngleScale, Assembly, CouplerPosition, Defect, Dyad, FourBarLinkage, FunctionGenerator, Grashof,
    MotionGenerator, chebyshev_spacing,
};

use crate::analysis::mechanisms::{FourBar, for_each_formulation, wrapped};

const POSITIONS: [CouplerPosition; 3] = [
    CouplerPosition { point: [0.10, 0.30], angle: 0.2 },
    CouplerPosition { point: [0.22, 0.36], angle: -0.1 },
    CouplerPosition { point: [0.36, 0.33], angle: -0.5 },
];

/// Drives a generator's crank through the precision positions as a mechanism, and calls `check` with the row of each and the position found.
fn run(generator: &MotionGenerator, mut check: impl FnMut(usize, CouplerPosition)) {
    let first = generator.ground_angle + generator.crank_angles[0];
    let start = generator.position(generator.crank_angles[0], generator.assemblies[0]).unwrap();
    let [[ax, ay], [bx, by]] = [generator.crank.pivot, generator.rocker.pivot];
    let [[px, py], [qx, qy]] = [generator.crank.pin, generator.rocker.pin];
    let [x, y] = start.place(generator.rocker.pin);
    let (a, c) = (generator.linkage.crank, generator.linkage.rocker);
    let text = format!(
        "pub planar Generator {{
    body crank   {{ mass: 1, inertia: 0.01, angle: {first:?}, position: [{ax:?}, {ay:?}] }}
    body coupler {{ mass: 1, inertia: 0.01, angle: {:?}, position: [{:?}, {:?}] }}
    body rocker  {{ mass: 1, inertia: 0.01, angle: {:?}, position: [{bx:?}, {by:?}] }}
    joint crank_bearing  = revolute(ground at [{ax:?}, {ay:?}], crank);
    joint crank_pin      = revolute(crank at [{a:?}, 0], coupler at [{px:?}, {py:?}]);
    joint rocker_pin     = revolute(coupler at [{qx:?}, {qy:?}], rocker at [{c:?}, 0]);
    joint rocker_bearing = revolute(ground at [{bx:?}, {by:?}], rocker);
    drive motor = crank_bearing.angle == {first:?} + t;
    output x = position(coupler).x;
    output y = position(coupler).y;
    output angle = angle(coupler);
}}",
        start.angle,
        start.point[0],
        start.point[1],
        (y - by).atan2(x - bx),
    );
    for_each_formulation(&text, |engine| {
        // From the first position to the last, forward or backward in time, past the second.
        let mut times = generator.crank_angles.map(|angle| angle - generator.crank_angles[0]);
        if generator.linkage.crank_revolves() {
            // Any three angles are in ascending order in one direction of rotation.
            times = times.map(|time| time.rem_euclid(TAU));
        }
        for (j, time) in times.into_iter().enumerate().skip(1) {
            let steps = 200;
            let times: Vec<f64> = (0..=steps).map(|k| time * f64::from(k) / f64::from(steps)).collect();
            let run = if time >= 0.0 {
                Kinematics::new(engine).at(&times).run()
            } else {
                let text = text.replace("+ t;", "- t;");
                let back = mbs::Engine::options().text(&text).unwrap_or_else(|e| panic!("{e}"));
                let times: Vec<f64> = times.iter().map(|t| -t).collect();
                Kinematics::new(&back).at(&times).run()
            };
            let run = run.unwrap_or_else(|e| panic!("{e}"));
            let [x, y, angle] = ["x", "y", "angle"].map(|name| *run.output(name).unwrap().last().unwrap());
            check(j, CouplerPosition::new([x, y], angle));
        }
    });
}

fn assert_goes_through(generator: &MotionGenerator, positions: &[CouplerPosition; 3]) {
    for (j, wanted) in positions.iter().enumerate() {
        let found = generator.position(generator.crank_angles[j], generator.assemblies[j]).unwrap();
        // Lengths up to 1 m, from centres of circles whose chords are a tenth of that: 1e-16 · 100 · some operations.
        let miss = (found.point[0] - wanted.point[0]).hypot(found.point[1] - wanted.point[1]);
        assert!(miss < 1e-13 && wrapped(found.angle - wanted.angle).abs() < 1e-12, "{j}: {found:?} {wanted:?}");
    }
}

#[test]
fn couplers_go_through_three_positions_as_mechanisms() {
    let by_pins = [[-0.05, -0.1], [0.12, -0.06]].map(|pin| Dyad::of_pin(&POSITIONS, pin).unwrap());
    let by_pivots = [[0.05, 0.2], [0.0, -0.2]].map(|pivot| Dyad::of_pivot(&POSITIONS, pivot).unwrap());
    let by_turns = [[-0.5, -1.1], [-0.35, -0.7]].map(|turns| Dyad::of_rotations(&POSITIONS, turns).unwrap());
    for [crank, rocker] in [by_pins, by_pivots, by_turns] {
        let generator = MotionGenerator::new(&POSITIONS, crank, rocker).unwrap();
        println!("{:?} {:?} {:?}", generator.linkage, generator.linkage.grashof(), generator.defects);
        assert_goes_through(&generator, &POSITIONS);
        assert!(generator.defects.is_empty());
        run(&generator, |j, found| {
            let wanted = POSITIONS[j];
            let miss = (found.point[0] - wanted.point[0]).hypot(found.point[1] - wanted.point[1]);
            assert!(miss < 1e-12 && wrapped(found.angle - wanted.angle).abs() < 1e-12, "{j}: {found:?} {wanted:?}");
        });
    }
}

#[test]
fn links_of_all_three_kinds_are_one() {
    let dyad = Dyad::of_rotations(&POSITIONS, [-0.5, -1.1]).unwrap();
    // It rotates by the given angles.
    let angle = |position: &CouplerPosition| {
        let [x, y] = position.place(dyad.pin);
        (y - dyad.pivot[1]).atan2(x - dyad.pivot[0])
    };
    assert!(wrapped(angle(&POSITIONS[1]) - angle(&POSITIONS[0]) + 0.5).abs() < 1e-12);
    assert!(wrapped(angle(&POSITIONS[2]) - angle(&POSITIONS[0]) + 1.1).abs() < 1e-12);
    for other in [Dyad::of_pin(&POSITIONS, dyad.pin).unwrap(), Dyad::of_pivot(&POSITIONS, dyad.pivot).unwrap()] {
        for (found, expected) in [(other.pivot, dyad.pivot), (other.pin, dyad.pin)] {
            assert!((found[0] - expected[0]).hypot(found[1] - expected[1]) < 1e-12, "{other:?} {dyad:?}");
        }
    }
}

#[test]
fn four_bar_of_known_motion_is_found_again() {
    let lengths = FourBar::CRANK_ROCKER;
    let linkage = FourBarLinkage::new(lengths.ground, lengths.crank, lengths.coupler, lengths.rocker).unwrap();
    let positions = [0.5, 2.0, 4.0].map(|angle: f64| {
        let pose = lengths.pose(angle);
        CouplerPosition::new([lengths.crank * angle.cos(), lengths.crank * angle.sin()], pose.coupler[0])
    });
    let crank = Dyad::of_pin(&positions, [0.0, 0.0]).unwrap();
    let rocker = Dyad::of_pivot(&positions, [lengths.ground, 0.0]).unwrap();
    let generator = MotionGenerator::new(&positions, crank, rocker).unwrap();
    assert_eq!((generator.linkage.grashof(), generator.assemblies), (Grashof::CrankRocker, [Assembly::Open; 3]));
    assert!(generator.defects.is_empty());
    let [found, known] = [generator.linkage, linkage].map(|four| [four.ground, four.crank, four.coupler, four.rocker]);
    assert!(found.iter().zip(known).all(|(found, known)| (found - known).abs() < 1e-12), "{found:?}");
    for k in 0..24 {
        let angle = TAU * f64::from(k) / 24.0;
        let (pose, known) = (linkage.pose(angle, Assembly::Open).unwrap(), lengths.pose(angle));
        assert!(wrapped(pose.coupler_angle - known.coupler[0]).abs() < 1e-13);
        assert!(wrapped(pose.rocker_angle - known.rocker[0]).abs() < 1e-13);
    }
    run(&generator, |j, found| {
        let wanted = positions[j];
        let miss = (found.point[0] - wanted.point[0]).hypot(found.point[1] - wanted.point[1]);
        assert!(miss < 1e-12 && wrapped(found.angle - wanted.angle).abs() < 1e-12, "{found:?} {wanted:?}");
    });
}

/// Connected components of the poses of a four-bar, over steps of the crank angle and both assemblies, with and without passing dead points of
/// the crank.
struct Circuits {
    /// Component of each step and assembly, `None` at angles that the crank cannot have; first without passing dead points, then through them.
    components: [Vec<[Option<usize>; 2]>; 2],
}

impl Circuits {
    const STEPS: usize = 3600;

    fn new(linkage: &FourBarLinkage) -> Self {
        let angle = |k: usize| TAU * k as f64 / Self::STEPS as f64;
        let is_there: Vec<bool> = (0..Self::STEPS).map(|k| linkage.pose(angle(k), Assembly::Open).is_some()).collect();
        let components = [false, true].map(|through| {
            let mut component = vec![[None; 2]; Self::STEPS];
            let mut count = 0;
            for start in (0..Self::STEPS).flat_map(|k| [(k, 0), (k, 1)]).filter(|(k, _)| is_there[*k]) {
                let mut open = vec![start];
                while let Some((k, side)) = open.pop() {
                    if component[k][side].is_some() {
                        continue;
                    }
                    component[k][side] = Some(count);
                    for next in [(k + 1) % Self::STEPS, (k + Self::STEPS - 1) % Self::STEPS] {
                        match is_there[next] {
                            true => open.push((next, side)),
                            // At a dead point coupler and rocker are in line, and both assemblies continue backward.
                            false if through => open.push((k, 1 - side)),
                            false => {}
                        }
                    }
                }
                count += 1;
            }
            component
        });
        Circuits { components }
    }

    fn component(&self, through: usize, angle: f64, assembly: Assembly) -> Option<usize> {
        let k = (angle.rem_euclid(TAU) / TAU * Self::STEPS as f64).round() as usize % Self::STEPS;
        self.components[through][k][usize::from(assembly == Assembly::Crossed)]
    }
}

#[test]
fn defects_are_those_that_a_search_finds() {
    let mut seed = 7_u64;
    let mut random = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut counts = [0; 4];
    for _ in 0..400 {
        let mut point = || [random(-0.4, 0.4), random(-0.4, 0.4)];
        let (points, pins) = ([point(), point(), point()], [point(), point()]);
        let positions = points.map(|point| CouplerPosition::new(point, random(-1.5, 1.5)));
        let [Ok(crank), Ok(rocker)] = pins.map(|pin| Dyad::of_pin(&positions, pin)) else { continue };
        let Ok(generator) = MotionGenerator::new(&positions, crank, rocker) else { continue };
        let circuits = Circuits::new(&generator.linkage);
        let found = |through: usize| {
            let pairs = generator.crank_angles.iter().zip(&generator.assemblies);
            pairs.map(|(angle, assembly)| circuits.component(through, *angle, *assembly)).collect::<Vec<_>>()
        };
        // Steps of 0.1° cannot separate positions this close to dead points.
        let limits = generator.linkage.crank_limits();
        let is_near = |angle: &f64| limits.iter().flatten().any(|limit| (wrapped(*angle).abs() - limit).abs() < 0.01);
        if generator.crank_angles.iter().any(is_near) {
            continue;
        }
        let is_one_component = |components: &[Option<usize>]| {
            assert!(components.iter().all(Option::is_some), "{generator:?}");
            components.iter().all(|component| *component == components[0])
        };
        let (branch, circuit) = (is_one_component(&found(0)), is_one_component(&found(1)));
        let expected = match (circuit, branch) {
            (false, _) => Some(Defect::Circuit),
            (true, false) => Some(Defect::Branch),
            (true, true) => None,
        };
        let reported = generator.defects.first().copied();
        assert_eq!(reported.filter(|defect| *defect != Defect::Order), expected, "{generator:?}");
        counts[reported.map_or(0, |defect| 1 + defect as usize)] += 1;
        if expected.is_none() && !generator.linkage.crank_revolves() {
            // Angles in the order in which the branch from the first position passes them.
            let [first, second, third] = generator.crank_angles;
            let step = TAU / Circuits::STEPS as f64;
            let away = |to: f64| {
                let (mut ahead, mut back) = (0.0, 0.0);
                while generator.linkage.pose(first + ahead, Assembly::Open).is_some()
                    && wrapped(first + ahead - to).abs() > step
                {
                    ahead += step;
                }
                while generator.linkage.pose(first - back, Assembly::Open).is_some()
                    && wrapped(first - back - to).abs() > step
                {
                    back += step;
                }
                if wrapped(first + ahead - to).abs() <= step { ahead } else { -back }
            };
            let [second, third] = [away(second), away(third)];
            let is_in_order = second.signum() == third.signum() && second.abs() <= third.abs() + 2.0 * step;
            assert_eq!(reported.is_none(), is_in_order, "{generator:?}: {second} {third}");
        }
    }
    println!("without defects {}, circuit {}, branch {}, order {}", counts[0], counts[1], counts[2], counts[3]);
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

/// The four-bar of a generator as a mechanism, whose crank rotates from one angle φ to another in a second.
fn function_text(generator: &FunctionGenerator, from: f64, to: f64) -> String {
    let FourBarLinkage { ground, crank, coupler, rocker } = generator.linkage;
    let start = from + generator.crank_offset;
    let pose = generator.linkage.pose(start, generator.assemblies[0]).unwrap();
    format!(
        "pub planar Generator {{
    body crank   {{ mass: 1, inertia: 0.01, angle: {start:?} }}
    body coupler {{ mass: 1, inertia: 0.01, angle: {:?}, position: [{:?}, {:?}] }}
    body rocker  {{ mass: 1, inertia: 0.01, angle: {:?}, position: [{ground:?}, 0] }}
    joint crank_bearing  = revolute(ground, crank);
    joint crank_pin      = revolute(crank at [{crank:?}, 0], coupler);
    joint rocker_pin     = revolute(coupler at [{coupler:?}, 0], rocker at [{rocker:?}, 0]);
    joint rocker_bearing = revolute(ground at [{ground:?}, 0], rocker);
    drive motor = crank_bearing.angle == {start:?} + {:?} * t;
    output angle = angle(rocker);
}}",
        pose.coupler_angle,
        crank * start.cos(),
        crank * start.sin(),
        pose.rocker_angle,
        to - from,
    )
}

#[test]
fn rockers_follow_functions_as_mechanisms() {
    type Case = (fn(f64) -> f64, [f64; 2], [f64; 2], [f64; 2]);
    // Function, range of arguments, and in degrees initial angles and ranges of crank and rocker. The last one passes a dead point.
    let cases: [Case; 6] = [
        (f64::log10, [1.0, 2.0], [35.0, 60.0], [-55.0, 90.0]),
        (|x| x * x, [0.0, 1.0], [115.0, 60.0], [-115.0, 60.0]),
        (f64::exp, [0.0, 1.0], [-85.0, 60.0], [-135.0, 70.0]),
        (f64::recip, [1.0, 2.0], [-150.0, 90.0], [-60.0, -90.0]),
        (f64::sin, [0.0, 0.5 * PI], [-65.0, 90.0], [70.0, 90.0]),
        (|x| x * x, [0.0, 1.0], [40.0, 60.0], [63.0, 60.0]),
    ];
    let mut offsets = 0;
    for (i, (function, arguments, phi, psi)) in cases.into_iter().enumerate() {
        let [phi, psi] = [phi, psi].map(|[from, by]| [from, from + by].map(f64::to_radians));
        let x = AngleScale { values: arguments, angles: phi };
        let y = AngleScale { values: arguments.map(function), angles: psi };
        let generator = FunctionGenerator::of(function, x, y, 0.1).unwrap();
        println!("{i}: {:?} {:?} {:?}", generator.linkage, generator.linkage.grashof(), generator.defects);
        offsets += usize::from(generator.crank_offset != 0.0 || generator.rocker_offset != 0.0);
        let read = |at: f64| generator.rocker_angle(x.angle(at)).map(|angle| y.value(angle) - function(at));
        assert_eq!(generator.defects.is_empty(), i != 5, "{i}: {generator:?}");
        if i == 5 {
            assert_eq!(generator.defects, [Defect::Branch]);
            // Each point is checked separately.
            for (j, [phi, psi]) in generator.pairs.into_iter().enumerate() {
                let pose = generator.linkage.pose(phi + generator.crank_offset, generator.assemblies[j]).unwrap();
                assert!(wrapped(pose.rocker_angle - generator.rocker_offset - psi).abs() < 1e-12, "{i}");
            }
            continue;
        }
        let points = chebyshev_spacing(arguments);
        for point in points {
            assert!(read(point).unwrap().abs() < 1e-12, "{i}: {:?} at {point}", read(point));
        }
        // Between the points there is an error, which changes its sign at each of them.
        let at = |k: i32| arguments[0] + (arguments[1] - arguments[0]) * f64::from(k) / 97.0;
        let errors: Vec<f64> = (0..=97).map(|k| read(at(k)).unwrap()).collect();
        let changes = errors.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
        let largest = errors.iter().fold(0.0_f64, |largest, error| largest.max(error.abs()));
        let part = largest / (y.values[1] - y.values[0]).abs();
        println!("{i}: {part:.2e} of the range");
        assert!(changes >= 3 && part < 0.005, "{i}: {changes} {part}");
        for_each_formulation(&function_text(&generator, phi[0], phi[1]), |engine| {
            let times: Vec<f64> = points.iter().map(|at| (at - arguments[0]) / (arguments[1] - arguments[0])).collect();
            let all: Vec<f64> = [0.0].into_iter().chain(times).collect();
            let run = Kinematics::new(engine).at(&all).run().unwrap_or_else(|e| panic!("{e}"));
            for (found, at) in run.output("angle").unwrap()[1..].iter().zip(points) {
                let wanted = y.angle(function(at)) + generator.rocker_offset;
                assert!(wrapped(found - wanted).abs() < 1e-12, "{i} at {at}: {found} is not {wanted}");
            }
        });
    }
    assert_eq!(offsets, 3, "links that Freudenstein's equation gives negative lengths");
}

#[test]
fn freudensteins_equation_finds_a_known_linkage() {
    let lengths = FourBar::CRANK_ROCKER;
    let pairs = [0.4, 1.3, 2.9].map(|angle| [angle, lengths.pose(angle).rocker[0]]);
    let generator = FunctionGenerator::new(pairs, lengths.ground).unwrap();
    let FourBarLinkage { crank, coupler, rocker, .. } = generator.linkage;
    for (found, known) in [(crank, lengths.crank), (coupler, lengths.coupler), (rocker, lengths.rocker)] {
        assert!((found - known).abs() < 1e-12, "{found} is not {known}");
    }
    assert!(generator.defects.is_empty() && generator.crank_offset == 0.0 && generator.rocker_offset == 0.0);
    // With the crank reversed: Freudenstein's crank length is negative.
    let behind = pairs.map(|[phi, psi]| [phi + PI, psi]);
    let reversed = FunctionGenerator::new(behind, lengths.ground).unwrap();
    assert!((reversed.linkage.crank - lengths.crank).abs() < 1e-12 && reversed.crank_offset == PI);
    for [phi, psi] in behind {
        assert!((reversed.rocker_angle(phi).unwrap() - psi).abs() < 1e-12);
    }
}

#[test]
fn impossible_motions_are_refused() {
    // Without rotation there is a parallelogram, and points on a line have no circle centre.
    let straight = [0.0, 0.1, 0.25].map(|x| CouplerPosition::new([x, 0.3], 0.0));
    let line = Dyad::of_pin(&straight, [0.0, 0.1]).unwrap_err();
    assert!(line.to_string().starts_with("no circle goes through [[0.0, 0.4], [0.1, 0.4]"), "{line}");
    assert!(matches!(Dyad::of_pivot(&straight, [0.0, 0.1]), Err(AnalysisError::NoCircle { .. })));
    let turns = POSITIONS.map(|position| position.angle - POSITIONS[0].angle);
    let with_coupler = Dyad::of_rotations(&POSITIONS, [turns[1], turns[2]]).unwrap_err();
    assert!(with_coupler.to_string().starts_with("no link rotates by -17.189° and -40.107°"), "{with_coupler}");
    assert!(
        Dyad::of_rotations(&POSITIONS, [f64::NAN, 1.0]).is_err() && Dyad::of_pin(&POSITIONS, [f64::NAN, 0.0]).is_err()
    );
    let dyad = Dyad::of_pin(&POSITIONS, [0.0, 0.0]).unwrap();
    assert!(matches!(MotionGenerator::new(&POSITIONS, dyad, dyad), Err(AnalysisError::Lengths { .. })));
    let other = MotionGenerator::new(&POSITIONS, dyad, Dyad { pivot: [0.0, 0.0], ..dyad }).unwrap_err();
    assert!(
        other.to_string().starts_with("`pivot of the rocker` and `pin of the rocker` are not on one link"),
        "{other}"
    );

    let equal = FunctionGenerator::new([[0.5, 0.7]; 3], 0.1).unwrap_err();
    assert!(equal.to_string().starts_with("no four-bar relates these angles"), "{equal}");
    let scale = AngleScale { values: [1.0, 1.0], angles: [0.0, 1.0] };
    assert!(matches!(FunctionGenerator::of(f64::sqrt, scale, scale, 0.1), Err(AnalysisError::NoFunction { .. })));
    let good = [[0.4, 1.0], [0.8, 1.5], [1.3, 2.1]];
    assert!(matches!(FunctionGenerator::new(good, 0.0), Err(AnalysisError::Lengths { .. })));
    assert!(matches!(FunctionGenerator::new(good, f64::NAN), Err(AnalysisError::Lengths { .. })));
}
