//! Compares every kernel of a spatial mechanism between the compiler, through the interpreter, and the engine.

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::{Describe, Item, Mechanism, Pose, Reaction, StateView};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::every_side::check_natural;
use crate::tier::is_in_turn;

fn sine(k: usize) -> f64 {
    (1.0 + 1.7 * k as f64).sin()
}

/// Round-off times the conditioning of matrices that are eliminated in different orders, relative to the largest value.
const TOLERANCE: f64 = 1e-10;

struct Pair {
    label: String,
    compiled: Interpreted,
    engine: Engine,
}

impl Pair {
    fn new(text: &str, formulation: Formulation) -> Pair {
        let label = format!("{formulation:?} coordinates of {text}");
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let mut all = compile_text("space.mbs", text, options).unwrap_or_else(|failure| panic!("{label}: {failure}"));
        let compiled = Interpreted::new(all.remove(0).0, Fma::Plain).expect("defaults are inside their domains");
        let engine = Engine::options().formulation(formulation).text(text);
        let engine = engine.unwrap_or_else(|failure| panic!("{label}: {failure}"));
        Pair { label, compiled, engine }
    }

    #[track_caller]
    fn close(&self, name: &str, found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len(), "{name}");
        let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (k, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!((a - b).abs() <= TOLERANCE * size, "{}\n{name}[{k}]: engine {a}, compiler {b}", self.label);
        }
    }

    /// Compares one kernel with n values.
    #[track_caller]
    fn compare_kernel(&self, name: &str, n: usize, kernel: &dyn Fn(&dyn Side, &mut [f64])) {
        let [mut found, mut expected] = [vec![f64::NAN; n], vec![f64::NAN; n]];
        kernel(&self.engine, &mut found);
        kernel(&self.compiled, &mut expected);
        self.close(name, &found, &expected);
    }
}

/// Kernels of either side, with flat results.
trait Side {
    fn solve_for(&self, at: StateView, right: Option<(&[f64], &[f64])>, x: &mut [f64]);
    fn mass(&self, q: &[f64], mass: &mut [f64]);
    fn rows(&self, name: &str, q: &[f64], v: &[f64], rows: &mut [f64]);
    fn vectors(&self, name: &str, at: StateView, x: &mut [f64]);
    fn reports(&self, name: &str, at: StateView, solution: &[f64], x: &mut [f64]);
}

macro_rules! side {
    ($type:ty, $self:ident, $q:ident, $v:ident, $out:ident,
     mass $mass:expr, jacobian $jacobian:expr, nu $nu:expr, gamma $gamma:expr) => {
        impl Side for $type {
            fn solve_for(&self, at: StateView, right: Option<(&[f64], &[f64])>, x: &mut [f64]) {
                let (x, mu) = x.split_at_mut(self.sizes().n_v);
                let solved = match right {
                    None => self.accelerations(at, x, mu),
                    Some((f, g)) => self.solve(at, f, g, x, mu),
                };
                solved.expect("a regular state");
            }

            fn mass(&$self, $q: &[f64], $out: &mut [f64]) {
                $mass
            }

            fn rows(&$self, name: &str, $q: &[f64], $v: &[f64], $out: &mut [f64]) {
                match name {
                    "G" => $jacobian,
                    "nu" => $nu,
                    "gamma" => $gamma,
                    "phi" => $self.position_residuals(StateView::new(0.3, $q, &[]), $out),
                    _ => $self.velocity_residuals(StateView::new(0.3, $q, $v), $out),
                }
            }

            fn vectors(&self, name: &str, at: StateView, x: &mut [f64]) {
                match name {
                    "rates" => self.coordinate_rates(at.t, at.q, at.v, x),
                    "forces" => self.generalized_forces(at, x),
                    "z" => self.auxiliary_rates(at, x),
                    _ => self.velocity_forces(at, x),
                }
            }

            fn reports(&self, name: &str, at: StateView, solution: &[f64], x: &mut [f64]) {
                let s = self.sizes();
                let (a, lambda) = solution.split_at(s.n_v);
                match name {
                    "outputs" => self.outputs(at, a, lambda, x),
                    "energy" => x.copy_from_slice(&{ let e = self.energy(at); [e.kinetic, e.potential] }),
                    "reactions" => {
                        let mut list = vec![Reaction::default(); s.n_joints];
                        self.reactions(at, a, lambda, &mut list);
                        let flat = list.iter().flat_map(|r| [r.point, r.force, r.torque].concat());
                        x.copy_from_slice(&flat.collect::<Vec<_>>());
                    }
                    "poses" => {
                        let mut list = vec![Pose { position: [0.0; 3], attitude: [0.0; 4] }; s.n_bodies];
                        self.poses(at, &mut list);
                        let flat = list.iter().flat_map(|p| {
                            let r = mbs_core::rotation::matrix_of(p.attitude);
                            [p.position, r[0], r[1], r[2]].concat()
                        });
                        x.copy_from_slice(&flat.collect::<Vec<_>>());
                    }
                    "markers" => {
                        let mut list = vec![[0.0; 3]; s.n_markers];
                        self.marker_positions(at, &mut list);
                        x.copy_from_slice(list.as_flattened());
                    }
                    "bodies" => self.body_jacobians(at, x),
                    _ => {
                        for (k, x) in x.chunks_exact_mut(s.n_v + 1).enumerate() {
                            let condition = self.initial_condition(k, at, &mut x[..s.n_v]);
                            x[s.n_v] = condition.residual;
                        }
                    }
                }
            }
        }
    };
}

