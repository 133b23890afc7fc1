//! Modes in space.

use mbs::analysis::{ModeKind, Modes, Statics};

use crate::modes::mechanisms::{
    assert_all_near, assert_near, damped, for_each_formulation, mechanism, nearest, undamped,
};
use mbs_model::Formulation;

/// A body at rest on six springs: three pairs along the axes, at points off its centre.
fn sprung(attitude: &str) -> String {
    format!(
        "spatial Sprung {{
        body block {{ mass: 2, inertia: [0.03, 0.05, 0.07], attitude: {attitude} }}
        joint base = free(ground, block);
        force x1 = spring_damper(ground at [-1, 0.2, 0], block at [0, 0.2, 0]) {{ stiffness: 100, free_length: 1 }};
        force x2 = spring_damper(ground at [1, -0.2, 0], block at [0, -0.2, 0]) {{ stiffness: 100, free_length: 1 }};
        force y1 = spring_damper(ground at [0, -1, 0.3], block at [0, 0, 0.3]) {{ stiffness: 150, free_length: 1 }};
        force y2 = spring_damper(ground at [0, 1, -0.3], block at [0, 0, -0.3]) {{ stiffness: 150, free_length: 1 }};
        force z1 = spring_damper(ground at [0.4, 0, -1], block at [0.4, 0, 0]) {{ stiffness: 220, free_length: 1 }};
        force z2 = spring_damper(ground at [-0.4, 0, 1], block at [-0.4, 0, 0]) {{ stiffness: 220, free_length: 1 }}; }}"
    )
}

#[test]
fn a_sprung_body_has_six_frequencies_whatever_its_attitude_is_written_in() {
    // Springs at their free length have stiffness along their lines alone.
    let (m, i) = (2.0, [0.03, 0.05, 0.07]);
    let mut expected = vec![
        (200.0_f64 / m).sqrt(),
        (300.0_f64 / m).sqrt(),
        (440.0_f64 / m).sqrt(),
        (2.0 * 150.0 * 0.09_f64 / i[0]).sqrt(),
        (2.0 * 220.0 * 0.16_f64 / i[1]).sqrt(),
        (2.0 * 100.0 * 0.04_f64 / i[2]).sqrt(),
    ];
    expected.sort_by(f64::total_cmp);
    for attitude in ["quaternion", "mrp", "rodrigues", "vector", "euler(zyx)"] {
        println!("{attitude}");
        for_each_formulation(&sprung(attitude), |block| {
            assert_all_near(&undamped(block).frequencies(), &expected, 1e-11);
            assert_all_near(&damped(block).frequencies(), &expected, 1e-11);
        });
    }
}

#[test]
fn a_free_body_has_six_neutral_modes() {
    let text = "spatial Free { body block { mass: 2, inertia: [0.03, 0.05, 0.07] } joint base = free(ground, block); }";
    for_each_formulation(text, |block| {
        for modes in [undamped(block), damped(block)] {
            assert_eq!(modes.len(), 6);
            assert!(modes.iter().all(|mode| mode.kind == ModeKind::Drifting), "{modes}");
        }
    });
}

#[test]
fn a_hanging_body_swings_about_both_axes_and_spins() {
    // On a ball joint: ω² = m g l/I about x and y, zero about z.
    let text = "spatial Bell { gravity: [0, 0, -9.81];
        body bell { mass: 3, inertia: [0.04, 0.06, 0.02], com: [0, 0, -0.5] }
        joint hook = spherical(ground, bell); }";
    let omega = |inertia: f64| (3.0 * 9.81 * 0.5 / (inertia + 3.0 * 0.25_f64)).sqrt();
    for_each_formulation(text, |bell| {
        let modes = undamped(bell);
        assert_all_near(&modes.frequencies(), &[omega(0.06), omega(0.04)], 1e-12);
        assert_eq!((modes.len(), modes[0].kind), (3, ModeKind::Drifting));
    });
}

