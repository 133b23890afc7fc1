//! Tables of a cycle, extreme values, strokes and coupler curves.

use std::f64::consts::{PI, TAU};

use mbs::analysis::{AnalysisError, ExtremeKind, FourBarLinkage, refine};
use mbs::{Engine, Kinematics, Recording};

use crate::analysis::mechanisms::{FourBar, for_each_formulation, wrapped};

fn record_revolution(engine: &Engine, rows: usize) -> Recording {
    Kinematics::new(engine).grid(0.0, 1.0, rows).run().unwrap_or_else(|e| panic!("{e}"))
}

/// A shaft that drives a slide by x = 0.1 cos φ + 0.05 at 2π rad/s from φ = 0.
pub const HARMONIC: &str = "pub planar Harmonic {
    body shaft { mass: 1, inertia: 0.1 }
    body slide { mass: 2, inertia: 0.1, position: [0.15, 0] }
    joint bearing = revolute(ground, shaft);
    joint guide = prismatic(ground, slide) { axis: [1, 0] };
    drive motor = bearing.angle == TAU * t;
    coupling yoke = guide.position == 0.05 + 0.1 * cos(bearing.angle);
    marker rim = shaft at [0.3, 0];
    output phi = bearing.angle;
    output x = position(slide).x;
    output square = position(slide).x.powi(2);
}";

