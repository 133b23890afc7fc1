#![allow(non_snake_case)] // monogram notation

use std::collections::BTreeSet;
use std::f64::consts::PI;

use mbs_expr::{ExprId, Op, Scalar, Series};

use super::scene::{ENDS, Frame, JOINT, Moving, Random, Scene, cross, dot, times, unit};
use crate::catalog::space::basis::normal_directions;
use crate::catalog::{
    Argued, Arguments, Build, Composition, Ends, JointParts, Kind, RelativeRotation, SPATIAL_JOINTS, Translation,
};
use crate::{Attitude, BodyKind, Step};

const ATTITUDES: [Attitude; 6] = [
    Attitude::Quaternion,
    Attitude::ModifiedRodrigues,
    Attitude::Rodrigues,
    Attitude::RotationVector,
    Attitude::Euler([2, 1, 0]),
    Attitude::Euler([2, 0, 2]),
];

fn kind(name: &str) -> &'static Kind {
    SPATIAL_JOINTS.iter().find(|k| k.name == name).expect("the table has it")
}

/// Kinds of joints between markers, with the composition that reaches all poses of the kind.
fn between_markers() -> Vec<(&'static Kind, Option<Composition>)> {
    let composition = |translation, rotation| Some(Composition { translation, rotation });
    let markers = SPATIAL_JOINTS.iter().filter(|k| k.ends == Ends::Two);
    markers
        .map(|kind| {
            let composition = match (kind.build, kind.name) {
                (Build::Composed(composition), _) => Some(composition),
                (_, "point_on_line") => composition(Translation::Along("axis"), RelativeRotation::Ball),
                (_, "point_on_plane") => composition(Translation::Across("normal"), RelativeRotation::Ball),
                (_, "distance") => composition(Translation::Around("length"), RelativeRotation::Ball),
                (_, "constant_orientation") => composition(Translation::Anywhere, RelativeRotation::Fixed),
                _ => None,
            };
            (kind, composition)
        })
        .collect()
}

/// Random coordinates of steps, in the ranges of the measured coordinates.
fn random_coordinates(steps: &[Step], composition: Composition, random: &mut Random) -> Vec<f64> {
    let mut q = Vec::new();
    for step in steps {
        match *step {
            Step::Revolute { .. } | Step::Screw { .. } => q.push(random.within(-3.1, 3.1)),
            Step::Prismatic { .. } => q.push(random.within(-1.0, 1.0)),
            Step::Orbit { .. } => q.extend([random.within(-3.1, 3.1), random.within(-1.5, 1.5)]),
            Step::Ball { attitude } | Step::Line { attitude } | Step::Ellipsoid { attitude, .. } => {
                q.extend(random.parameters(attitude));
            }
            Step::Posed { .. } => unreachable!("kinds of the catalogue declare no pose"),
            Step::Free { attitude, .. } => {
                q.extend(random.vector());
                q.extend(random.parameters(attitude));
            }
        }
    }
    if composition.rotation == RelativeRotation::Gimbal {
        let middle = q.len() - 2;
        q[middle] /= 2.1;
    }
    q
}

/// A scene with a joint at a random pose that it allows: its parts, both frames, and the coordinates of its steps.
struct PosedJoint {
    scene: Scene,
    parts: JointParts,
    arguments: Vec<Argued>,
    frames: [Frame; 2],
    q: Vec<f64>,
}

impl PosedJoint {
    fn argument(&self, kind: &Kind, name: &str) -> Argued {
        self.arguments[kind.arguments.iter().position(|argument| argument.name == name).expect("the kind has it")]
    }
}

fn random_pose(kind: &Kind, composition: Composition, seed: u64) -> PosedJoint {
    let mut random = Random::new(seed);
    let mut scene = Scene::new(ATTITUDES[seed as usize % ATTITUDES.len()]);
    let arguments = scene.arguments(kind, &mut random, seed.is_multiple_of(2));
    let parts = scene.join(kind, &arguments);
    let steps = scene.write(|g| composition.join(g, JOINT, ENDS, &Arguments::new(g, kind, &arguments)).steps());
    let q = random_coordinates(&steps, composition, &mut random);
    let first = Frame::at_rest(random.vector(), random.rotation());
    let second = first.after_steps(&steps, &q, &|id| scene.constant_value(id));
    scene.phi = q.iter().map(|x| Moving::constant(*x)).collect();
    PosedJoint { scene, parts, arguments, frames: [first, second], q }
}

