//! Driven linkages of bars: a four-bar, a five-bar.

use mbs::{FullMechanism, InverseDynamics};

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::figures::{Figures, Line, largest_difference};
use crate::reference::massless;
use crate::reference::prescribed::Prescribed;

#[test]
fn driven_four_bar_follows_the_closed_form() {
    let case = Case::read("fourbar_kinematics");
    let rho = case.parameter("rho");
    let [a, b, c] = ["a", "b", "c"].map(|l| case.parameter(l));
    let bar = |length: f64| rho * length.powi(3) / 12.0;
    for_both_formulations!(four_bar_drive {
        g: case.parameter("g"), density: rho, ground_length: case.parameter("d"), branch: case.parameter("branch"),
        tracer_x: case.parameter("px"), tracer_y: case.parameter("py"),
        crank_length: a, crank_mass: rho * a, crank_inertia: bar(a),
        coupler_length: b, coupler_mass: rho * b, coupler_inertia: bar(b),
        rocker_length: c, rocker_mass: rho * c, rocker_inertia: bar(c),
        start: 0.0, omega: case.parameter("omega"), alpha: case.parameter("alpha"),
    } => four_bar(&case));
}

fn four_bar<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    assert_eq!(case.parameter("alpha"), 0.0, "angles are reached at constant speed");
    let mut run = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    let exact = case.relative_accuracy();
    let known = |column: &str| case.column("reference", column);
    for (column, output) in [("phi", "coupler_angle"), ("psi", "rocker_angle")] {
        run.compare_angle(output, exact, &known(column));
    }
    for (column, output) in [
        ("dphi", "coupler_rate"),
        ("ddphi", "coupler_acceleration"),
        ("dpsi", "rocker_rate"),
        ("ddpsi", "rocker_acceleration"),
        ("Px", "tracer.x"),
        ("Py", "tracer.y"),
        ("Px", "marker.tracer.x"),
        ("Py", "marker.tracer.y"),
        ("vPx", "tracer_velocity.x"),
        ("vPy", "tracer_velocity.y"),
        ("aPx", "tracer_acceleration.x"),
        ("aPy", "tracer_acceleration.y"),
        ("T_drive", "torque"),
        ("T_drive", "drive.motor"),
        // Forces of ground on the crank, of the crank on the coupler: the first end on the second.
        ("F1x", "crank_bearing_force.x"),
        ("F1y", "crank_bearing_force.y"),
        ("F2x", "crank_pin_force.x"),
        ("F2y", "crank_pin_force.y"),
        ("F1x", "reaction.crank_bearing.x"),
        ("F1y", "reaction.crank_bearing.y"),
        ("F2x", "reaction.crank_pin.x"),
        ("F2y", "reaction.crank_pin.y"),
    ] {
        run.compare(output, exact, &known(column));
    }
    run.finish();
}

/// The columns of the Jacobian are velocities of the tool, each with one motor at 1 rad/s. The case states no masses:
/// they are large, small and zero.
#[test]
fn five_bar_has_the_jacobian_of_the_closed_form() {
    let case = Case::read("fivebar_parallel_kinematics");
    let [distance, arm, rod] = ["d", "l1", "l2"].map(|name| case.parameter(name));
    let [left, right] = ["q1", "q2"].map(|name| case.column("reference", name));
    let (mut figures, mut massless) =
        (Figures::new(&case.name, "body and joint"), massless::without_masses("five_bar"));
    for (row, (left, right)) in left.into_iter().zip(right).enumerate() {
        for jacobian in [["J11", "J21"], ["J12", "J22"]] {
            let [left_rate, right_rate] = ["J11", "J12"].map(|rate| f64::from(jacobian[0] == rate));
            for mass in [1.0, 0.02] {
                for_both_formulations!(five_bar {
                    motor_distance: distance, arm_length: arm, rod_length: rod, density: 1.2 * mass, tool_mass: 0.1 / mass,
                    left_start: left, right_start: right, left_rate: left_rate, right_rate: right_rate,
                } => five_bar(&case, row, jacobian, &mut figures));
            }
            let parameters = [
                ("motor_distance", distance),
                ("arm_length", arm),
                ("rod_length", rod),
                ("left_start", left),
                ("right_start", right),
                ("left_rate", left_rate),
                ("right_rate", right_rate),
            ];
            for (coordinates, mechanism) in &mut massless {
                massless::set_parameters(mechanism, &parameters);
                five_bar(coordinates, mechanism, &case, row, jacobian, &mut figures);
            }
        }
    }
    figures.finish("5 poses, 3 masses");
}

fn five_bar<M: FullMechanism>(
    coordinates: &str,
    mechanism: &M,
    case: &Case,
    row: usize,
    jacobian: [&str; 2],
    figures: &mut Figures,
) {
    let run = InverseDynamics::new(mechanism).at(&[0.0]).run();
    let pose = run.unwrap_or_else(|failure| panic!("{coordinates}, row {row}: {failure}"));
    for (column, output) in
        [("Cx", "tool.x"), ("Cy", "tool.y"), (jacobian[0], "tool_velocity.x"), (jacobian[1], "tool_velocity.y")]
    {
        let known = case.column("reference", column);
        let tolerance = case.relative_accuracy().tolerance(&known);
        let error = largest_difference(pose.output(output).expect("it is declared"), &known[row..=row]);
        figures.push(Line { quantity: column.to_owned(), error, tolerance, change: 0.0 });
    }
}
