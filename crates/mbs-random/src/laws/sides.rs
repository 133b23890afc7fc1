//! The compiler, through the interpreter, against the engine.

use mbs_core::rotation::matrix_of;
use mbs_core::{Describe, Eventful, Item, Mechanism};
use mbs_engine::Engine;
use mbs_interp::Interpreted;

use super::jumps::{attitudes_jump, loads_jump, poses};
use super::reactions::{flat, has_reactions, reactions};
use super::{condition, items, right_side, weight};
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::state::{OwnedState, Random, guess};

const LAW: &str = "compiler and engine agree";

/// Relative to the largest value of a quantity, or to the terms of its sum; solutions in units of [`condition`], the growth of the rounding
/// of each entry and of each term of the elimination. Thousands of roundings.
const TOLERANCE: f64 = 1e-12;

/// The quantities of a mechanism that can be compared.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// Whether the guess of coordinates can be compared, and that of speeds.
    pub guess: [bool; 2],
    /// Number of memories, the last auxiliary states; they are compared if the guess of coordinates is.
    pub memories: usize,
    /// Accelerations and solves.
    pub solutions: bool,
    /// Reactions.
    pub reactions: bool,
    /// Whether the values of events depend on accelerations, and whether their rates do.
    pub events_accelerate: [bool; 2],
}

impl Compared {
    /// Quantities to compare for a compiled mechanism. `exact` states that its declared poses are assembled; otherwise Newton's method magnifies
    /// rounding errors.
    pub fn new(interpreted: &Interpreted, exact: bool) -> Self {
        let compiled = interpreted.compiled();
        let known = compiled.model.functions.is_empty();
        let (model, solvable) = (&compiled.model, compiled.checked.solvable);
        Compared {
            guess: [exact, exact && known],
            memories: model.quantities.memories.len(),
            solutions: solvable,
            reactions: has_reactions(interpreted),
            events_accelerate: [0, 1].map(|order| model.events_take_accelerations(order)),
        }
    }
}

/// A mechanism that provides its matrices.
pub trait Side: Describe + Eventful {
    /// G, row-major.
    fn jacobian(&self, at: &OwnedState) -> Vec<f64>;
    /// M, row-major.
    fn mass(&self, at: &OwnedState) -> Vec<f64>;
    /// ν of position and velocity rows.
    fn nu_values(&self, at: &OwnedState) -> Vec<f64>;
    /// γ.
    fn gamma_values(&self, at: &OwnedState) -> Vec<f64>;
    /// Whether a body in natural coordinates is its mirror image, which is no pose.
    fn is_mirrored(&self, _: &OwnedState) -> bool {
        false
    }
}

impl Side for Interpreted {
    fn jacobian(&self, at: &OwnedState) -> Vec<f64> {
        self.constraint_jacobian(at.view())
    }

    fn mass(&self, at: &OwnedState) -> Vec<f64> {
        self.mass_matrix(at.view())
    }

    fn nu_values(&self, at: &OwnedState) -> Vec<f64> {
        self.nu(at.view())
    }

    fn gamma_values(&self, at: &OwnedState) -> Vec<f64> {
        self.gamma(at.view())
    }

    fn is_mirrored(&self, at: &OwnedState) -> bool {
        super::formulations::is_mirrored(self, at)
    }
}

impl Side for Engine {
    fn jacobian(&self, at: &OwnedState) -> Vec<f64> {
        let sizes = self.sizes();
        let mut jacobian = vec![f64::NAN; sizes.n_c * sizes.n_v];
        self.constraint_jacobian(at.view(), &mut jacobian);
        jacobian
    }

    fn mass(&self, at: &OwnedState) -> Vec<f64> {
        let n = self.sizes().n_v;
        let mut mass = vec![f64::NAN; n * n];
        self.mass_matrix(at.view(), &mut mass);
        mass
    }

    fn nu_values(&self, at: &OwnedState) -> Vec<f64> {
        let mut nu = vec![f64::NAN; self.sizes().n_velocity];
        self.nu(at.view(), &mut nu);
        nu
    }

    fn gamma_values(&self, at: &OwnedState) -> Vec<f64> {
        let mut gamma = vec![f64::NAN; self.sizes().n_c];
        self.gamma(at.view(), &mut gamma);
        gamma
    }
}

