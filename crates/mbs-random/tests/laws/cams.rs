//! Cams: two curves that touch, in every formulation, compiled and run by the engine.

use crate::every_side::{check_laws, run_on_every_side};

/// An eccentric circle lifts a plate.
const FLAT: &str = "pub planar Flat {
    const R = 0.04;
    param e = 0.012;
    gravity: [0, -9.81];
    body shaft { mass: 1, inertia: 0.02, com: [0.01, 0] }
    body follower { mass: 0.4, inertia: 1e-3, position: [0, 0.028] }
    joint bearing = revolute(ground, shaft);
    joint guide = prismatic(ground, follower) { axis: [0, 1] };
    curve lobe(s) on shaft = [R * cos(s), R * sin(s) - e] { closed: TAU };
    curve face on follower = line([1, 0]);
    joint contact = cam(lobe, face) { first: PI / 2 };
    force spring = spring_damper(ground at [0.01, -0.3], follower) { stiffness: 900, damping: 3, free_length: 0.2 };
    force motor = torque(ground, shaft) { torque: 0.5 };
    initial bearing.angle = 0.3, bearing.rate = 20;
    output lift = position(follower).y;
    output push = reaction(contact).force;
    output place = lobe.point(contact.first);
    output other = face.point(contact.second);
    output along = cross(lobe.tangent(contact.first), face.tangent(contact.second));
    output bend = lobe.curvature(contact.first);
    output reported = [contact.pressure_angle, contact.radius, contact.relative_curvature];
    output press = contact.force;
    freedoms: 1;
}";

/// An ellipse swings an arm with a roller.
const ROLLER: &str = "pub planar Roller {
    param a = 0.05;
    param r = 0.01;
    gravity: [0.3, -9.81];
    body shaft { mass: 1, inertia: 0.002, angle: 0.4 }
    body arm { mass: 0.3, inertia: 1e-3, com: [-0.05, 0], position: [0.1, 0.04], angle: 0.05 }
    marker wheel = arm at [-0.1, 0.01] { angle: 0.3 };
    joint bearing = revolute(ground, shaft);
    joint pivot = revolute(ground at [0.1, 0.04], arm);
    curve lobe on shaft = ellipse(a, 0.03);
    curve rim on wheel = circle(r);
    joint contact = cam(lobe, rim) { first: 1.2, second: 4.2 };
    force spring = torsion_spring(ground, arm) { stiffness: 4, damping: 0.01, free_angle: 0.4 };
    force motor = torque(ground, shaft) { torque: 0.2 };
    output angle = pivot.angle;
    output push = norm(reaction(contact).force);
    output bend = [lobe.curvature(contact.first), rim.curvature(contact.second)];
    output reported = [contact.pressure_angle, contact.radius, contact.relative_curvature];
    output press = contact.force;
    freedoms: 1;
}";

/// An involute pushes a polynomial, both on floating bodies.
const LOOSE: &str = "pub planar Loose {
    body tooth { mass: 1, inertia: 0.02, angle: 0.1 }
    body bowl { mass: 0.4, inertia: 1e-2, position: [0.386, 0.065], angle: 1.23, rate: 0.4 }
    joint air = free(ground, tooth);
    joint wind = free(ground, bowl);
    curve flank on tooth = involute(0.3);
    curve hollow on bowl = polynomial([0, 0.1, -0.7, 0.2]);
    joint contact = cam(flank, hollow) { first: 1.1, second: 0.1 };
    force pull = spring_damper(tooth, bowl) { stiffness: 20, damping: 0.3, free_length: 0.1 };
    output bend = [flank.curvature(contact.first), hollow.curvature(contact.second)];
    freedoms: 5;
}";