/// Number of independent rows of a matrix, by elimination with complete pivoting.
fn rank(mut m: Vec<Vec<f64>>) -> usize {
    let mut rank = 0;
    while rank < m.len() {
        let columns = m[rank].len();
        let (mut largest, mut pivot_index) = (0.0, (rank, 0));
        for (i, row) in m.iter().enumerate().skip(rank) {
            for (j, x) in row.iter().enumerate().take(columns) {
                if x.abs() > largest {
                    (largest, pivot_index) = (x.abs(), (i, j));
                }
            }
        }
        // Entries are of order one; a dependent row leaves round-off.
        if largest < 1e-8 {
            break;
        }
        m.swap(rank, pivot_index.0);
        let pivot = m[rank].clone();
        for row in m.iter_mut().skip(rank + 1) {
            let factor = row[pivot_index.1] / pivot[pivot_index.1];
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x -= factor * p;
            }
        }
        rank += 1;
    }
    rank
}

/// Rate of a position row; value of a row between speeds.
fn row_rate(scene: &Scene, row: ExprId, frames: &[Frame; 2]) -> f64 {
    let between_speeds = scene.exprs.any(row, &|op| matches!(op, Op::AngularVelocity(..)));
    scene.evaluate(row, frames).derivative(usize::from(!between_speeds))
}

/// Rates of rows and ties for each of the six unit velocities of the second end, and for a unit rate of each continuous coordinate φ.
fn jacobian(posed: &mut PosedJoint) -> Vec<Vec<f64>> {
    let rows: Vec<_> = posed.parts.residuals();
    let uses_phi = rows.iter().any(|row| posed.scene.exprs.any(*row, &|op| matches!(op, Op::JointCoordinate(..))));
    let ties = posed.parts.ties.iter().flatten().copied().filter(|_| uses_phi);
    let rows: Vec<_> = rows.into_iter().chain(ties).collect();
    let still = posed.scene.phi.clone();
    let columns: Vec<Vec<f64>> = (0..6 + if uses_phi { still.len() } else { 0 })
        .map(|i| {
            let mut frames = posed.frames;
            match i {
                0..3 => frames[1].v[i] = 1.0,
                3..6 => frames[1].omega[i - 3] = 1.0,
                _ => posed.scene.phi[i - 6].0[1] = 1.0,
            }
            let column = rows.iter().map(|row| row_rate(&posed.scene, *row, &frames)).collect();
            posed.scene.phi.clone_from(&still);
            column
        })
        .collect();
    (0..rows.len()).map(|r| columns.iter().map(|c| c[r]).collect()).collect()
}

#[test]
fn the_number_of_rows_is_six_minus_the_degrees_of_freedom() {
    for (kind, composition) in between_markers() {
        let freedoms = composition.map_or(5, Composition::freedoms);
        assert_eq!(kind.rows.len(), 6 - freedoms, "{}", kind.name);
        let names: BTreeSet<_> = kind.rows.iter().collect();
        assert_eq!(names.len(), kind.rows.len(), "{}: rows have different names", kind.name);
    }
    let names: BTreeSet<_> = SPATIAL_JOINTS.iter().map(|k| k.name).collect();
    assert_eq!(names.len(), SPATIAL_JOINTS.len());
}

#[test]
fn rows_vanish_at_poses_of_the_steps_and_are_independent() {
    for (kind, composition) in between_markers() {
        let Some(composition) = composition else { continue };
        for seed in 0..24 {
            let mut posed = random_pose(kind, composition, seed);
            assert_eq!(posed.parts.rows.len(), kind.rows.len(), "{}", kind.name);
            for row in &posed.parts.residuals() {
                let value = posed.scene.evaluate(*row, &posed.frames).value();
                assert!(value.abs() < 1e-13, "{}, seed {seed}: a row is {value}", kind.name);
            }
            let jacobian = jacobian(&mut posed);
            let equations = jacobian.len();
            assert_eq!(rank(jacobian), equations, "{}, seed {seed}: rows are independent", kind.name);
        }
    }
}