/// Sizes, names, the guess, and every kernel of two sides agree; `expected` also gives the scales.
///
/// Two quantities are not compared: the guess of speeds where functions are written in Rust, whose values the compiler does not have; and
/// accelerations where bodies lack the mass that dynamics need.
///
/// # Errors
/// The violation, if they do not.
pub fn sides_agree<A: Side, B: Side>(
    got: &A,
    expected: &B,
    compared: Compared,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    if got.sizes() != expected.sizes() {
        return Err(Violation::new(LAW, format!("sizes {:?} and {:?}", got.sizes(), expected.sizes())));
    }
    names(got, expected)?;
    let mut ledger = Ledger::new(LAW, TOLERANCE);
    let (a, b) = (guess(got), guess(expected));
    let comparable = if compared.guess[0] { b.z.len() } else { b.z.len() - compared.memories };
    ledger.record_all("guess of z", &a.z[..comparable], &b.z[..comparable], size(&b.z).max(1.0), &b);
    if compared.guess[0] {
        ledger.record_all("guess of q", &a.q, &b.q, size(&b.q).max(1.0), &b);
    }
    if compared.guess[1] {
        // Speeds are large where rows are nearly dependent, which magnifies rounding errors by as much again.
        ledger.record_all("guess of v", &a.v, &b.v, size(&b.v).max(1.0).powi(2), &b);
    }
    for (k, at) in states.iter().enumerate() {
        let scales = Scales::new(expected, at);
        if loads_jump(expected, at, size(&scales.right[..at.v.len()])) {
            continue;
        }
        equations(got, expected, at, &scales, &mut ledger);
        if compared.solutions {
            solutions(got, expected, at, &scales, &mut Random::new(k as u128), &mut ledger)?;
        }
        reports(got, expected, at, &mut ledger);
        let solved = compared.solutions.then(|| Solved::new(expected, at, &scales)).flatten();
        // Each side solves for the accelerations, which are not compared next to singular poses.
        let moved = solved.as_ref().map(|solved| solved.moved);
        events(
            got,
            expected,
            at,
            compared.events_accelerate.map(|takes| if takes { moved } else { Some(1.0) }),
            &mut ledger,
        );
        // Outputs are defined at any accelerations and multipliers.
        outputs(got, expected, at, &Solved::random(expected, &mut Random::new(k as u128)), &scales, &mut ledger);
        if let Some(solved) = solved.filter(|_| compared.reactions) {
            joints(got, expected, at, &solved, &scales, &mut ledger);
        }
    }
    ledger.settle()
}

/// Names of all items.
fn names<A: Describe, B: Describe>(got: &A, expected: &B) -> Result<(), Violation> {
    let s = expected.sizes();
    for item in items(s) {
        let (a, b) = (got.name(item), expected.name(item));
        if a != b {
            return Err(Violation::new(LAW, format!("{item:?} is called `{a}` and `{b}`")));
        }
        let (a, b) = (got.ends(item), expected.ends(item));
        if a != b {
            return Err(Violation::new(LAW, format!("{item:?} connects {a:?} and {b:?}")));
        }
    }
    let strange = (0..s.n_markers).find(|m| got.marker_body(*m) != expected.marker_body(*m));
    strange.map_or(Ok(()), |m| Err(Violation::new(LAW, format!("marker {m} is on different bodies"))))
}

/// Solutions that exceed the right side by more than this factor belong to states near a singular one.
const NEARLY_SINGULAR: f64 = 1e6;

/// Magnitudes of the terms that values are sums of.
struct Scales {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    right: Vec<f64>,
    /// Largest entry of each row of G, at least 1.
    rows: Vec<f64>,
    /// Speeds and lengths, at least 1.
    speed: f64,
    length: f64,
}

impl Scales {
    fn new<B: Side>(side: &B, at: &OwnedState) -> Self {
        let sizes = side.sizes();
        let (mass, jacobian) = (side.mass(at), side.jacobian(at));
        let mut forces = vec![0.0; sizes.n_v];
        side.generalized_forces(at.view(), &mut forces);
        let right = right_side(&mass, &jacobian, &forces, &side.gamma_values(at), &at.v);
        let rows = (0..sizes.n_c).map(|r| size(&jacobian[r * sizes.n_v..(r + 1) * sizes.n_v]).max(1.0)).collect();
        Scales { mass, jacobian, right, rows, speed: size(&at.v).max(1.0), length: size(&at.q).max(1.0) }
    }
}

