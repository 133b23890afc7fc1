//! Robots from URDF against Pinocchio, in joint coordinates, interpreted: body coordinates of the arm alone take 38,000 operations.

use std::fs;
use std::path::Path;

use mbs::rotation::matrix_of;
use mbs::{Describe, Item, Mechanism, Pose, Sizes, StateView};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::{Fma, Inputs};
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};
use serde_json::Value;

use crate::reference::case::Case;
use crate::reference::comparison::{Accuracy, Comparison};
use crate::reference::figures::{Figures, Line, largest_difference};

/// A mechanism of `mechanisms/robots/`.
fn robot(stem: &str) -> Interpreted {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../mechanisms/robots/{stem}.mbs"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let kernels = Kernels { jacobians: true, operators: true, ..Kernels::default() };
    let options = Options { formulation: Some(Formulation::Joint), kernels: Some(kernels), ..Options::default() };
    let compiled = compile_text(&path.display().to_string(), &text, options);
    let (compiled, _) = compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0);
    Interpreted::new(compiled, Fma::Plain).expect("default parameters are in their domain")
}

/// A robot, and the order of coordinates of its case: a floating trunk first, its quaternion scalar last, then the joints as listed.
struct Robot<'c> {
    mechanism: &'c Interpreted,
    sizes: Sizes,
    /// Index of our coordinate for each coordinate of the case.
    q: Vec<usize>,
    /// Index of our speed for each speed of the case.
    v: Vec<usize>,
    /// The last link.
    link: usize,
}

impl<'c> Robot<'c> {
    fn new(mechanism: &'c Interpreted, case: &'c Case, local_name: fn(&str) -> String) -> Self {
        let sizes = mechanism.sizes();
        let joints: Vec<&str> = names(case.value("parameters/joints"), "name");
        let find = |count: usize, item: fn(usize) -> Item, name: &str| -> usize {
            let found = (0..count).find(|i| mechanism.name(item(*i)) == name);
            found.unwrap_or_else(|| panic!("{}: no `{name}`", case.name))
        };
        let floating = sizes.n_q - sizes.n_v;
        let [mut q, mut v] = match floating {
            0 => [Vec::new(), Vec::new()],
            _ => [vec![0, 1, 2, 4, 5, 6, 3], (0..6).collect()],
        };
        q.extend(joints.iter().map(|name| find(sizes.n_q, Item::Coordinate, &format!("{}.angle", local_name(name)))));
        v.extend(joints.iter().map(|name| find(sizes.n_v, Item::Speed, &format!("{}.rate", local_name(name)))));
        let last = *names(case.value("parameters/joints"), "child").last().expect("joints");
        Robot { mechanism, sizes, q, v, link: find(sizes.n_bodies, Item::Body, &local_name(last)) }
    }

    /// Converts speeds, accelerations or loads from the order of the case to our order.
    fn in_our_order(&self, speeds: &[f64]) -> Vec<f64> {
        let mut ordered = vec![0.0; self.sizes.n_v];
        self.v.iter().zip(speeds).for_each(|(i, x)| ordered[*i] = *x);
        ordered
    }

    /// Converts speeds, accelerations or loads from our order to the order of the case.
    fn to_case_order(&self, speeds: &[f64]) -> Vec<f64> {
        self.v.iter().map(|i| speeds[*i]).collect()
    }

    /// M a − Q without inputs, by the recursion.
    fn inverse_dynamics(&self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let u = vec![0.0; self.sizes.n_u];
        let inputs = Inputs { q, v, a, u: &u, ..Inputs::default() };
        self.mechanism.run("inverse_dynamics", inputs).expect("it solves nothing").remove(0)
    }

    /// −Q without inputs, the bias in the required loads M a − Q.
    fn bias(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut forces = vec![0.0; self.sizes.n_v];
        let u = vec![0.0; self.sizes.n_u];
        self.mechanism.generalized_forces(StateView { t: 0.0, q, v, z: &[], u: &u }, &mut forces);
        forces.iter().map(|f| -f).collect()
    }
}

fn names<'c>(list: &'c Value, key: &str) -> Vec<&'c str> {
    let list = list.as_array().expect("a list");
    list.iter().map(|item| item[key].as_str().expect("a name")).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).expect("a list of numbers")
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).expect("a list of rows")
}

#[test]
fn an_arm_of_seven_hinges_obeys_its_equations() {
    check_equations(&Case::read("robot_arm7"), &robot("robot_arm7"));
}

#[test]
fn a_quadruped_with_a_floating_trunk_obeys_its_equations() {
    check_equations(&Case::read("robot_quadruped18"), &robot("quadruped18"));
}

/// The robot with four instances of one leg.
#[test]
fn a_walker_made_of_parts_obeys_the_equations_of_the_quadruped() {
    check_equations_with_names(&Case::read("robot_quadruped18"), &robot("walker"), |name| {
        let (leg, local) = name.split_once('_').unwrap_or(("", name));
        let leg = match leg {
            "FL" => "front_left",
            "FR" => "front_right",
            "RL" => "rear_left",
            _ => "rear_right",
        };
        let local = match local {
            "hip_j" => "spread",
            "thigh_j" => "swing",
            "calf_j" => "bend",
            link => link,
        };
        format!("{leg}.{local}")
    });
}