#[test]
fn a_spring_pendulum_agrees_in_every_formulation_where_it_is_tilted() {
    // Two bodies on universal and revolute joints with oblique springs, a torsion spring and a wind that depends on time, at t = 0, in a pose
    // without symmetry.
    let text = "spatial Tilted { gravity: [1.5, -0.8, -9.5];
        body upper { mass: 1.5, inertia: [0.03, 0.04, 0.02], com: [0.05, 0.02, -0.3] }
        body lower { mass: 0.8, inertia: [0.01, 0.02, 0.015], com: [0, 0.1, -0.2], position: [0.02, 0, -0.6] }
        joint hook = universal(ground, upper);
        joint knee = revolute(upper at [0.02, 0, -0.6], lower) { axis: [0.2, 1, 0.1] };
        force spring = spring_damper(ground at [0.3, 0.4, -0.5], lower at [0.1, 0, -0.3]) { stiffness: 60, damping: 0.8, free_length: 0.4 };
        force coil = torsion_spring(upper at [0.02, 0, -0.6], lower) { axis: [0.2, 1, 0.1], stiffness: 2, damping: 0.05, free_angle: 0.2 };
        force wind = point_force(lower at [0, 0, -0.4]) { force: [0.6 * cos(3 * t), 0.2 + sin(t), 0] in ground };
        freedoms: 3; }";
    let mut found = Vec::new();
    for formulation in crate::modes::mechanisms::FORMULATIONS {
        let tilted = mechanism(text, formulation);
        let equilibrium = Statics::new(&tilted).stable().solve().unwrap_or_else(|e| panic!("{e}"));
        let plain = Modes::undamped(&tilted, &equilibrium).unwrap().frequencies();
        let full: Vec<_> = Modes::damped(&tilted, &equilibrium).unwrap().iter().map(|mode| mode.eigenvalue).collect();
        found.push((plain, full));
    }
    let (plain_a, full_a) = &found[0];
    for (plain_b, full_b) in &found[1..] {
        assert_all_near(plain_a, plain_b, 1e-9);
        assert_eq!((full_a.len(), full_b.len()), (3, 3));
        for (a, b) in full_a.iter().zip(full_b) {
            assert_near((a - b).norm(), 0.0, 1e-9);
        }
    }
}

#[test]
fn shapes_have_unit_modal_mass() {
    // The kinetic energy with the shape as speeds is one half.
    for_each_formulation(&sprung("quaternion"), |block| {
        let equilibrium = nearest(block);
        for mode in &Modes::undamped(block, &equilibrium).unwrap() {
            let mut state = equilibrium.state.clone();
            state.v.iter_mut().zip(&mode.shape).for_each(|(v, x)| *v = x.re);
            let energy = mbs::Mechanism::energy(block, state.view(&[])).kinetic;
            assert_near(energy, 0.5, 1e-12);
        }
    });
}

#[test]
fn a_pendulum_on_a_prescribed_turntable_rests_relative_to_it() {
    // At the rate Ω: cos θ = g/(Ω² l), and ω = Ω sin θ about that equilibrium.
    let (spin, length) = (6.0_f64, 0.5);
    let text = format!(
        "spatial Governor {{ gravity: [0, 0, -9.81];
        body table {{ mass: 1, inertia: [0.1, 0.1, 0.1] }}
        body ball  {{ mass: 2, com: [0, 0, -{length:?}] }}
        joint bearing = revolute(ground, table);
        joint hinge = revolute(table, ball) {{ axis: [0, 1, 0] }};
        prescribe motor = bearing.angle == {spin:?} * t;
        initial hinge.angle = 0.9;
        output lean = hinge.angle; }}"
    );
    // In other formulations the table has coordinates, which are not at rest.
    let governor = mechanism(&text, Formulation::Joint);
    let equilibrium = nearest(&governor);
    let lean = (9.81 / (spin * spin * length)).acos();
    assert_near(crate::modes::mechanisms::output(&governor, &equilibrium, "lean"), lean, 1e-12);
    for modes in [Modes::undamped(&governor, &equilibrium).unwrap(), Modes::damped(&governor, &equilibrium).unwrap()] {
        assert_all_near(&modes.frequencies(), &[spin * lean.sin()], 1e-11);
    }
}