fn equations<A: Side, B: Side>(got: &A, expected: &B, at: &OwnedState, scales: &Scales, ledger: &mut Ledger) {
    let sizes = expected.sizes();
    let n = sizes.n_v;
    let mass = got.mass(at);
    for (k, (a, b)) in mass.iter().zip(&scales.mass).enumerate() {
        // The contribution of a body about a joint at its centre of mass is zero relative to the rest.
        ledger.record(&format!("M[{}, {}]", k / n, k % n), *a, *b, weight(&scales.mass), at);
    }
    let jacobian = got.jacobian(at);
    for r in 0..sizes.n_c {
        let row = r * n..(r + 1) * n;
        ledger.record_all(&format!("G[{r}]"), &jacobian[row.clone()], &scales.jacobian[row], scales.rows[r], at);
    }
    let mut rows = |symbol: &str, a: &[f64], b: &[f64], motion: f64| {
        for (r, (a, b)) in a.iter().zip(b).enumerate() {
            ledger.record(&format!("{symbol}[{r}]"), *a, *b, scales.rows[r] * motion, at);
        }
    };
    rows("nu", &got.nu_values(at), &expected.nu_values(at), scales.speed);
    rows("gamma", &got.gamma_values(at), &expected.gamma_values(at), scales.speed.powi(2));
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; sizes.n_position]);
    got.position_residuals(at.view(), &mut a);
    expected.position_residuals(at.view(), &mut b);
    rows("phi", &a, &b, scales.length);
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; sizes.n_velocity]);
    got.velocity_residuals(at.view(), &mut a);
    expected.velocity_residuals(at.view(), &mut b);
    rows("psi", &a, &b, scales.speed);
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; n]);
    got.generalized_forces(at.view(), &mut a);
    expected.generalized_forces(at.view(), &mut b);
    let floor = size(&scales.right[..n]);
    for i in 0..n {
        ledger.record(&format!("Q[{i}]"), a[i], b[i], floor, at);
    }
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; n]);
    got.velocity_forces(at.view(), &mut a);
    expected.velocity_forces(at.view(), &mut b);
    ledger.record_all("velocity forces", &a, &b, floor, at);
}

/// Accelerations and multipliers, and the errors that they may cause in forces.
struct Solved {
    a: Vec<f64>,
    lambda: Vec<f64>,
    loads: f64,
    /// Error of the solution, in units of the tolerance.
    moved: f64,
}

impl Solved {
    /// The solution of one side; `None` near singular states. (At other values, reactions of joints of the tree contain the residual of the
    /// equations of motion in the directions of their degrees of freedom.)
    fn new<B: Side>(side: &B, at: &OwnedState, scales: &Scales) -> Option<Self> {
        let n = at.v.len();
        let solution = accelerated(side, at)?;
        if size(&solution) > NEARLY_SINGULAR * size(&scales.right).max(1.0) {
            return None;
        }
        let moved = condition(&scales.mass, &scales.jacobian, &scales.right, &solution);
        // Masses times the error of accelerations, and rows times the error of multipliers, times arms.
        let loads = weight(&scales.mass) * size(&moved[..n]) + size(&scales.jacobian) * size(&moved[n..]);
        let (a, lambda) = solution.split_at(n);
        Some(Solved { a: a.to_vec(), lambda: lambda.to_vec(), loads: loads * scales.length, moved: size(&moved) })
    }

    fn random<B: Side>(side: &B, random: &mut Random) -> Self {
        let sizes = side.sizes();
        Solved { a: random.vector(sizes.n_v, 5.0), lambda: random.vector(sizes.n_c, 5.0), loads: 1.0, moved: 1.0 }
    }
}

/// Reactions at the accelerations and multipliers of one side.
fn joints<A: Side, B: Side>(
    got: &A,
    expected: &B,
    at: &OwnedState,
    solved: &Solved,
    scales: &Scales,
    ledger: &mut Ledger,
) {
    let lists = [reactions(got, at, &solved.a, &solved.lambda), reactions(expected, at, &solved.a, &solved.lambda)];
    for (j, (got, other)) in lists[0].iter().zip(&lists[1]).enumerate() {
        let name = expected.name(Item::Joint(j));
        let (got, other) = (flat(got), flat(other));
        ledger.record_all(&format!("point of {name}"), &got[..3], &other[..3], scales.length, at);
        let loads = solved.loads.max(weight(&scales.mass));
        ledger.record_all(&format!("reaction of {name}"), &got[3..], &other[3..], loads, at);
    }
}

