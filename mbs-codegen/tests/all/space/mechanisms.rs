//! Mechanisms of space for several tests: two bodies, connected by every elementary joint in both directions.

/// Bodies with their loads and outputs.
pub const BODIES: &str = "body a { mass: 1.2, inertia: [[0.03, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.04]], com: [0.1, -0.2, 0.3] }
    body b { mass: 0.7, inertia: [0.01, 0.02, 0.015], com: [0.05, 0.1, -0.15] }
    input u: [4];
    gravity: [0.3, -0.2, -9.81];
    output tip = position(b at [0.3, 0.1, 0.2]);
    output velocity = velocity(b at [0.3, 0.1, 0.2]);
    output acceleration = acceleration(b at [0.3, 0.1, 0.2]);
    output spin = angular_velocity(b);
    output spin_rate = angular_acceleration(b);
    output direction = a.x;
    force push = point_force(b at [0.1, 0.2, -0.1]) { force: u[0..3] in b };
    force twist = torque(a, b) { torque: u[1..4] in a };";

/// Hinges.
pub const REVOLUTE: [&str; 2] = [
    "joint j1 = revolute(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { axis: [0, 0, 1] };
        joint j2 = revolute(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { axis: [1, 2, -1] };",
    "joint j1 = revolute(a, ground at [0.1, 0.2, 0.3]) { axis: [0, -1, 0] };
        joint j2 = revolute(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { axis: [1, 2, -1] };",
];

/// Slides and screws.
pub const SLIDES: [&str; 3] = [
    "joint j1 = prismatic(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { axis: [1, 1, 0] };
        joint j2 = cylindrical(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { axis: [1, 2, -1] };",
    "joint j1 = screw(ground, a at [0.01, 0.02, 0.03]) { axis: [0, 1, 0], pitch: 0.2 };
        joint j2 = prismatic(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { axis: [0, 0, 1] };",
    "joint j1 = screw(a at [0.01, 0.02, 0.03], ground) { axis: [0, 1, 1], pitch: -0.2 };
        joint j2 = cylindrical(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { axis: [1, 2, -1] };",
];

/// Ball joints and free ones.
pub const BALLS: [&str; 5] = [
    "joint j1 = spherical(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]);
        joint j2 = spherical(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]);",
    "joint j1 = spherical(a at [0.01, 0.02, 0.03], ground);
        joint j2 = spherical(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]);",
    "joint j1 = free(ground at [1, 2, 3], a); joint j2 = revolute(a at [0.3, 0, 0.1], b) { axis: [0, 1, 1] };",
    "joint j1 = free(ground, a); joint j2 = free(a at [0.3, 0, 0.1], b at [0, 0.2, 0]);",
    "joint j1 = free(a at [0, 0.1, 0], ground); joint j2 = free(b at [0, 0.2, 0], a at [0.3, 0, 0.1]);",
];

/// Crosses, planes, gimbals, welds.
pub const CROSSES: [&str; 3] = [
    "joint j1 = universal(ground, a at [0.01, 0.02, 0.03]) { axis: [1, 0, 0], second_axis: [0, 1, 0] };
        joint j2 = planar(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { normal: [0, 0, 1] };",
    "joint j1 = universal(a at [0.01, 0.02, 0.03], ground) { axis: [1, 0, 0], second_axis: [0, 1, 0] };
        joint j2 = planar(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { normal: [0, 0, 1] };",
    "joint j1 = gimbal(ground, a); joint j2 = fixed(a at [0.3, -0.1, 0.2], b);",
];

/// Points on ellipsoids.
pub const ELLIPSOIDS: [&str; 3] = [
    "joint j1 = ellipsoid(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { radii: [0.3, 0.5, 0.2] };
        joint j2 = ellipsoid(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { radii: [0.2, 0.1, 0.4] };",
    "joint j1 = ellipsoid(a at [0.01, 0.02, 0.03], ground at [0.1, 0.2, 0.3]) { radii: [0.3, 0.5, 0.2] };
        joint j2 = ellipsoid(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { radii: [0.2, 0.1, 0.4] };",
    "marker socket = a at [0.3, -0.1, 0.2] { z: [0.3, 1, 0.2] };
        joint j1 = revolute(ground, a) { axis: [1, 2, 0] }; joint j2 = ellipsoid(b at [0.1, 0, 0.1], socket) { radii: [0.2, 0.1, 0.4] };",
];

/// Lines that do not spin.
pub const LINES: [&str; 5] = [
    "joint j1 = line_orientation(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]);
        joint j2 = line_orientation(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]);",
    "joint j1 = line_orientation(a at [0.01, 0.02, 0.03], ground at [0.1, 0.2, 0.3]);
        joint j2 = line_orientation(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]);",
    "marker socket = a at [0.3, -0.1, 0.2] { z: [0.3, 1, 0.2] };
        joint j1 = revolute(ground, a) { axis: [1, 2, 0] }; joint j2 = line_orientation(b at [0.1, 0, 0.1], socket);",
    "joint j1 = free_line(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]); joint j2 = free_line(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]);",
    "joint j1 = free_line(a at [0.01, 0.02, 0.03], ground at [0.1, 0.2, 0.3]); joint j2 = free_line(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]);",
];

/// Points on spheres.
pub const ORBITS: [&str; 4] = [
    "joint j1 = orbital_fixed(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { radius: 0.4 };
        joint j2 = orbital_spherical(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { radius: 0.3 };",
    "joint j1 = orbital_fixed(a at [0.01, 0.02, 0.03], ground at [0.1, 0.2, 0.3]) { radius: 0.4 };
        joint j2 = orbital_spherical(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { radius: 0.3 };",
    "joint j1 = orbital_revolute(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { radius: 0.4, axis: [1, 1, 0] };
        joint j2 = orbital_universal(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { radius: 0.3 };",
    "joint j1 = orbital_revolute(a at [0.01, 0.02, 0.03], ground at [0.1, 0.2, 0.3]) { radius: 0.4, axis: [1, 1, 0] };
        joint j2 = orbital_universal(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { radius: 0.3 };",
];
