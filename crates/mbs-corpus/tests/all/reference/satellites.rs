//! Free bodies with thrusters, in three representations of attitude.

use mbs::rotation::{Attitude, matrix_of};
use mbs::{Differentiable, Pose, Rk2, Rk4, State, StateView, Stepper};

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::figures::{Accuracy, Figures};

#[test]
fn free_bodies_with_thrusters_accelerate_in_every_attitude() {
    for name in ["satellite_rigidbody", "satellite_rigidbody_inertia"] {
        let case = Case::read(name);
        let inertia: [[f64; 3]; 3] =
            serde_json::from_value(case.value("parameters/inertia").clone()).expect("a tensor");
        for_both_formulations!(satellites {
            mass: case.parameter("mass"), moments: [inertia[0][0], inertia[1][1], inertia[2][2]],
            products: [inertia[0][1], inertia[0][2], inertia[1][2]],
        } => satellites(&case));
    }
}

/// ẋ = (q̇, a), its Jacobian and the rotation at the states of the case; x = (r, attitude, v, ω), u = (force, moment).
fn satellites<M: Differentiable>(coordinates: &str, mechanism: &M, case: &Case) {
    let kinds = ["quat", "mrp", "rodrigues"].map(|kind| case.value(&format!("reference/{kind}")));
    let count = kinds[0].as_array().expect("samples").len();
    let mut figures = Figures::new(&case.name, coordinates);
    for i in 0..count {
        let lists =
            |key: &str| kinds.map(|kind| serde_json::from_value::<Vec<f64>>(kind[i][key].clone()).expect("numbers"));
        let (x, u, rates) = (lists("x"), lists("u"), lists("xdot"));
        let part = |lists: &[Vec<f64>; 3], of: fn(&[f64]) -> &[f64]| lists.each_ref().map(|list| of(list)).concat();
        let (q, v) = (part(&x, |x| &x[..x.len() - 6]), part(&x, |x| &x[x.len() - 6..]));
        let u = [part(&u, |u| &u[..3]), part(&u, |u| &u[3..])].concat();

        let (mut q_rates, mut a) = (vec![0.0; q.len()], vec![0.0; v.len()]);
        mechanism.coordinate_rates(0.0, &q, &v, &mut q_rates);
        let solved = mechanism.accelerations(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &u }, &mut a, &mut []);
        solved.expect("a regular state");
        let mut poses = [Pose::planar(0.0, 0.0, 0.0); 3];
        mechanism.poses(StateView::new(0.0, &q, &[]), &mut poses);

        let exact = case.relative_accuracy();
        figures.compare("rates", exact, &part(&rates, |x| &x[..x.len() - 6]), &q_rates);
        figures.compare("accelerations", exact, &part(&rates, |x| &x[x.len() - 6..]), &a);
        let mut jacobian = mechanism.jacobian_storage();
        let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &u };
        mechanism.state_jacobian(at, jacobian.as_mut()).expect("a regular state");
        for (body, kind) in kinds.into_iter().enumerate() {
            let known: Vec<Vec<f64>> = serde_json::from_value(kind[i]["jacobian"].clone()).expect("a matrix");
            let columns = Columns::for_body(body, &q, &v);
            figures.compare(
                "Jacobian",
                exact,
                &columns.case_jacobian(&known),
                &columns.compiled_jacobian(jacobian.as_ref()),
            );
        }
        for (method, order) in [("rk4_step", 4), ("rk2_midpoint_step", 2)] {
            let steps = kinds.map(|kind| &kind[i][method]);
            let [h, second, third] = steps.map(|step| step["h"].as_f64().expect("a step"));
            assert!(h == second && h == third, "one step for all");
            let mut next =
                steps.map(|step| serde_json::from_value::<Vec<f64>>(step["x_next"].clone()).expect("numbers"));
            // Our quaternions are normalised after the step, those of the case are not.
            Attitude::Quaternion.normalize(&mut next[0][3..7]);
            let mut state = State::new(mechanism);
            state.q.as_mut().copy_from_slice(&q);
            state.v.as_mut().copy_from_slice(&v);
            let mut thrust = |_: StateView, inputs: &mut [f64]| inputs.copy_from_slice(&u);
            let stepped = match order {
                4 => Rk4::new(mechanism, h).step(mechanism, &mut state, &mut thrust, h),
                _ => Rk2::new(mechanism, h).step(mechanism, &mut state, &mut thrust, h),
            };
            stepped.expect("a regular step");
            let (known_q, known_v) = (part(&next, |x| &x[..x.len() - 6]), part(&next, |x| &x[x.len() - 6..]));
            let (q, v) = (state.q.as_ref(), state.v.as_ref());
            figures.compare(&format!("{method}, q"), exact, &known_q[3..], &q[3..]);
            figures.compare(&format!("{method}, v"), exact, &known_v[3..], &v[3..]);
            // Between the stages of a step quaternions leave the unit sphere, by (h |ω|)²/8: there R(e) of the
            // case is |e|² times a rotation, and the rotated force differs.
            let near = Accuracy::Absolute(2e-3);
            figures.compare(&format!("{method}, position with a quaternion"), near, &known_q[..3], &q[..3]);
            figures.compare(&format!("{method}, velocity with a quaternion"), near, &known_v[..3], &v[..3]);
        }
        for (kind, pose) in kinds.into_iter().zip(poses) {
            let known: [[f64; 3]; 3] = serde_json::from_value(kind[i]["rotation_matrix"].clone()).expect("a matrix");
            figures.compare("rotation", exact, known.as_flattened(), matrix_of(pose.attitude).as_flattened());
        }
    }
    figures.finish(&format!("{count} states"));
}