fn check_equations(case: &Case, mechanism: &Interpreted) {
    check_equations_with_names(case, mechanism, str::to_owned);
}

/// `local_name` maps the name of a joint or link of the case to ours.
fn check_equations_with_names(case: &Case, mechanism: &Interpreted, local_name: fn(&str) -> String) {
    let robot = Robot::new(mechanism, case, local_name);
    let mut figures = Figures::new(&case.name, "joint");
    let states = case.value("reference/states").as_array().expect("a list of states");
    for (i, state) in states.iter().enumerate() {
        let mut compared = [dynamics(&robot, state), derivatives(&robot, state), observables(&robot, state)].concat();
        if i + 1 == states.len() {
            compared.extend(last_link(&robot, state));
        }
        for (quantity, known, found) in compared {
            assert_eq!(known.len(), found.len(), "{quantity}");
            figures.push(Line {
                quantity: quantity.to_owned(),
                error: largest_difference(&found, &known),
                tolerance: case.relative_accuracy().tolerance(&known),
                change: 0.0,
            });
        }
    }
    figures.finish(&format!("{} states", states.len()));
}

/// Quantity, of the case, ours.
type Compared = (&'static str, Vec<f64>, Vec<f64>);

/// Position and speeds of a state in our order.
fn position(robot: &Robot, state: &Value) -> [Vec<f64>; 2] {
    let mut q = vec![0.0; robot.sizes.n_q];
    robot.q.iter().zip(numbers(&state["q"])).for_each(|(i, x)| q[*i] = x);
    [q, robot.in_our_order(&numbers(&state["v"]))]
}

/// M, bias and gravity, inverse and forward dynamics.
fn dynamics(robot: &Robot, state: &Value) -> Vec<Compared> {
    let [q, v] = position(robot, state);
    let n = robot.sizes.n_v;
    let known = |key: &str| numbers(&state[key]);

    let mass = robot.mechanism.mass_matrix(StateView::new(0.0, &q, &[]));
    let ordered = robot.v.iter().flat_map(|i| robot.to_case_order(&mass[i * n..(i + 1) * n])).collect();
    let bias = robot.bias(&q, &v);
    let accelerations = robot.in_our_order(&known("a_for_rnea"));
    let acting: Vec<f64> = mass.chunks_exact(n).zip(&bias).map(|(row, b)| b + inner(row, &accelerations)).collect();

    // Inputs are the torques of the joints in the order of the case, and then the wrench on the trunk.
    let trunk = robot.sizes.n_q - n;
    let mut u = known("tau_for_fd");
    u.rotate_left(6 * trunk);
    let mut a = vec![0.0; n];
    let solved = robot.mechanism.accelerations(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &u }, &mut a, &mut []);
    solved.expect("a regular state");
    vec![
        ("mass matrix", matrix(&state["mass_matrix"]).concat(), ordered),
        ("bias", known("bias"), robot.to_case_order(&bias)),
        ("gravity", known("gravity"), robot.to_case_order(&robot.bias(&q, &vec![0.0; n]))),
        ("M a + bias", known("rnea_tau"), robot.to_case_order(&acting)),
        ("inverse dynamics", known("rnea_tau"), robot.to_case_order(&robot.inverse_dynamics(&q, &v, &accelerations))),
        ("forward dynamics", known("forward_dynamics"), robot.to_case_order(&a)),
    ]
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Derivatives of forward and inverse dynamics; the cases differentiate with respect to displacements of the trunk in body axes at fixed speeds in
/// body axes, as with `velocity: body`.
fn derivatives(robot: &Robot, state: &Value) -> Vec<Compared> {
    let [q, v] = position(robot, state);
    let (n, trunk) = (robot.sizes.n_v, robot.sizes.n_q - robot.sizes.n_v);
    let mut u = numbers(&state["tau_for_fd"]);
    u.rotate_left(6 * trunk);
    let inputs = Inputs { q: &q, v: &v, u: &u, ..Inputs::default() };
    let motion = robot.mechanism.run("derivatives", inputs).expect("a regular state");
    let a = robot.in_our_order(&numbers(&state["a_for_rnea"]));
    let left = robot.mechanism.run("inverse_derivatives", Inputs { a: &a, ..inputs }).expect("it solves nothing");
    let along_speeds = |matrix: &[f64]| -> Vec<f64> {
        robot.v.iter().flat_map(|i| robot.to_case_order(&matrix[i * n..(i + 1) * n])).collect()
    };
    let along_inputs = |matrix: &[f64]| -> Vec<f64> {
        let row = |i: &usize| {
            let mut row = matrix[i * n..(i + 1) * n].to_vec();
            row.rotate_right(6 * trunk);
            row
        };
        robot.v.iter().flat_map(row).collect()
    };
    // Inverse dynamics is affine in a: its derivative with respect to one acceleration is a difference.
    let still = robot.inverse_dynamics(&q, &v, &vec![0.0; n]);
    let along_a: Vec<Vec<f64>> = robot
        .v
        .iter()
        .map(|i| {
            let unit: Vec<f64> = (0..n).map(|k| if k == *i { 1.0 } else { 0.0 }).collect();
            let pushed = robot.inverse_dynamics(&q, &v, &unit);
            robot.to_case_order(&pushed.iter().zip(&still).map(|(a, b)| a - b).collect::<Vec<_>>())
        })
        .collect();
    let columns: Vec<f64> = (0..n).flat_map(|row| along_a.iter().map(move |column| column[row])).collect();
    let known = |key: &str| matrix(&state[key]).concat();
    vec![
        ("derivatives of ID along a", known("drnea_da"), columns),
        ("derivatives of a along q", known("dfd_dq"), along_speeds(&motion[2])),
        ("derivatives of a along v", known("dfd_dv"), along_speeds(&motion[4])),
        ("derivatives of a along u", known("dfd_dtau"), along_inputs(&motion[8])),
        ("derivatives of ID along q", known("drnea_dq"), along_speeds(&left[0])),
        ("derivatives of ID along v", known("drnea_dv"), along_speeds(&left[2])),
    ]
}

/// Energies, centre of mass.
fn observables(robot: &Robot, state: &Value) -> Vec<Compared> {
    let [q, v] = position(robot, state);
    let u = vec![0.0; robot.sizes.n_u];
    let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &u };
    let energy = robot.mechanism.energy(at);
    let mut outputs = vec![0.0; robot.sizes.n_outputs];
    robot.mechanism.outputs(at, &vec![0.0; robot.sizes.n_v], &[], &mut outputs);
    let center = ["center.x", "center.y", "center.z"].map(|name| {
        let found = (0..outputs.len()).find(|i| robot.mechanism.name(Item::Output(*i)) == name);
        outputs[found.expect("robots have an output `center`")]
    });
    let number = |key: &str| vec![state[key].as_f64().expect("a number")];
    vec![
        ("kinetic energy", number("kinetic_energy"), vec![energy.kinetic]),
        ("potential energy", number("potential_energy"), vec![energy.potential]),
        ("center of mass", numbers(&state["com_world"]), center.to_vec()),
    ]
}

