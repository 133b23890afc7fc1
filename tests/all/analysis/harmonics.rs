//! Harmonics of columns: known signals, the transform against direct sums, and cycles of any start and direction.

use std::f64::consts::{PI, TAU};

use mbs::analysis::{AnalysisError, Harmonics};
use mbs::{InverseDynamics, Kinematics, Phasor, harmonic};

use crate::analysis::cycles::HARMONIC;
use crate::analysis::mechanisms::for_each_formulation;

/// Pseudo-random numbers in [−1, 1].
fn noise(n: usize) -> Vec<f64> {
    let mut seed = 12345_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn transform_agrees_with_single_sums() {
    for n in [1, 2, 3, 8, 97, 360, 361, 720, 1024] {
        let samples = noise(n);
        for turns in [1, 2] {
            let harmonics = Harmonics::new(&samples, turns).unwrap();
            let orders: Vec<(f64, Phasor)> = harmonics.orders().collect();
            assert_eq!(orders.len(), n / 2 + 1);
            for (k, (order, phasor)) in orders.into_iter().enumerate() {
                assert_eq!(order, k as f64 / turns as f64);
                // Sums of 1,000 terms of 1, over 1,000: 1e-13 with rounded roots of unity.
                let single = harmonic(&samples, k);
                assert!((phasor - single).amplitude() < 1e-13, "{n} {k}: {phasor:?} {single:?}");
                assert_eq!(harmonics.order(order), phasor);
            }
            let back = harmonics.samples(n);
            assert!(back.iter().zip(&samples).all(|(back, sample)| (back - sample).abs() < 1e-13), "{n}");
            let rms = (samples.iter().map(|x| x * x).sum::<f64>() / n as f64).sqrt();
            if n % 2 == 1 {
                assert!((harmonics.rms() - rms).abs() < 1e-13, "{n}");
            }
        }
    }
}

/// 3 + 2 cos(θ − 0.4) − sin 2θ + 0.5 cos 5θ, over one revolution, or as half orders over two.
fn signal(angle: f64) -> f64 {
    3.0 + 2.0 * (angle - 0.4).cos() - (2.0 * angle).sin() + 0.5 * (5.0 * angle).cos()
}

#[test]
fn known_signal_has_its_orders() {
    for turns in [1_usize, 2] {
        let n = 50 * turns;
        let angle = |j: usize| TAU * turns as f64 * j as f64 / n as f64;
        let samples: Vec<f64> = (0..n).map(|j| signal(angle(j))).collect();
        let harmonics = Harmonics::new(&samples, turns).unwrap();
        // The tolerance 1e-13 is the rounding of 100 terms up to 6.5.
        for (order, expected) in [
            (0.0, Phasor::new(3.0, 0.0)),
            (0.5, Phasor::default()),
            (1.0, Phasor::of_amplitude(2.0, 0.4)),
            (2.0, Phasor::new(0.0, -1.0)),
            (5.0, Phasor::new(0.5, 0.0)),
            (300.0, Phasor::default()),
            (0.3, Phasor::default()),
            (-1.0, Phasor::default()),
            (f64::NAN, Phasor::default()),
            (f64::INFINITY, Phasor::default()),
        ] {
            let found = harmonics.order(order);
            assert!((found - expected).amplitude() < 1e-13, "{order}: {found:?} is not {expected:?}");
        }
        assert!((harmonics.order(1.0).phase() - 0.4).abs() < 1e-13);
        assert!((harmonics.rms() - (9.0_f64 + 2.0 + 0.5 + 0.125).sqrt()).abs() < 1e-13);
        for theta in [-2.0, 0.1, 1.0, 3.0, 5.9] {
            assert!((harmonics.value(theta) - signal(theta)).abs() < 1e-13);
            assert!((harmonics.advanced(0.7).value(theta) - signal(theta + 0.7)).abs() < 1e-13);
            assert!((harmonics.reversed().value(theta) - signal(-theta)).abs() < 1e-13);
            let (h, integral) = (1e-4, harmonics.integral());
            // Central differences have the error h² x‴/6 = 1e-7.
            let derivative = (signal(theta + h) - signal(theta - h)) / (2.0 * h);
            assert!((harmonics.derivative().value(theta) - derivative).abs() < 2e-7);
            let derivative = (integral.value(theta + h) - integral.value(theta - h)) / (2.0 * h);
            assert!((derivative - (signal(theta) - 3.0)).abs() < 2e-7 && integral.mean() == 0.0);
        }
        let two = harmonics.superposed([(1.0, 0.0), (-0.5, PI)]);
        assert!((two.value(0.3) - (signal(0.3) - 0.5 * signal(0.3 + PI))).abs() < 1e-13);
    }
}

#[test]
fn samples_of_any_number_are_values() {
    let samples: Vec<f64> = (0..40).map(|j| signal(TAU * f64::from(j) / 40.0)).collect();
    let harmonics = Harmonics::new(&samples, 1).unwrap();
    for count in [1_usize, 2, 3, 4, 5, 7, 10, 11, 39, 40, 41, 200] {
        for (j, value) in harmonics.samples(count).iter().enumerate() {
            assert!((value - signal(TAU * j as f64 / count as f64)).abs() < 1e-13, "{count} {j}: {value}");
        }
    }
    assert!(harmonics.samples(0).is_empty());
}

#[test]
fn extremes_lie_between_samples() {
    // cos θ + sin θ has its maximum √2 at π/4, which is not one of the seven samples.
    let samples: Vec<f64> = (0..7).map(|j| TAU * f64::from(j) / 7.0).map(|angle| angle.cos() + angle.sin()).collect();
    let [least, largest] = Harmonics::new(&samples, 1).unwrap().extremes();
    assert!((largest.0 - 0.25 * PI).abs() < 1e-14 && (largest.1 - 2.0_f64.sqrt()).abs() < 1e-14);
    assert!((least.0 - 1.25 * PI).abs() < 1e-14 && (least.1 + 2.0_f64.sqrt()).abs() < 1e-14);
    assert!(Harmonics::new(&[2.0; 5], 1).unwrap().extremes().iter().all(|(_, value)| (value - 2.0).abs() < 1e-14));
}

#[test]
fn samples_are_checked() {
    let missing = Harmonics::new(&[], 1).unwrap_err();
    assert_eq!(missing, AnalysisError::TooFewRows { needed: 1, found: 0 });
    let infinite = Harmonics::new(&[1.0, f64::NAN], 1).unwrap_err();
    assert_eq!(infinite, AnalysisError::NotFinite { column: "samples".into() });
    assert_eq!(Harmonics::new(&[1.0, 2.0], 0).unwrap().revolutions(), 1);
}

#[test]
fn cycles_have_harmonics_wherever_they_begin() {
    // x = 0.05 + 0.1 cos φ of the shaft, which starts at any angle and rotates in either direction.
    for (start, direction) in [(0.0, 1.0), (4.0, 1.0), (4.0, -1.0), (-7.0, -1.0)] {
        let text = HARMONIC
            .replace("TAU * t;", &format!("{start:?} + {direction:?} * TAU * t;"))
            .replace("inertia: 0.1 }\n    body slide", &format!("inertia: 0.1, angle: {start:?} }}\n    body slide"));
        for_each_formulation(&text, |engine| {
            let run = InverseDynamics::new(engine).grid(0.0, 2.0, 73).run().unwrap_or_else(|e| panic!("{e}"));
            for (turns, samples) in [(1, 36), (2, 72), (1, 12)] {
                let cycle = run.cycle("phi").unwrap().revolutions(turns).unwrap();
                let x = cycle.harmonics("x", samples).unwrap();
                // Rows coincide with samples: errors are the rounding of angles up to 20 rad and of the rows.
                for (order, phasor) in x.orders() {
                    let expected = match order {
                        0.0 => Phasor::new(0.05, 0.0),
                        1.0 => Phasor::new(0.1, 0.0),
                        _ => Phasor::default(),
                    };
                    assert!((phasor - expected).amplitude() < 1e-14, "{start} {order}: {phasor:?}");
                }
                // m ẍ ẋ/φ̇ = 2 kg · ½ · 0.01 m² · (2π/s)² sin 2φ: the torque of the drive; rotational inertias exert no torque at constant speed.
                let torque = cycle.harmonics("drive.motor", samples).unwrap();
                let amplitude = 0.01 * TAU * TAU;
                assert!((torque.order(2.0) - Phasor::new(0.0, amplitude)).amplitude() < 1e-12, "{torque:?}");
                assert!(torque.mean().abs() < 1e-12);
            }
            let short = run.cycle("phi").unwrap().revolutions(3).unwrap_err();
            let message = "`phi` covers 720.000°, these revolutions cover 1080°: run longer";
            assert_eq!(short.to_string(), message);
            assert!(matches!(run.cycle("phi").unwrap().harmonics("x", 0), Err(AnalysisError::TooFewRows { .. })));
        });
    }
}

#[test]
fn tables_cover_all_turns() {
    for_each_formulation(HARMONIC, |engine| {
        let run = Kinematics::new(engine).grid(0.0, 2.5, 181).run().unwrap();
        let cycle = run.cycle("phi").unwrap().revolutions(2).unwrap().last().unwrap().steps(8);
        let table = cycle.table(&["x"]).unwrap();
        assert_eq!((table.angles.len(), table.angles[16].to_degrees().round()), (17, 720.0));
        // The last two revolutions, from 180° on, at the angles 0° to 720°: rows from the middle of the cycle come first, then wrap to its start.
        assert!((table.times[4] - 0.5).abs() < 1e-12 && (table.times[3] - 2.375).abs() < 1e-12, "{:?}", table.times);
        for (angle, x) in table.angles.iter().zip(&table.columns[0].values) {
            assert!((x - 0.05 - 0.1 * angle.cos()).abs() < 1e-9);
        }
    });
}