/// Outputs at these accelerations and multipliers. Accelerations of points are sums of accelerations and of squares of speeds.
fn outputs<A: Side, B: Side>(
    got: &A,
    expected: &B,
    at: &OwnedState,
    solved: &Solved,
    scales: &Scales,
    ledger: &mut Ledger,
) {
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; expected.sizes().n_outputs]);
    got.outputs(at.view(), &solved.a, &solved.lambda, &mut a);
    expected.outputs(at.view(), &solved.a, &solved.lambda, &mut b);
    for i in 0..a.len() {
        ledger.record(expected.name(Item::Output(i)), a[i], b[i], solved.loads.max(scales.speed.powi(2)), at);
    }
}

/// Accelerations, multipliers and solves.
fn solutions<A: Side, B: Side>(
    got: &A,
    expected: &B,
    at: &OwnedState,
    scales: &Scales,
    random: &mut Random,
    ledger: &mut Ledger,
) -> Result<(), Violation> {
    let (n, n_c) = (at.v.len(), expected.sizes().n_c);
    let mut record = |names: [&str; 2], a: Option<Vec<f64>>, b: Option<Vec<f64>>, right: &[f64]| {
        let (Some(a), Some(b)) = (&a, &b) else {
            // One side may detect a singular pose where the other returns rounding errors.
            let found = a.or(b).filter(|x| {
                let moved = condition(&scales.mass, &scales.jacobian, right, x);
                !(size(&moved) > 1e9 * size(x))
            });
            return found
                .map_or(Ok(()), |_| Err(Violation::new(LAW, format!("only one solves for {} at {at:?}", names[0]))));
        };
        if size(b) > NEARLY_SINGULAR * size(right).max(1.0) {
            // The relative error exceeds the tolerance.
            return Ok(());
        }
        let moved = condition(&scales.mass, &scales.jacobian, right, b);
        for i in 0..n + n_c {
            let name = if i < n { format!("{}[{i}]", names[0]) } else { format!("{}[{}]", names[1], i - n) };
            ledger.record(&name, a[i], b[i], moved[i], at);
        }
        Ok(())
    };
    record(["a", "lambda"], accelerated(got, at), accelerated(expected, at), &scales.right)?;
    let right = random.vector(n + n_c, 2.0);
    record(["x", "mu"], solved(got, at, &right), solved(expected, at, &right), &right)
}

/// a and λ; `None` at singular states.
fn accelerated<M: Mechanism>(mechanism: &M, at: &OwnedState) -> Option<Vec<f64>> {
    super::accelerations(mechanism, at).map(|(a, lambda)| [a, lambda].concat())
}

fn solved<M: Mechanism>(mechanism: &M, at: &OwnedState, right: &[f64]) -> Option<Vec<f64>> {
    let sizes = mechanism.sizes();
    let (mut x, mut mu) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let (f, g) = right.split_at(sizes.n_v);
    mechanism.solve(at.view(), f, g, &mut x, &mut mu).ok()?;
    Some([x, mu].concat())
}