/// Pose of the last link. The cases contain that of their last state in all states.
fn last_link(robot: &Robot, state: &Value) -> [Compared; 2] {
    let [q, _] = position(robot, state);
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); robot.sizes.n_bodies];
    robot.mechanism.poses(StateView::new(0.0, &q, &[]), &mut poses);
    let link = poses[robot.link];
    [
        ("last link", numbers(&state["last_link_position"]), link.position.to_vec()),
        ("its rotation", matrix(&state["last_link_rotation"]).concat(), matrix_of(link.attitude).concat()),
    ]
}

/// A run from the declared state at rest, with friction in the hinges.
#[test]
fn an_arm_of_seven_hinges_swings_until_friction_stops_it() {
    let case = Case::read("robot_arm7_swing");
    let mut mechanism = robot("robot_arm7");
    mechanism.set_parameters(&[case.parameter("joint_viscous_damping")]).expect("its only parameter is the friction");
    let mut comparison = Comparison::new(&case.name, "joint", &mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [("q", "q"), ("v", "v")] {
        for i in 0..7 {
            let output = format!("{output}[{i}]");
            comparison.compare(&output, exact, &case.series(&format!("{column}{i}")), |at| at.output(&output));
        }
    }
    comparison.compare("energy", exact, &case.series("E"), |at| at.output("energy"));
    comparison.finish();
}

/// A flight with swinging legs; the case has the trunk first, its quaternion scalar last, and its velocities in body axes.
#[test]
fn a_quadruped_flies_and_swings_its_legs() {
    let (case, mechanism) = (Case::read("robot_quadruped18_flight"), robot("quadruped18"));
    let mut comparison = Comparison::new(&case.name, "joint", &mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    let positions = ["place.x", "place.y", "place.z", "attitude[1]", "attitude[2]", "attitude[3]", "attitude[0]"];
    let speeds = ["speed.x", "speed.y", "speed.z", "spin.x", "spin.y", "spin.z"];
    let with_joints = |trunk: &[&str], joints: &str| -> Vec<String> {
        let joints = (0..12).map(|i| format!("{joints}[{i}]"));
        trunk.iter().map(|name| (*name).to_owned()).chain(joints).collect()
    };
    for (letter, outputs) in [("q", with_joints(&positions, "angles")), ("v", with_joints(&speeds, "rates"))] {
        for (i, output) in outputs.iter().enumerate() {
            comparison.compare(output, exact, &case.series(&format!("{letter}{i}")), |at| at.output(output));
        }
    }
    comparison.compare("energy", exact, &case.series("E"), |at| at.output("energy"));
    comparison.finish();
}
