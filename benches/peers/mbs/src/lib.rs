//! Mechanisms compiled by mbs behind C functions: names, states of a run, and times of kernels.
//!
//! A row of `x` is q, v, a: the state, and accelerations for inverse dynamics. A row of results is that of the kernel, see [`Kernel`]. Results
//! of all rows are written before time is taken.

use std::ffi::{CStr, c_char};
use std::fmt::Debug;
use std::hint::black_box;
use std::time::Instant;

use mbs::engine::{Engine, Failure, Formulation};
use mbs::{Describe, Item, Mechanism, Rk4, Stabilization, State, StateView, Stepper, assemble, zero_inputs};

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// A quantity whose computation is timed.
#[derive(Clone, Copy, PartialEq)]
enum Kernel {
    /// Accelerations a of all speeds, n_v.
    Accelerations,
    /// M a − Q, n_v.
    InverseDynamics,
    /// M, n_v × n_v.
    MassMatrix,
    /// ∂a/∂q and ∂a/∂v, n_v × 2 n_v: displacements, then speeds.
    Derivatives,
}

const KERNELS: [Kernel; 4] = [Kernel::Accelerations, Kernel::InverseDynamics, Kernel::MassMatrix, Kernel::Derivatives];

trait Case {
    fn name(&self) -> &str;
    /// n_q, n_v and n_u.
    fn sizes(&self) -> [usize; 3];
    /// Name of a coordinate, or of a speed.
    fn item(&self, is_speed: bool, k: usize) -> String;
    /// Rows of q and v along a run from the declared state, `h` \[s\] apart.
    fn states(&self, h: f64, x: &mut [f64]);
    /// Nanoseconds of a step of Runge and Kutta's method of order 4, `h` \[s\] long, from the declared state.
    fn steps(&self, is_projected: bool, h: f64, steps: usize) -> f64;
    /// Calls a kernel with the rows of `x` in turn; returns nanoseconds of one call.
    fn time(&self, kernel: Kernel, x: &[f64], calls: usize, results: &mut [f64]) -> f64;
}

/// A mechanism whose accelerations are timed through the trait, as integrators call them.
struct Linkage<M> {
    name: &'static str,
    mechanism: M,
}