/// A closed spline of points, on its body at a marker, swings a face.
const OUTLINE: &str = "pub planar Outline {
    function outline = spline(
        [0, 1, 2, 3, 4, 5, 6],
        [[0.05, 0.02, -0.03, -0.045, -0.02, 0.03, 0.05], [0, 0.04, 0.036, 0, -0.04, -0.045, 0]]
    ) { ends: periodic };
    body shaft { mass: 1, inertia: 0.002 }
    body arm { mass: 0.3, inertia: 1e-3, position: [0.1, 0.04], angle: 0.05 }
    marker seat = shaft at [0.002, 0.001] { angle: 0.2 };
    joint bearing = revolute(ground, shaft);
    joint pivot = revolute(ground at [0.1, 0.04], arm);
    curve lobe(s) on seat = outline(s) { closed: 6 };
    curve face on arm = line([1, 0]);
    joint contact = cam(lobe, face) { first: 1.2, second: -0.1 };
    force spring = torsion_spring(ground, arm) { stiffness: 4, free_angle: 0.4 };
    force motor = torque(ground, shaft) { torque: 0.2 };
    output angle = pivot.angle;
    output push = reaction(contact).force;
    output bend = lobe.curvature(contact.first);
    output reported = [contact.pressure_angle, contact.radius, contact.relative_curvature];
    output press = contact.force;
    freedoms: 1;
}";

/// A function written in Rust makes a lobe.
const WAVY: &str = "pub planar Wavy {
    function wave: opaque(4);
    param size = 0.004;
    body shaft { mass: 1, inertia: 0.002 }
    body follower { mass: 0.4, inertia: 1e-3, position: [0.005, 0.055] }
    joint bearing = revolute(ground, shaft);
    joint guide = prismatic(ground at [0.005, 0], follower) { axis: [0, 1] };
    curve lobe(s) on shaft = (0.04 + size * wave(s)) * [cos(s), sin(s)];
    curve rim on follower = circle(0.01);
    joint contact = cam(lobe, rim) { first: 1.5, second: -1.6 };
    force spring = mobility(guide) { value: -900 * guide.position - 20 };
    output push = reaction(contact).force;
    output bend = lobe.curvature(contact.first);
    output reported = [contact.pressure_angle, contact.radius, contact.relative_curvature];
    output press = contact.force;
    freedoms: 1;
}";

/// Involutes of the base circles of two wheels, whose ratio is that of the circles.
const TEETH: &str = "pub planar Teeth {
    param r = 0.047;
    body pinion { mass: 1, inertia: 0.002, angle: -0.15 }
    body wheel { mass: 1, inertia: 0.03, position: [0.15, 0], angle: 3.2 }
    joint left = revolute(ground, pinion);
    joint right = revolute(ground at [0.15, 0], wheel);
    curve flank on pinion = involute(r);
    curve other on wheel = involute(2 * r);
    joint contact = cam(flank, other) { first: 0.5, second: 0.3 };
    force motor = torque(ground, pinion) { torque: 0.2 };
    force brake = torque(ground, wheel) { torque: 0.05 * right.rate };
    output ratio = right.rate + left.rate / 2;
    output push = reaction(contact).force;
    freedoms: 1;
}";

#[test]
fn cams_obey_the_laws() {
    for text in [FLAT, ROLLER, LOOSE, OUTLINE, TEETH] {
        println!("{}", text.lines().next().unwrap_or_default());
        check_laws(text);
    }
}

/// Four derivatives of the function: three for γ, one more for derivatives of accelerations.
#[test]
fn cams_of_functions_written_in_rust_obey_the_laws() {
    check_laws(WAVY);
    // Both coordinates by one function.
    let both = WAVY
        .replace("function wave: opaque(4);", "function field(x, y): [2] opaque(4);")
        .replace("(0.04 + size * wave(s)) * [cos(s), sin(s)]", "0.04 * [cos(s), sin(s)] + 10 * size * field(s, 0.3)");
    check_laws(&both);
}

/// During one revolution, curves stay in contact and tangent to each other, and a circle has constant curvature.
#[test]
fn curves_stay_together() {
    run_on_every_side(FLAT, 0.3, |_, _, outputs| {
        let [_, _, push, x, y, u, v, along, bend, alpha, radius, relative, press] = outputs[..] else {
            panic!("{outputs:?}")
        };
        assert!((x - u).abs() < 1e-9 && (y - v).abs() < 1e-9, "{outputs:?}");
        assert!(along.abs() < 1e-9 && (bend - 25.0).abs() < 1e-9 && push > 0.0, "{outputs:?}");
        assert!(alpha.abs() < 1e-9 && (radius - 0.04).abs() < 1e-9 && (relative - 25.0).abs() < 1e-9, "{outputs:?}");
        assert!((press - push).abs() < 1e-9 * push, "{outputs:?}");
    });
}