side!(Engine, self, q, v, out,
    mass self.mass_matrix(StateView::new(0.3, q, &[]), out),
    jacobian Engine::constraint_jacobian(self, StateView::new(0.3, q, &[]), out),
    nu self.nu(StateView::new(0.3, q, &[]), out),
    gamma self.gamma(StateView::new(0.3, q, v), out));
side!(Interpreted, self, q, v, out,
    mass out.copy_from_slice(&self.mass_matrix(StateView::new(0.3, q, &[]))),
    jacobian out.copy_from_slice(&Interpreted::constraint_jacobian(self, StateView::new(0.3, q, &[]))),
    nu out.copy_from_slice(&self.nu(StateView::new(0.3, q, &[]))),
    gamma out.copy_from_slice(&self.gamma(StateView::new(0.3, q, v))));

/// Compares compiler and engine in joint and in body coordinates, and checks natural ones against body coordinates; in a landing one of these.
#[track_caller]
pub fn check_formulations(text: &str) {
    for (k, formulation) in [Formulation::Joint, Formulation::Body].into_iter().enumerate() {
        if is_in_turn(text, k, 3) {
            compare(text, formulation);
        }
    }
    if is_in_turn(text, 2, 3) {
        check_natural(text);
    }
}

/// Compares all kernels at three states near the guess.
#[track_caller]
pub fn compare(text: &str, formulation: Formulation) {
    let pair = Pair::new(text, formulation);
    let s = pair.compiled.sizes();
    assert_eq!(pair.engine.sizes(), s, "{}", pair.label);
    assert!(pair.engine.is_spatial() && pair.compiled.is_spatial());
    for item in (0..s.n_q).map(Item::Coordinate).chain((0..s.n_v).map(Item::Speed)).chain((0..s.n_c).map(Item::Row)) {
        assert_eq!(pair.engine.name(item), pair.compiled.name(item), "{item:?}");
    }
    let (mut q, mut v, mut z) = (vec![0.0; s.n_q], vec![0.0; s.n_v], vec![0.0; s.n_z]);
    let [mut q_there, mut v_there, mut z_there] = [q.clone(), v.clone(), z.clone()];
    pair.engine.guess(&mut q, &mut v, &mut z);
    pair.compiled.guess(&mut q_there, &mut v_there, &mut z_there);
    pair.close("guess of q", &q, &q_there);
    pair.close("guess of v", &v, &v_there);
    pair.close("guess of z", &z, &z_there);
    for round in 0..3 {
        let delta: Vec<f64> = (0..s.n_v).map(|k| 0.4 * sine(k + 100 * round)).collect();
        let [mut theirs, mut rates] = [q.clone(), q.clone()];
        pair.engine.retract(0.3, &mut q, &delta, &mut rates);
        pair.compiled.retract(0.3, &mut theirs, &delta, &mut rates);
        pair.close("retracted", &q, &theirs);
        v.iter_mut().enumerate().for_each(|(k, v)| *v = sine(k + 20 + round));
        compare_at(&pair, &q, &v, &z);
    }
}

fn compare_at(pair: &Pair, q: &[f64], v: &[f64], z: &[f64]) {
    let s = pair.compiled.sizes();
    let u: Vec<f64> = (0..s.n_u).map(|k| sine(k + 40)).collect();
    let at = StateView { t: 0.3, q, v, z, u: &u };
    pair.compare_kernel("M", s.n_v * s.n_v, &|m, x| m.mass(q, x));
    let lengths = [("G", s.n_c * s.n_v), ("gamma", s.n_c), ("phi", s.n_position), ("psi", s.n_velocity)];
    for (name, n) in lengths.into_iter().chain([("nu", s.n_velocity)]) {
        pair.compare_kernel(name, n, &|m, x| m.rows(name, q, v, x));
    }
    for (name, n) in [("rates", s.n_q), ("forces", s.n_v), ("velocity forces", s.n_v), ("z", s.n_z)] {
        pair.compare_kernel(name, n, &|m, x| m.vectors(name, at, x));
    }
    let n = s.n_v + s.n_c;
    let (f, g): (Vec<f64>, Vec<f64>) = ((0..s.n_v).map(sine).collect(), (0..s.n_c).map(|k| sine(k + 7)).collect());
    pair.compare_kernel("solutions", n, &|m, x| m.solve_for(at, Some((&f, &g)), x));
    let mut solution = vec![0.0; n];
    let solvable = pair.compiled.compiled().checked.solvable;
    if solvable {
        pair.compare_kernel("accelerations and multipliers", n, &|m, x| m.solve_for(at, None, x));
        Side::solve_for(&pair.compiled, at, None, &mut solution);
    }
    let reports = [
        ("outputs", s.n_outputs),
        ("energy", 2),
        ("poses", 12 * s.n_bodies),
        ("markers", 3 * s.n_markers),
        ("bodies", 6 * s.n_bodies * s.n_v),
        ("conditions", s.n_conditions * (s.n_v + 1)),
        ("reactions", 9 * s.n_joints),
    ];
    // Without dynamics, reactions are not compiled.
    let reports = if solvable { &reports[..] } else { &reports[..6] };
    for &(name, n) in reports {
        pair.compare_kernel(name, n, &|m, x| m.reports(name, at, &solution, x));
    }
}