#[test]
fn coordinates_measure_the_values_of_the_steps() {
    for kind in SPATIAL_JOINTS {
        let Build::Composed(composition) = kind.build else { continue };
        for seed in 0..24 {
            let posed = random_pose(kind, composition, seed);
            let parts = &posed.parts;
            assert_eq!(parts.coordinates.len(), posed.q.len(), "{}", kind.name);
            assert_eq!(parts.ties.len(), posed.q.len(), "{}", kind.name);
            for (k, (measured, q)) in parts.coordinates.iter().zip(&posed.q).enumerate() {
                let measured = posed.scene.evaluate(*measured, &posed.frames).value();
                // Round-off of entries, amplified near half revolutions, at which parameters grow.
                assert!(
                    (measured - q).abs() < 1e-11 * (1.0 + q * q),
                    "{}[{k}], seed {seed}: {measured} is not {q}",
                    kind.name
                );
            }
        }
    }
}

#[test]
fn joints_have_the_coordinates_of_their_steps_and_of_the_table() {
    for kind in SPATIAL_JOINTS {
        let Build::Composed(composition) = kind.build else { continue };
        let named: usize = kind.coordinates.iter().map(|c| c.components.len()).sum();
        for (seed, attitude) in ATTITUDES.into_iter().enumerate() {
            let parts = random_pose(kind, composition, seed as u64).parts;
            let has_attitude = matches!(composition.rotation, RelativeRotation::Ball | RelativeRotation::Line);
            let missing = if has_attitude { 4 - attitude.count() } else { 0 };
            assert_eq!(parts.coordinates.len(), named - missing, "{}", kind.name);
            let steps: usize = parts.steps().iter().map(Step::coordinates).sum();
            assert_eq!(parts.coordinates.len(), steps, "{}", kind.name);
            let speeds: usize = parts.steps().iter().map(Step::speeds).sum();
            assert_eq!(speeds, composition.freedoms(), "{}", kind.name);
        }
    }
}

#[test]
fn ties_are_zero_for_continuous_angles_after_many_revolutions() {
    for kind in SPATIAL_JOINTS {
        let Build::Composed(composition) = kind.build else { continue };
        for seed in 0..6 {
            let mut posed = random_pose(kind, composition, seed);
            for revolutions in [0.0, 1.0, -20.0] {
                for (phi, q) in posed.scene.phi.iter_mut().zip(&posed.q) {
                    *phi = Moving::constant(q + 2.0 * PI * revolutions);
                }
                for tie in posed.parts.ties.iter().flatten() {
                    let residual = posed.scene.evaluate(*tie, &posed.frames).value();
                    // Round-off of angles of order 100.
                    assert!(residual.abs() < 1e-13, "{}, seed {seed}: {residual}", kind.name);
                }
            }
        }
    }
}