/// Poses, markers, Jacobians of bodies, ż, energies, `initial` conditions.
fn reports<A: Side, B: Side>(got: &A, expected: &B, at: &OwnedState, ledger: &mut Ledger) {
    let sizes = expected.sizes();
    let speed = size(&at.v).max(1.0);
    let (a, b) = (poses(got, at), poses(expected, at));
    let is_mirrored = got.is_mirrored(at) || expected.is_mirrored(at);
    let attitudes_jump = attitudes_jump(expected, at);
    for ((a, b), jump) in a.iter().zip(&b).zip(attitudes_jump.chunks(4)) {
        ledger.record_all("positions of bodies", &a.position, &b.position, 1.0, at);
        if is_mirrored {
            continue;
        }
        if expected.is_spatial() {
            // Both signs are the same attitude.
            let [a, b] = [a, b].map(|pose| matrix_of(pose.attitude));
            ledger.record_all("attitudes of bodies", a.as_flattened(), b.as_flattened(), 1.0, at);
        } else if !jump.contains(&true) {
            ledger.record_all("attitudes of bodies", &a.attitude, &b.attitude, 1.0, at);
        }
    }
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; sizes.n_q]);
    got.coordinate_rates(at.t, &at.q, &at.v, &mut a);
    expected.coordinate_rates(at.t, &at.q, &at.v, &mut b);
    ledger.record_all("rates of q", &a, &b, speed, at);
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![[x; 3]; sizes.n_markers]);
    got.marker_positions(at.view(), &mut a);
    expected.marker_positions(at.view(), &mut b);
    ledger.record_all("markers", a.as_flattened(), b.as_flattened(), 1.0, at);
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; 6 * sizes.n_bodies * sizes.n_v]);
    got.body_jacobians(at.view(), &mut a);
    expected.body_jacobians(at.view(), &mut b);
    ledger.record_all("body Jacobians", &a, &b, 1.0, at);
    let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; sizes.n_z]);
    got.auxiliary_rates(at.view(), &mut a);
    expected.auxiliary_rates(at.view(), &mut b);
    ledger.record_all("rates of z", &a, &b, speed, at);
    let [mut a, mut b] = [at.z.clone(), at.z.clone()];
    got.remember(at.t, &at.q, &mut a);
    expected.remember(at.t, &at.q, &mut b);
    ledger.record_all("memories", &a, &b, size(&b).max(1.0), at);
    let (a, b) = (got.energy(at.view()), expected.energy(at.view()));
    ledger.record("kinetic energy", a.kinetic, b.kinetic, speed * speed, at);
    ledger.record("potential energy", a.potential, b.potential, 10.0, at);
    for c in 0..sizes.n_conditions + sizes.n_event_conditions {
        let [mut a, mut b] = [f64::NAN, 0.0].map(|x| vec![x; sizes.n_v]);
        let (x, y) = (got.initial_condition(c, at.view(), &mut a), expected.initial_condition(c, at.view(), &mut b));
        let name = expected.name(Item::Condition(c));
        ledger.record(&format!("initial {name}"), x.residual, y.residual, size(&b).max(1.0) * speed, at);
        let levels = [x.level, y.level].map(|level| f64::from(u8::from(level == mbs_core::Level::Position)));
        ledger.record(&format!("level of {name}"), levels[0], levels[1], 0.0, at);
        ledger.record_all(&format!("gradient of {name}"), &a, &b, size(&b).max(1.0), at);
    }
}

/// Compares values, rates and assignments of events. `moved` is the error that accelerations may cause in values and assignments, and in rates; those
/// without it are not compared.
fn events(
    got: &impl Eventful,
    expected: &impl Eventful,
    at: &OwnedState,
    moved: [Option<f64>; 2],
    ledger: &mut Ledger,
) {
    let sizes = expected.sizes();
    let [mut a, mut b] = [0.5, 0.0].map(|x| vec![x; sizes.n_events]);
    let known = |x: &f64| if x.is_nan() { 0.0 } else { *x };
    let speed = size(&at.v).max(1.0);
    if got.event_values(at.view(), &mut a).is_ok() && expected.event_values(at.view(), &mut b).is_ok() {
        let off = |values: &[f64]| -> Vec<f64> { values.iter().map(|x| f64::from(u8::from(x.is_nan()))).collect() };
        ledger.record_all("events switched off", &off(&a), &off(&b), 0.0, at);
        let [a, b] = [&a, &b].map(|values| values.iter().map(known).collect::<Vec<_>>());
        if let Some(moved) = moved[0] {
            ledger.record_all("values of events", &a, &b, size(&b).max(moved).max(1.0), at);
        }
    }
    if got.event_rates(at.view(), &mut a).is_ok() && expected.event_rates(at.view(), &mut b).is_ok() {
        let [a, b] = [&a, &b].map(|rates| rates.iter().map(known).collect::<Vec<_>>());
        if let Some(moved) = moved[1] {
            ledger.record_all("rates of events", &a, &b, size(&b).max(speed).max(moved), at);
        }
    }
    for event in 0..sizes.n_events {
        let conditions = expected.event(event).conditions;
        let [mut a, mut b] = [0.5, 0.0].map(|x| (at.z.clone(), vec![x; conditions]));
        let solved = got.event_assignments(event, at.view(), &mut a.0, &mut a.1).is_ok()
            && expected.event_assignments(event, at.view(), &mut b.0, &mut b.1).is_ok();
        if let Some(moved) = moved[0].filter(|_| solved) {
            ledger.record_all("assigned states", &a.0, &b.0, size(&b.0).max(moved).max(1.0), at);
            ledger.record_all("targets of an event", &a.1, &b.1, size(&b.1).max(moved).max(speed), at);
        }
    }
}