fn linkage<M, E: Debug>(name: &'static str, mechanism: Result<M, E>) -> Box<dyn Case>
where
    M: Mechanism + Describe + 'static,
{
    Box::new(Linkage { name, mechanism: mechanism.expect("constants are valid") })
}

/// The engine of a text, whose imports are in `folder`.
fn engine(text: &str, folder: &str, formulation: Formulation) -> Result<Engine, Failure> {
    Engine::options().formulation(formulation).folder(folder).text(text)
}

impl<M: Mechanism + Describe> Case for Linkage<M> {
    fn name(&self) -> &str {
        self.name
    }

    fn sizes(&self) -> [usize; 3] {
        let sizes = self.mechanism.sizes();
        [sizes.n_q, sizes.n_v, sizes.n_u]
    }

    fn item(&self, is_speed: bool, k: usize) -> String {
        self.mechanism.name(if is_speed { Item::Speed(k) } else { Item::Coordinate(k) }).to_owned()
    }

    fn states(&self, h: f64, x: &mut [f64]) {
        let [n_q, n_v, _] = self.sizes();
        let mut state = State::new(&self.mechanism);
        assemble(&self.mechanism, &mut state).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut stepper = Rk4::new(&self.mechanism, 1e-3_f64.min(h));
        for row in x.chunks_exact_mut(n_q + 2 * n_v) {
            row[..n_q].copy_from_slice(state.q.as_ref());
            row[n_q..][..n_v].copy_from_slice(state.v.as_ref());
            let until = state.t + h;
            stepper
                .advance_to(&self.mechanism, &mut state, until, &mut zero_inputs)
                .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        }
    }

    fn steps(&self, is_projected: bool, h: f64, steps: usize) -> f64 {
        let mut state = State::new(&self.mechanism);
        assemble(&self.mechanism, &mut state).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let stabilization = if is_projected { Stabilization::Projection } else { Stabilization::None };
        let mut stepper = Rk4::new(&self.mechanism, h).with_stabilization(stabilization);
        let start = Instant::now();
        for _ in 0..steps {
            stepper
                .step(&self.mechanism, &mut state, &mut zero_inputs, h)
                .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        }
        let time = start.elapsed().as_nanos() as f64;
        black_box(state);
        time / steps as f64
    }

    fn time(&self, kernel: Kernel, x: &[f64], calls: usize, results: &mut [f64]) -> f64 {
        assert!(kernel == Kernel::Accelerations, "{}: not compared", self.name);
        let [n_q, n_v, _] = self.sizes();
        let (_, _, mut lambda, z, u, _) = self.mechanism.storage();
        timed(x, n_q + 2 * n_v, n_v, calls, results, |row, result| {
            let at = StateView { t: 0.0, q: &row[..n_q], v: &row[n_q..][..n_v], z: z.as_ref(), u: u.as_ref() };
            self.mechanism.accelerations(at, result, lambda.as_mut()).expect("it is regular");
            black_box(&mut lambda);
        })
    }
}

/// Writes the results of all rows, then takes the time of `calls` calls.
fn timed(
    x: &[f64],
    stride: usize,
    n_results: usize,
    calls: usize,
    results: &mut [f64],
    mut run: impl FnMut(&[f64], &mut [f64]),
) -> f64 {
    x.chunks_exact(stride).zip(results.chunks_exact_mut(n_results)).for_each(|(row, result)| run(row, result));
    let n = x.len() / stride;
    let mut scratch = vec![0.0; n_results];
    let (start, mut k) = (Instant::now(), 0);
    for _ in 0..calls {
        run(&x[k * stride..][..stride], &mut scratch);
        black_box(&mut scratch);
        k = if k + 1 < n { k + 1 } else { 0 };
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Derivatives of a robot that is not too long for them.
macro_rules! derivatives {
    (with_derivatives, ($robot:expr, $q:expr, $v:expr, $inputs:expr), $by_q:expr, $by_v:expr) => {
        let found = $robot.derivatives(0.0, $q, $v, &$inputs, &[]).expect("M is regular");
        $by_q.copy_from_slice(found.a_q.as_flattened());
        $by_v.copy_from_slice(found.a_v.as_flattened());
    };
    (without_derivatives, $state:tt, $by_q:expr, $by_v:expr) => {{
        let _ = ($by_q, $by_v, $state);
        unreachable!("not compared");
    }};
}
use derivatives;

/// A robot, whose other kernels are called through its stages, as users call them.
macro_rules! robot {
    ($module:ident, $type:ident, $has_derivatives:ident) => {{
        use $module::$module::{Inputs, NQ, NU, NV};
        struct Robot(Linkage<$module::$type>);

        impl Case for Robot {
            fn name(&self) -> &str {
                self.0.name()
            }

            fn sizes(&self) -> [usize; 3] {
                self.0.sizes()
            }

            fn item(&self, is_speed: bool, k: usize) -> String {
                self.0.item(is_speed, k)
            }

            fn states(&self, h: f64, x: &mut [f64]) {
                self.0.states(h, x);
            }

            fn steps(&self, is_projected: bool, h: f64, steps: usize) -> f64 {
                self.0.steps(is_projected, h, steps)
            }

            fn time(&self, kernel: Kernel, x: &[f64], calls: usize, results: &mut [f64]) -> f64 {
                let robot = &self.0.mechanism;
                let inputs = Inputs::from_array(&[0.0; NU]);
                fn split(row: &[f64]) -> (&[f64; NQ], &[f64; NV], &[f64; NV]) {
                    let [q, v, a] = [&row[..NQ], &row[NQ..NQ + NV], &row[NQ + NV..]];
                    (q.try_into().unwrap(), v.try_into().unwrap(), a.try_into().unwrap())
                }
                match kernel {
                    Kernel::Accelerations => self.0.time(kernel, x, calls, results),
                    Kernel::InverseDynamics => timed(x, NQ + 2 * NV, NV, calls, results, |row, result| {
                        let (q, v, a) = split(black_box(row));
                        let position = robot.at_position(0.0, q);
                        let forces = position.at_velocity(v).inverse_dynamics(a, &inputs, &[]);
                        result.copy_from_slice(&forces);
                    }),
                    Kernel::MassMatrix => timed(x, NQ + 2 * NV, NV * NV, calls, results, |row, result| {
                        let (q, ..) = split(black_box(row));
                        let mass = robot.at_position(0.0, q).mass_matrix();
                        result.copy_from_slice(mass.as_flattened());
                    }),
                    Kernel::Derivatives => timed(x, NQ + 2 * NV, 2 * NV * NV, calls, results, |row, result| {
                        let (q, v, _) = split(black_box(row));
                        let (by_q, by_v) = result.split_at_mut(NV * NV);
                        derivatives!($has_derivatives, (robot, q, v, inputs), by_q, by_v);
                    }),
                }
            }
        }

        let mechanism = $module::$type::new(Default::default()).expect("constants are valid");
        Box::new(Robot(Linkage { name: stringify!($module), mechanism })) as Box<dyn Case>
    }};
}
use robot;

thread_local! {
    // Engines stay on their thread.
    static CASES: &'static [Box<dyn Case>] = all_cases().leak();
}

fn cases() -> &'static [Box<dyn Case>] {
    CASES.with(|cases| *cases)
}

/// Index of a case, or −1.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peers_find(name: *const c_char) -> i32 {
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    cases().iter().position(|case| case.name() == name).map_or(-1, |k| k as i32)
}

/// Writes n_q, n_v and n_u.
///
/// # Safety
/// `sizes` has room for three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peers_sizes(case: i32, sizes: *mut i32) {
    for (k, n) in cases()[case as usize].sizes().into_iter().enumerate() {
        unsafe { *sizes.add(k) = n as i32 };
    }
}