#[test]
fn angles_are_tied_but_displacements_and_parameters_of_attitudes_are_not() {
    let ties = |name: &str| {
        let Build::Composed(composition) = kind(name).build else { panic!("composed") };
        random_pose(kind(name), composition, 0).parts.ties.iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(ties("cylindrical"), [false, true]);
    assert_eq!(ties("spherical_coordinates"), [true, true, false]);
    assert_eq!(ties("gimbal"), [true, false, true]);
    assert_eq!(ties("free"), [false; 7]);
    assert_eq!(ties("orbital_universal"), [true, false, true, true]);
}

/// Rates of the rows of a joint for a velocity v and an angular velocity ω of the second end.
fn row_rates(posed: &PosedJoint, v: [f64; 3], omega: [f64; 3]) -> Vec<f64> {
    let mut frames = posed.frames;
    (frames[1].v, frames[1].omega) = (v, omega);
    posed.parts.residuals().iter().map(|row| row_rate(&posed.scene, *row, &frames)).collect()
}

#[test]
fn multipliers_are_forces_and_torques_on_the_second_end() {
    let (v, omega) = ([0.3, -0.7, 0.2], [-0.4, 0.9, 0.6]);
    let close = |name: &str, row: &str, rate: f64, expected: f64| {
        assert!((rate - expected).abs() < 1e-13, "`{row}` of {name}: {rate} is not {expected}");
    };
    for (kind, composition) in between_markers() {
        let Some(composition) = composition else { continue };
        for seed in 0..4 {
            let mut posed = random_pose(kind, composition, seed);
            let R_A = posed.frames[0].R;
            let found = row_rates(&posed, v, omega);
            for (row, rate) in kind.rows.iter().zip(found) {
                // Rows are first minus second; their rates are (v_A − v_B)·d̂ and (ω_A − ω_B)·d̂.
                let translation = |c: usize| -v[c];
                let rotation = |d: [f64; 3]| -dot(omega, d);
                let tilt = |posed: &mut PosedJoint, which: usize| {
                    let RelativeRotation::About(axis) = composition.rotation else {
                        panic!("tilt rows belong to rotations about an axis")
                    };
                    let axis = posed.argument(kind, axis);
                    let d = posed.scene.write(|g| g.ids(normal_directions(g.vector(axis))[which]));
                    rotation(times(R_A, d.map(|x| posed.scene.constant_value(x))))
                };
                let expected = match *row {
                    "x" => translation(0),
                    "y" => translation(1),
                    "z" => translation(2),
                    "turn_x" => rotation(R_A[0]),
                    "turn_y" => rotation(R_A[1]),
                    "turn_z" => rotation(R_A[2]),
                    "tilt_normal" => tilt(&mut posed, 0),
                    "tilt_binormal" => tilt(&mut posed, 1),
                    "cross" => {
                        let RelativeRotation::Cross(axes) = composition.rotation else {
                            panic!("cross rows belong to two axes")
                        };
                        let [u, w] = axes.map(|axis| posed.argument(kind, axis).map(|x| posed.scene.constant_value(x)));
                        rotation(cross(times(R_A, u), times(posed.frames[1].R, w)))
                    }
                    "spin" => rotation(posed.frames[1].R[2]),
                    "surface_x" | "surface_y" | "surface_z" => {
                        // The force, and (D F) × z_B about Q.
                        let k = ["surface_x", "surface_y", "surface_z"].iter().position(|n| n == row).expect("one");
                        let radius = posed.scene.constant_value(posed.arguments[0][k]);
                        let moment = cross(R_A[k].map(|x| radius * x), posed.frames[1].R[2]);
                        -dot(v, R_A[k]) - dot(omega, moment)
                    }
                    "radius" => {
                        let r = [0, 1, 2].map(|c| posed.frames[0].p[c] - posed.frames[1].p[c]);
                        -dot(v, unit(r))
                    }
                    _ => continue,
                };
                close(kind.name, row, rate, expected);
            }
        }
    }
}

#[test]
fn screws_advance_by_their_pitch_per_revolution() {
    let Build::Composed(composition) = kind("screw").build else { panic!("composed") };
    let posed = random_pose(kind("screw"), composition, 3);
    let pitch = posed.scene.constant_value(posed.arguments[1][0]);
    let [Step::Screw { axis, advance }] = posed.parts.steps()[..] else { panic!("one step") };
    assert!((posed.scene.constant_value(advance) * 2.0 * PI - pitch).abs() < 1e-15);
    let u = times(posed.frames[0].R, axis.map(|x| posed.scene.constant_value(x)));
    let displacement = [0, 1, 2].map(|c| posed.frames[1].p[c] - posed.frames[0].p[c]);
    assert!((dot(displacement, u) - pitch * posed.q[0] / (2.0 * PI)).abs() < 1e-14);
}

#[test]
fn constant_angle_rows_fix_the_angle_between_two_directions() {
    let kind = kind("constant_angle");
    let mut random = Random::new(9);
    let mut scene = Scene::new(Attitude::Quaternion);
    let arguments = scene.arguments(kind, &mut random, true);
    let parts = scene.join(kind, &arguments);
    let frames = [Frame::at_rest([0.0; 3], random.rotation()), Frame::at_rest([1.0; 3], random.rotation())];
    let [u, v] = [0, 1].map(|i: usize| times(frames[i].R, arguments[i].map(|x| scene.constant_value(x))));
    let alpha = scene.constant_value(arguments[2][0]);
    let row = scene.evaluate(parts.rows[0].0, &frames).value();
    assert!((row - (dot(u, v) - alpha.cos())).abs() < 1e-15);
    // A right angle adds no round-off.
    let right = scene.exprs.constant(PI / 2.0);
    let parts = scene.join(kind, &[arguments[0], arguments[1], [right; 3]]);
    assert!((scene.evaluate(parts.rows[0].0, &frames).value() - dot(u, v)).abs() == 0.0);
}

#[test]
fn rows_of_a_rotation_about_a_coordinate_axis_of_ground_are_entries_of_the_rotation_matrix() {
    let mut scene = Scene::new(Attitude::Quaternion);
    scene.markers[0].body = None;
    let axis = [0.0, 0.0, 1.0].map(|x| scene.exprs.constant(x));
    let parts = scene.join(kind("revolute"), &[axis]);
    let ops: Vec<Op> = parts.residuals().iter().map(|row| scene.exprs.op(*row)).collect();
    assert_eq!(ops[3], Op::Direction(ENDS[1], 2, 1), "ŷ·z_B");
    assert!(
        matches!(ops[4], Op::Unary(mbs_expr::Function::Neg, x) if scene.exprs.op(x) == Op::Direction(ENDS[1], 2, 0))
    );
}

#[test]
fn particles_have_no_attitude_in_a_joint() {
    let count = |name: &str, particle: usize| {
        let mut scene = Scene::new(Attitude::Quaternion);
        scene.bodies[particle].kind = BodyKind::Particle;
        let parts = scene.join(kind(name), &[]);
        (parts.rows.len(), parts.coordinates.len(), parts.steps().iter().map(Step::coordinates).sum::<usize>())
    };
    assert_eq!(count("spherical", 0), (3, 0, 0));
    assert_eq!(count("spherical", 1), (3, 0, 0));
    assert_eq!(count("free", 1), (0, 3, 3));
    // A body rotates relative to a particle, whose axes are parallel to the world's.
    assert_eq!(count("free", 0), (0, 7, 7));
}

#[test]
fn rates_of_measured_angles_are_angular_velocities() {
    let Build::Composed(composition) = kind("revolute").build else { panic!("composed") };
    let mut posed = random_pose(kind("revolute"), composition, 5);
    let u = times(posed.frames[0].R, posed.arguments[0].map(|x| posed.scene.constant_value(x)));
    posed.frames[1].omega = u.map(|x| 3.0 * x);
    let rate: Series<2> = posed.scene.evaluate(posed.parts.coordinates[0], &posed.frames);
    assert!((rate.rate().value() - 3.0).abs() < 1e-13);
}

#[test]
fn a_point_on_an_ellipsoid_is_the_image_of_the_z_axis() {
    for seed in 0..6 {
        let Build::Composed(composition) = kind("ellipsoid").build else { panic!("composed") };
        let posed = random_pose(kind("ellipsoid"), composition, seed);
        let [first, second] = posed.frames;
        let radii = posed.arguments[0].map(|x| posed.scene.constant_value(x));
        let displacement = [0, 1, 2].map(|c| second.p[c] - first.p[c]);
        for (radius, axis) in radii.into_iter().zip(first.R) {
            let expected = radius * dot(second.R[2], axis);
            assert!((dot(displacement, axis) - expected).abs() < 1e-14, "seed {seed}, radius {radius}");
        }
    }
}

#[test]
fn a_row_between_speeds_prevents_the_spin_of_a_line() {
    for name in ["line_orientation", "free_line"] {
        let Build::Composed(composition) = kind(name).build else { panic!("composed") };
        let posed = random_pose(kind(name), composition, 1);
        let spin = posed.parts.rows[kind(name).rows.len() - 1].0;
        assert_eq!(posed.scene.exprs.order(spin), Some(1), "{name}");
    }
}