/// One of the three bodies in the Jacobian of all: x = (q, v), u = (forces, moments).
struct Columns {
    /// Indices of its states in our Jacobian, in the order of the case.
    state: Vec<usize>,
    inputs: Vec<usize>,
    /// Index of the attitude in the case, and directions of its derivatives: unit vectors for three parameters, the columns of N(q) for a
    /// quaternion, since R(q) of the case is |q|² times a rotation, and ours is a rotation at any |q|.
    attitude: usize,
    directions: Vec<Vec<f64>>,
}

impl Columns {
    fn for_body(body: usize, q: &[f64], v: &[f64]) -> Self {
        let (first, count) = [(0, 4), (7, 3), (13, 3)][body];
        let state: Vec<usize> = (first..first + 3 + count).chain((0..6).map(|k| q.len() + 6 * body + k)).collect();
        let inputs = [3 * body, 9 + 3 * body].into_iter().flat_map(|from| from..from + 3);
        let unit = |n: usize, k: usize| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let directions = match count {
            4 => {
                let rates = |k: usize| {
                    let mut rates = vec![0.0; 4];
                    let omega = unit(3, k).try_into().expect("three of them");
                    Attitude::Quaternion.rates(&q[first + 3..first + 7], omega, &mut rates);
                    rates
                };
                (0..3).map(rates).collect()
            }
            n => (0..n).map(|k| unit(n, k)).collect(),
        };
        let width = q.len() + v.len();
        Columns { inputs: inputs.map(|k| width + k).collect(), state, attitude: 3, directions }
    }

    /// A row of the Jacobian with the attitude's derivatives in its directions.
    fn in_directions(&self, row: &[f64]) -> Vec<f64> {
        let end = self.attitude + self.directions[0].len();
        let derivatives =
            self.directions.iter().map(|d| row[self.attitude..end].iter().zip(d).map(|(x, d)| x * d).sum());
        row[..self.attitude].iter().copied().chain(derivatives).chain(row[end..].iter().copied()).collect()
    }

    fn case_jacobian(&self, jacobian: &[Vec<f64>]) -> Vec<f64> {
        jacobian.iter().flat_map(|row| self.in_directions(row)).collect()
    }

    fn compiled_jacobian(&self, jacobian: &[f64]) -> Vec<f64> {
        let width = 37 + 18;
        let row = |i: &usize| {
            let row = &jacobian[i * width..(i + 1) * width];
            self.in_directions(&self.state.iter().chain(&self.inputs).map(|k| row[*k]).collect::<Vec<_>>())
        };
        self.state.iter().flat_map(row).collect()
    }
}
