//! Modes of unsymmetric matrices: follower forces, auxiliary states, damped neutral freedoms.

use mbs::analysis::ModeKind;

use crate::modes::mechanisms::{assert_near, damped, for_each_formulation, undamped};

#[test]
fn a_follower_force_flutters() {
    // Ziegler's column: two bars of length l, masses 2 m and m at their ends, equal springs k, a push P that follows the outer bar.
    // Ziegler (1952): flutter from P l/k = 7/2 − √2 on.
    let column = |push: f64| {
        format!(
            "planar Ziegler {{
            body inner {{ mass: 2, com: [1, 0] }}
            body outer {{ mass: 1, com: [1, 0], position: [1, 0] }}
            joint base = revolute(ground, inner);
            joint knee = revolute(inner at [1, 0], outer);
            force first = torsion_spring(ground, inner) {{ stiffness: 1 }};
            force second = torsion_spring(inner, outer) {{ stiffness: 1 }};
            force push = point_force(outer at [1, 0]) {{ force: [-{push:?}, 0] in outer }}; }}"
        )
    };
    let critical = 3.5 - 2.0_f64.sqrt();
    for_each_formulation(&column(critical - 0.01), |column| {
        let modes = undamped(column);
        assert!(modes.is_stable() && modes.frequencies().len() == 2, "{modes}");
    });
    for_each_formulation(&column(critical + 0.01), |column| {
        for modes in [undamped(column), damped(column)] {
            assert!(modes[1].is_unstable != modes[0].is_unstable, "{modes}");
            assert_near(modes[0].eigenvalue.re + modes[1].eigenvalue.re, 0.0, 1e-9);
            assert_near(modes[0].frequency(), modes[1].frequency(), 1e-9);
            assert!(modes.iter().all(|mode| mode.kind == ModeKind::Oscillating));
        }
    });
}

#[test]
fn a_damped_free_body_rests_and_slows_down() {
    let text = "planar Sledge {
        body sledge { mass: 2, inertia: 0.3 }
        body load { mass: 0.5, inertia: 0.01, position: [0.3, 0] }
        joint ice = prismatic(ground, sledge) { axis: [1, 0] };
        joint deck = prismatic(sledge, load) { axis: [1, 0] };
        force drag = mobility(ice.position) { value: -3 * ice.speed }; }";
    for_each_formulation(text, |sledge| {
        let modes = damped(sledge);
        let kinds: Vec<ModeKind> = modes.iter().map(|mode| mode.kind).collect();
        assert_eq!(kinds, [ModeKind::Drifting, ModeKind::Resting, ModeKind::Aperiodic], "{modes}");
        assert_near((modes[2].eigenvalue + 1.5).norm(), 0.0, 1e-12);
    });
}

#[test]
fn an_auxiliary_state_is_part_of_the_motion() {
    // m ẍ = −z, ż = 4 (30 x − z): λ³ + 4 λ² + 4 · 30 / m = 0.
    let text = "planar Leaky {
        body block { mass: 1.3, inertia: 0.1 }
        joint guide = prismatic(ground, block) { axis: [0, 1] };
        state pull = 0.2 { rate: 4 * (30 * guide.position - pull) };
        force spring = point_force(block) { force: [0, -pull] }; }";
    for_each_formulation(text, |block| {
        let modes = damped(block);
        assert_eq!(modes.len(), 2);
        for mode in &modes {
            let l = mode.eigenvalue;
            assert_near((l * l * l + l * l * 4.0 + 120.0 / 1.3).norm(), 0.0, 1e-11);
            // z = −m λ² x.
            let x = mode.shape.iter().copied().max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap();
            assert_near((mode.auxiliary[0] + l * l * x * 1.3).norm(), 0.0, 1e-10);
        }
        assert!(!modes.is_stable());
    });
}
