//! Generated second derivatives of rows: by name and as data, of stages and of the contract, against differences of Gᵀ μ.

use mbs::{Mechanism, StateView};

mbs::mechanism! {
    /// Bars that share their pins, in natural coordinates.
    pub planar FourBar {
        kernels: [forward, kinematics, hessians];
        coordinates: natural;
        param crank = 0.1;
        body a { mass: 0.2, inertia: 2e-4, com: [crank / 2, 0], angle: 1.0 }
        body b { mass: 0.7, inertia: 7e-3, com: [0.175, 0], angle: -1.12 }
        body c { mass: 0.5, inertia: 3e-3, com: [0.125, 0], angle: 4.32 }
        joint first  = revolute(ground, a);
        joint second = revolute(a at [crank, 0], b);
        joint third  = revolute(b at [0.35, 0], c at [0.25, 0]);
        joint fourth = revolute(ground at [0.3, 0], c);
    }

    /// A rod with a length parameter, a hinge that closes a loop, a velocity row and one that depends on a state.
    pub planar Mixed {
        kernels: [forward, kinematics, hessians];
        coordinates: body;
        param length = 0.6;
        state wound = 0.3 { rate: -0.1 };
        particle bob { mass: 1, position: [0.6, 0.1] }
        particle pin { mass: 1, position: [0, 0.1] }
        body arm { mass: 2, inertia: 0.1, com: [0.3, 0], position: [0, 1], angle: 0.4 }
        body skate { mass: 1, inertia: 0.2, com: [0.1, 0], position: [3, 1] }
        joint rod = distance(bob, pin) { length: length };
        joint hinge = revolute(ground at [0, 1], arm at [0.2, 0]);
        constraint edge = dot(velocity(skate), skate.y) == 0;
        constraint hoist = position(pin).y + sin(arm.x.y) * wound == 0.2;
    }

    /// A row whose G depends on speeds, and a row of accelerations.
    pub spatial Glider {
        kernels: [forward, kinematics, hessians];
        gravity: [0, 0, -9.81];
        param slope = 1.3;
        body glider { mass: 1.5, inertia: [0.2, 0.25, 0.3], com: [0.05, 0.02, -0.1], position: [0, 0, 5], velocity: [1.2, 0.4, -1] }
        joint flight = free(ground, glider);
        marker nose = glider at [0.4, 0, 0.1];
        constraint glide = velocity(nose).x.powi(2) + velocity(nose).y.powi(2) == slope.powi(2) * velocity(nose).z.powi(2);
        constraint trim = (2 + sin(angular_velocity(glider).x)) * angular_acceleration(glider).z == -0.4 * angular_velocity(glider).z;
    }

    /// A mechanism without rows.
    pub planar Free {
        kernels: [forward, hessians];
        particle stone { mass: 2 }
        joint air = free(ground, stone);
    }

    /// A mechanism with linear rows, whose names have no entries.
    pub planar Geared {
        kernels: [forward, hessians];
        body a { mass: 1, inertia: 1 }
        body b { mass: 1, inertia: 1 }
        joint first = revolute(ground, a);
        joint second = revolute(ground, b);
        constraint pair = first.angle == 2 * second.angle;
    }
}

fn numbers<const N: usize>(seed: f64) -> [f64; N] {
    std::array::from_fn(|i| 1.3 * (seed + 1.7 * i as f64).sin())
}

/// H(μ) of the trait.
fn contracted<M: Mechanism>(mechanism: &M, at: StateView, mu: &[f64]) -> Vec<f64> {
    let n = mechanism.sizes().n_v;
    let mut hessian = vec![f64::NAN; n * n];
    mechanism.constraint_hessian(at, mu, &mut hessian).expect("it is asked for");
    hessian
}