#[test]
fn cycle_table_has_rows_by_angle_and_a_summary() {
    for_each_formulation(HARMONIC, |engine| {
        let recording = record_revolution(engine, 73);
        let cycle = recording.cycle("phi").unwrap().steps(12);
        let table = cycle.table(&["x", "marker.rim.y"]).unwrap();
        assert_eq!(table.angles.len(), 13);
        for (i, angle) in table.angles.iter().enumerate() {
            assert!((angle - TAU * i as f64 / 12.0).abs() < 1e-14);
            // Rows of the table coincide with recorded rows: the columns are exact.
            assert!((table.columns[0].values[i] - 0.05 - 0.1 * angle.cos()).abs() < 1e-13);
            assert!((table.columns[1].values[i] - 0.3 * angle.sin()).abs() < 1e-13);
        }
        assert_eq!((table.times[0], table.times[12]), (0.0, 1.0));
        let x = table.column("x").unwrap();
        // The interpolant has pieces of 5°, of degree five with rates from seven rows.
        for (found, expected) in
            [(x.minimum, -0.05), (x.maximum, 0.15), (x.mean, 0.05), (x.rms, (0.05_f64.powi(2) + 0.005).sqrt())]
        {
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
        assert_eq!(table.column("y").unwrap_err().to_string(), "unknown column `y`");
    });
}

#[test]
fn cycle_tables_print() {
    for_each_formulation(HARMONIC, |engine| {
        let recording = record_revolution(engine, 361);
        let table = recording.cycle("phi").unwrap().at_degrees(&[0.0, 90.0, 180.0]).table(&["x"]).unwrap();
        let text = "angle [°]      x\n----------------\n        0   0.15\n       90   0.05\n      180  -0.05\n----------------\n      min  -0.05\n      max   0.15\n     mean   0.05\n      rms  0.0866025\n";
        let squeezed = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let words = |text: &str| squeezed(text).into_iter().filter(|word| !word.starts_with("--")).collect::<Vec<_>>();
        assert_eq!(words(&table.to_string()), words(text), "{table}");
        let lines: Vec<usize> = table.to_string().lines().map(|line| line.chars().count()).collect();
        assert!(lines.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
        assert!(table.to_markdown().starts_with("| angle [°] | x |\n| ---: | ---: |\n| 0 | 0.15 |\n| 90 | 0.05 |\n"));
        let mut csv = Vec::new();
        table.to_csv(&mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        assert!(csv.starts_with("angle,t,x\n0,0,0.15") && csv.lines().count() == 4, "{csv}");
    });
}

#[test]
fn tables_do_not_depend_on_the_start_of_the_revolution() {
    let text = HARMONIC
        .replace("TAU * t;", "4 - TAU * t;")
        .replace("inertia: 0.1 }\n    body slide", "inertia: 0.1, angle: 4 }\n    body slide");
    for_each_formulation(&text, |engine| {
        let recording = Kinematics::new(engine).grid(0.0, 2.5, 901).run().unwrap_or_else(|e| panic!("{e}"));
        for cycle in [recording.cycle("phi").unwrap(), recording.cycle("phi").unwrap().last().unwrap()] {
            let table = cycle.table(&["x"]).unwrap();
            for (angle, x) in table.angles.iter().zip(&table.columns[0].values) {
                assert!((x - 0.05 - 0.1 * angle.cos()).abs() < 1e-9);
            }
            assert!((table.columns[0].mean - 0.05).abs() < 1e-9);
        }
    });
}

#[test]
fn cycles_need_a_revolution() {
    for_each_formulation(HARMONIC, |engine| {
        let half = Kinematics::new(engine).grid(0.0, 0.5, 181).run().unwrap();
        let error = half.cycle("phi").unwrap_err();
        assert_eq!(error.to_string(), "`phi` covers 180.000°, a cycle needs a full revolution of 360°: run longer");
        let all = record_revolution(engine, 181);
        assert!(matches!(all.cycle("ph"), Err(AnalysisError::Unknown(_))));
        assert!(all.cycle("phi").unwrap().table(&["z"]).is_err());
    });
}

#[test]
fn columns_have_the_names_of_csv_files() {
    for_each_formulation(HARMONIC, |engine| {
        let recording = record_revolution(engine, 11);
        let mut csv = Vec::new();
        recording.to_csv(&mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        let mut lines = csv.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        let first: Vec<f64> = lines.next().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
        for (name, value) in header.iter().zip(first).skip(1) {
            // Attitudes are not columns.
            if let Ok(column) = recording.column(name) {
                assert!(column[0] == value, "{name}: {} is not {value}", column[0]);
            } else {
                assert!(name.starts_with("body.") && name.contains(".e"), "{name}");
            }
        }
        assert_eq!(recording.column("x").unwrap(), recording.output("x").unwrap());
        assert_eq!(recording.column("energy.total").unwrap(), recording.total_energy());
        let error = recording.column("output.y").unwrap_err();
        assert_eq!(error.nearest.as_deref(), Some("output.x"));
    });
}

#[test]
fn extremes_lie_between_rows() {
    for_each_formulation(HARMONIC, |engine| {
        // 10° per row, from an angle without an extreme value.
        let recording = Kinematics::new(engine).grid(0.1, 1.9, 65).run().unwrap();
        let extremes = recording.extremes("square").unwrap();
        // (0.05 + 0.1 cos φ)²: 0 where cos φ = −½, 0.0025 at π, 0.0225 at 0.
        let expected = [1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0, 4.0 / 3.0, 1.5, 5.0 / 3.0];
        assert_eq!(extremes.turning.len(), expected.len());
        for (extreme, time) in extremes.turning.iter().zip(expected) {
            assert!((extreme.time - time).abs() < 1e-4, "{} is not {time}", extreme.time);
            let again = refine(engine, &recording, "square", extreme).unwrap();
            assert!((again.time - time).abs() < 1e-11, "{} is not {time}", again.time);
        }
        assert_eq!(extremes.turning[0].kind, ExtremeKind::Minimum);
        assert!((extremes.maximum.value - 0.0225).abs() < 1e-5 && extremes.minimum.value.abs() < 1e-6);
    });
}

#[test]
fn dead_points_of_a_rocker_are_where_crank_and_coupler_are_in_line() {
    let lengths = FourBar::CRANK_ROCKER;
    let FourBar { ground, crank, coupler, rocker, start } = lengths;
    let linkage = FourBarLinkage::new(ground, crank, coupler, rocker).unwrap();
    let limits = linkage.rocker_limits().map(Option::unwrap);
    for_each_formulation(&lengths.text(), |engine| {
        let recording = Kinematics::new(engine).grid(0.0, 2.0, 721).run().unwrap();
        let dead_points = recording.dead_points("rocker_angle").unwrap();
        assert_eq!(dead_points.len(), 4);
        for point in &dead_points {
            let near = |tolerance: f64, point: &mbs::analysis::Extreme| {
                let phi = start + TAU * point.time;
                limits.iter().any(|limit| {
                    wrapped(phi - limit.crank_angle).abs() < TAU * tolerance
                        && wrapped(point.value - limit.rocker_angle).abs() < 1e-9
                })
            };
            // A part of the period: 1° per row, after which the pose is solved again.
            assert!(near(1e-9, point), "{point:?} is not of {limits:?}");
            assert!(near(1e-12, &refine(engine, &recording, "rocker_angle", point).unwrap()));
        }
        let quick_return = recording.quick_return("rocker_angle", 1.0).unwrap();
        assert!((quick_return.time_ratio() - linkage.time_ratio().unwrap()).abs() < 1e-8);
        assert!((quick_return.travel - linkage.swing().unwrap()).abs() < 1e-9);
        let strokes = recording.strokes("rocker_angle").unwrap();
        assert_eq!(strokes.len(), 3);
        assert!((strokes[0].travel() + strokes[1].travel()).abs() < 1e-9);
        assert!((strokes[0].duration() + strokes[1].duration() - 1.0).abs() < 1e-9);
        let error = recording.quick_return("coupler_angle", 0.1).unwrap_err();
        assert!(matches!(error, AnalysisError::NoStroke { .. }), "{error}");
    });
}

#[test]
fn coordinates_have_their_extremes_from_recorded_rates() {
    for_each_formulation(HARMONIC, |engine| {
        let recording = Kinematics::new(engine).grid(0.0, 1.25, 76).run().unwrap();
        let name = if recording.coordinate("guide.position").is_ok() { "guide.position" } else { "slide.x" };
        let name = if recording.coordinate(name).is_ok() { name } else { "x" };
        let points = recording.dead_points(name).unwrap();
        assert_eq!(points.len(), 2);
        // Rows are 6° apart.
        assert!((points[0].time - 0.5).abs() < 1e-6 && (points[1].time - 1.0).abs() < 1e-6);
    });
}

#[test]
fn coupler_curves_have_length_and_area() {
    for_each_formulation(HARMONIC, |engine| {
        let recording = record_revolution(engine, 181);
        let rim = recording.trace("rim").unwrap();
        assert_eq!(rim.points.len(), 181);
        // The curve is a circle of 0.3 m, in pieces of 2°.
        assert!((rim.length - TAU * 0.3).abs() < 1e-8, "{}", rim.length);
        assert!((rim.enclosed_area - PI * 0.09).abs() < 1e-8, "{}", rim.enclosed_area);
        assert!(rim.closure_error < 1e-14);
        let there_and_back = recording.trace("slide").unwrap();
        assert!((there_and_back.length - 0.4).abs() < 1e-6 && there_and_back.enclosed_area.abs() < 1e-15);
        assert!(
            matches!(recording.trace("rimm"), Err(AnalysisError::Unknown(unknown)) if unknown.nearest.as_deref() == Some("rim"))
        );
    });
}