/// Writes the name of coordinate k, or of speed k, and a zero.
///
/// # Safety
/// `text` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peers_item(case: i32, is_speed: i32, k: i32, text: *mut u8, size: i32) {
    let name = cases()[case as usize].item(is_speed != 0, k as usize);
    let n = name.len().min(size as usize - 1);
    unsafe {
        text.copy_from_nonoverlapping(name.as_ptr(), n);
        *text.add(n) = 0;
    }
}

/// Writes n states of a run, `h` \[s\] apart.
///
/// # Safety
/// `x` has room for n rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peers_states(case: i32, n: i32, h: f64, x: *mut f64) {
    let case = &cases()[case as usize];
    let [n_q, n_v, _] = case.sizes();
    case.states(h, unsafe { std::slice::from_raw_parts_mut(x, n as usize * (n_q + 2 * n_v)) });
}

/// Nanoseconds of a call of a kernel, and its results for all rows.
///
/// # Safety
/// `x` has n rows, `results` room for `n_results` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peers_time(
    case: i32,
    kernel: i32,
    x: *const f64,
    n: i32,
    calls: i64,
    results: *mut f64,
    n_results: i64,
) -> f64 {
    let case = &cases()[case as usize];
    let [n_q, n_v, _] = case.sizes();
    let x = unsafe { std::slice::from_raw_parts(x, n as usize * (n_q + 2 * n_v)) };
    let results = unsafe { std::slice::from_raw_parts_mut(results, n_results as usize) };
    case.time(KERNELS[kernel as usize], x, calls as usize, results)
}

/// Nanoseconds of a step of Runge and Kutta's method of order 4, with projection or without stabilisation.
#[unsafe(no_mangle)]
pub extern "C" fn peers_steps(case: i32, is_projected: i32, h: f64, steps: i64) -> f64 {
    cases()[case as usize].steps(is_projected != 0, h, steps as usize)
}