/// H(μ) against central differences of Gᵀ μ along N e_j: steps of 1e-5, truncation 1e-10, rounding 1e-11 of numbers up to ten. Rows of accelerations,
/// which the contract's G does not have, have μ = 0.
fn assert_hessians<M: Mechanism>(mechanism: &M, at: StateView, mu: &[f64]) {
    let sizes = mechanism.sizes();
    let (n, h) = (sizes.n_v, 1e-5);
    let hessian = contracted(mechanism, at, mu);
    assert!(hessian.iter().any(|x| x.abs() > 0.1), "there is something to compare");
    let forces = |q: &[f64]| {
        let mut jacobian = vec![0.0; sizes.n_velocity * n];
        mechanism.constraint_jacobian(StateView { q, ..at }, &mut jacobian);
        (0..n).map(|i| (0..sizes.n_velocity).map(|r| mu[r] * jacobian[r * n + i]).sum()).collect::<Vec<f64>>()
    };
    for j in 0..n {
        let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
        let mut along = vec![0.0; sizes.n_q];
        mechanism.coordinate_rates(at.t, at.q, &unit, &mut along);
        let [back, forth] = [-h, h].map(|s| {
            let mut q: Vec<f64> = at.q.iter().zip(&along).map(|(q, d)| q + s * d).collect();
            mechanism.normalize(&mut q);
            forces(&q)
        });
        for i in 0..n {
            let expected = (forth[i] - back[i]) / (2.0 * h);
            assert!(
                (hessian[i * n + j] - expected).abs() < 1e-8,
                "H[{i}, {j}] = {}, not {expected}",
                hessian[i * n + j]
            );
        }
    }
}

#[test]
fn bars_in_natural_coordinates_are_data() -> Result<(), mbs::Error> {
    let linkage = FourBar::new(Default::default())?;
    assert_eq!(four_bar::N_HESSIAN, 12);
    assert_eq!(four_bar::QUADRATIC, [true; four_bar::NC]);
    // The row |p − ground|² of the crank has ±2 on the diagonal of the one point that moves.
    let range = four_bar::hessian::A_RIGID;
    let a = four_bar::row::A_RIGID;
    assert_eq!((range.clone().count(), a.len()), (2, 1));
    for k in range {
        let (row, i, j) = four_bar::HESSIAN_PATTERN[k];
        assert_eq!((row, i, four_bar::HESSIAN_VALUES[k]), (a.start, j, Some(2.0)));
    }
    let at = linkage.at_position(0.0, &[0.1, 0.2, 0.3, 0.4]);
    assert_eq!(at.hessians().map(Some), four_bar::HESSIAN_VALUES);
    let view = StateView { t: 0.0, q: &[0.1, 0.2, 0.3, 0.4], v: &[], z: &[], u: &[] };
    assert_hessians(&linkage, view, &numbers::<{ four_bar::NC }>(0.3));
    Ok(())
}

#[test]
fn rows_of_all_levels_of_a_stage_and_of_the_contract_agree() -> Result<(), mbs::Error> {
    let mut mechanism = Mixed::new(Default::default())?;
    let (q, z) = (numbers::<{ mixed::NQ }>(0.7), [0.4]);
    let mu = numbers::<{ mixed::NC }>(0.2);
    let view = StateView { t: 0.3, q: &q, v: &[], z: &z, u: &[] };
    assert_hessians(&mechanism, view, &mu);
    assert_eq!(
        mechanism.at_position(0.3, &q, &z).constraint_hessian(&mu).as_flattened(),
        contracted(&mechanism, view, &mu)
    );
    // The rod's Hessian depends on the parameter alone, the hinge's on the angle, the edge's on the heading and is not symmetric.
    let [rod, hinge, edge] = [mixed::row::ROD, mixed::row::HINGE, mixed::row::EDGE];
    assert!(mixed::QUADRATIC[rod.start] && !mixed::QUADRATIC[hinge.start] && !mixed::QUADRATIC[edge.start]);
    assert!(mixed::HESSIAN_VALUES[mixed::hessian::ROD].iter().all(Option::is_none));
    assert_eq!((mixed::hessian::ROD.len(), mixed::hessian::HINGE.len(), mixed::hessian::EDGE.len()), (8, 2, 2));
    for length in [0.6, 0.9] {
        mechanism.set_params(mixed::Params { length })?;
        let values = mechanism.at_position(0.3, &q, &z).hessians();
        assert!(values[mixed::hessian::ROD].iter().all(|x| (x.abs() - 1.0 / length).abs() < 1e-15));
    }
    Ok(())
}

#[test]
fn rows_that_read_speeds_have_theirs_in_the_velocity_stage() -> Result<(), mbs::Error> {
    let glider = Glider::new(Default::default())?;
    let mut q = numbers::<{ glider::NQ }>(0.4);
    glider.normalize(&mut q);
    let v = numbers::<{ glider::NV }>(1.1);
    let view = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] };
    assert_hessians(&glider, view, &[1.0, 0.0]);
    let position = glider.at_position(0.0, &q);
    let velocity = position.at_velocity(&v);
    let both = [0.7, -0.4];
    assert_eq!(velocity.constraint_hessian(&both).as_flattened(), contracted(&glider, view, &both));
    Ok(())
}

#[test]
fn mechanisms_with_nothing_to_differentiate_have_empty_tables() -> Result<(), mbs::Error> {
    let free = Free::new(Default::default())?;
    assert_eq!((free::N_HESSIAN, free.at_position(0.0, &[0.0; 2]).hessians()), (0, []));
    assert_eq!(contracted(&free, StateView::new(0.0, &[0.0; 2], &[]), &[]), [0.0; 4]);
    let geared = Geared::new(Default::default())?;
    assert_eq!((geared::N_HESSIAN, geared::hessian::PAIR, geared::QUADRATIC), (0, 0..0, [true]));
    assert_eq!(geared.at_position(0.0, &[0.0; 2]).constraint_hessian(&[3.0]), [[0.0; 2]; 2]);
    Ok(())
}

/// A bead on a track that is set at run time: −μ times the second derivative of the spline, which a central difference gives to 1e-6 (h = 1e-4: exact
/// for cubics but for roundings of 1e-16/h²). Velocity rows require one derivative more than γ does, where they are not affine in speeds.
#[test]
fn the_engine_differentiates_functions_as_they_are_set() -> Result<(), Box<dyn std::error::Error>> {
    use mbs::engine::Engine;
    use mbs::{CubicSpline, Error};

    let text = "pub planar Track {
        function road: CubicSpline<4>;
        particle bead { mass: 1, position: [0.5, 0] }
        joint air = free(ground, bead);
        constraint wire = position(bead).y == road(position(bead).x);
    }";
    let mut engine = Engine::text(text)?;
    let at = StateView { t: 0.0, q: &[0.7, 0.1], v: &[0.0; 2], z: &[], u: &[] };
    let before = contracted(&engine, at, &[2.0]);
    let road = CubicSpline::new([0.0, 1.0, 2.0, 3.0], [0.0, 0.4, 0.1, 0.3])?;
    engine.set_function("road", &road)?;
    let h = 1e-4;
    let curvature = (road.value(0.7 + h) - 2.0 * road.value(0.7) + road.value(0.7 - h)) / (h * h);
    let after = contracted(&engine, at, &[2.0]);
    assert!(
        before != after && (after[0] + 2.0 * curvature).abs() < 1e-6 && after[1..] == [0.0; 3],
        "{before:?}, {after:?}"
    );

    let text = "pub planar Bent {
        function f: opaque(1);
        particle bead { mass: 1, position: [0.5, 0], velocity: [1, 1] }
        joint air = free(ground, bead);
        constraint bent = velocity(bead).x == f(velocity(bead).y * position(bead).x);
    }";
    let engine = Engine::options().function("f", |x, f| f.copy_from_slice(&[x * x, 2.0 * x])).text(text)?;
    let found = engine.constraint_hessian(StateView { v: &[0.3, 0.2], ..at }, &[1.0], &mut [0.0; 4]);
    assert!(matches!(found, Err(Error::NotFinite { .. })), "{found:?}");
    Ok(())
}
