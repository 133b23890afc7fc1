//! Evaluations of an engine allocate nothing: a counting allocator wraps the system's.
#![allow(unsafe_code, missing_docs)] // an allocator is unsafe to implement

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use mbs_core::{Describe, Error, Eventful, Item, Mechanism, Pose, Reaction, Sizes, State, StateView, assemble};
use mbs_engine::Engine;
use mbs_expr::FunctionSource;
use mbs_model::Formulation;
use mbs_physics::Placement;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Buffers for the results of every method.
struct Results {
    sizes: Sizes,
    q: Vec<f64>,
    rates: Vec<f64>,
    forces: Vec<f64>,
    targets: Vec<f64>,
    x: Vec<f64>,
    mu: Vec<f64>,
    z: Vec<f64>,
    outputs: Vec<f64>,
    events: Vec<f64>,
    targets_of_events: Vec<f64>,
    poses: Vec<Pose>,
    reactions: Vec<Reaction>,
    markers: Vec<[f64; 3]>,
    bodies: Vec<f64>,
    jacobian: Vec<f64>,
    mass: Vec<f64>,
}

impl Results {
    fn new(sizes: Sizes) -> Results {
        let Sizes { n_q, n_v, n_c, n_z, .. } = sizes;
        let zeros = |n: usize| vec![0.0; n];
        Results {
            sizes,
            q: zeros(n_q),
            rates: zeros(n_q),
            forces: zeros(n_v),
            targets: zeros(n_c),
            x: zeros(n_v),
            mu: zeros(n_c),
            z: zeros(n_z),
            outputs: zeros(sizes.n_outputs),
            events: zeros(sizes.n_events),
            targets_of_events: zeros(sizes.n_event_conditions),
            poses: vec![Pose::planar(0.0, 0.0, 0.0); sizes.n_bodies],
            reactions: vec![Reaction::default(); sizes.n_joints],
            markers: vec![[0.0; 3]; sizes.n_markers],
            bodies: zeros(6 * sizes.n_bodies * n_v),
            jacobian: zeros(n_c * n_v),
            mass: zeros(n_v * n_v),
        }
    }
}

/// A method, by its name, called once.
type Call<'a> = (&'static str, &'a mut dyn FnMut(&Engine, StateView<'_>, &mut Results));

/// Calls every method of [`Engine`] that evaluates: all of [`Mechanism`] but `storage`, which allocates, and `ends`, which recorders
/// call once; and in natural coordinates but `guess`, which begins a run.
fn assert_silent(label: &str, engine: &Engine, at: StateView<'_>) {
    let mut results = Results::new(engine.sizes());
    let calls: &mut [Call<'_>] = &mut [
        ("sizes", &mut |m, _, r| r.sizes = m.sizes()),
        ("guess", &mut |m, _, r| m.guess(&mut r.q, &mut r.x, &mut r.z)),
        ("accelerations", &mut |m, at, r| ignore(m.accelerations(at, &mut r.x, &mut r.mu))),
        ("outputs", &mut |m, at, r| m.outputs(at, &r.x, &r.mu, &mut r.outputs)),
        ("generalized_forces", &mut |m, at, r| m.generalized_forces(at, &mut r.forces)),
        ("velocity_forces", &mut |m, at, r| m.velocity_forces(at, &mut r.forces)),
        ("reactions", &mut |m, at, r| m.reactions(at, &r.x, &r.mu, &mut r.reactions)),
        ("gamma", &mut |m, at, r| m.gamma(at, &mut r.targets)),
        ("solve", &mut |m, at, r| ignore(m.solve(at, &r.forces, &r.targets, &mut r.x, &mut r.mu))),
        ("position_residuals", &mut |m, at, r| m.position_residuals(at, &mut r.mu[..r.sizes.n_position])),
        ("velocity_residuals", &mut |m, at, r| {
            m.velocity_residuals(at, &mut r.mu[..r.sizes.n_velocity]);
        }),
        ("coordinate_rates", &mut |m, at, r| m.coordinate_rates(at.t, at.q, at.v, &mut r.rates)),
        ("retract", &mut |m, at, r| m.retract(at.t, &mut r.q, at.v, &mut r.rates)),
        ("normalize", &mut |m, _, r| m.normalize(&mut r.q)),
        ("auxiliary_rates", &mut |m, at, r| m.auxiliary_rates(at, &mut r.z)),
        ("energy", &mut |m, at, r| r.rates.fill(m.energy(at).kinetic)),
        ("poses", &mut |m, at, r| m.poses(at, &mut r.poses)),
        ("marker_positions", &mut |m, at, r| m.marker_positions(at, &mut r.markers)),
        ("marker_body", &mut |m, _, r| (0..r.sizes.n_markers).for_each(|i| ignore(m.marker_body(i)))),
        ("body_jacobians", &mut |m, at, r| m.body_jacobians(at, &mut r.bodies)),
        ("initial_condition", &mut |m, at, r| {
            (0..r.sizes.n_conditions).for_each(|i| ignore(m.initial_condition(i, at, &mut r.forces)));
        }),
        ("event_values", &mut |m, at, r| ignore(m.event_values(at, &mut r.events))),
        ("event_rates", &mut |m, at, r| ignore(m.event_rates(at, &mut r.events))),
        ("event_assignments", &mut |m, at, r| {
            for event in 0..r.sizes.n_events {
                let conditions = m.event(event).conditions;
                ignore(m.event_assignments(event, at, &mut r.z, &mut r.targets_of_events[..conditions]));
            }
        }),
        ("name", &mut |m, _, r| (0..r.sizes.n_q).for_each(|i| ignore(m.name(Item::Coordinate(i))))),
        ("constraint_jacobian", &mut |m, at, r| m.constraint_jacobian(at, &mut r.jacobian)),
        ("mass_matrix", &mut |m, at, r| m.mass_matrix(at, &mut r.mass)),
        ("nu", &mut |m, at, r| m.nu(at, &mut r.mu)),
    ];
    // Revolutions at the start of a run are counted by the formulas of the physics.
    let starts = engine.tree().placements.contains(&Placement::Natural);
    for (name, call) in calls.iter_mut().filter(|(name, _)| !(starts && *name == "guess")) {
        assert_eq!(allocations(|| call(engine, at, &mut results)), 0, "{label}: {name}");
    }
}

/// Ignores a result: evaluations that fail must not allocate either.
fn ignore<R>(result: R) {
    let _ = result;
}

/// Every method at the declared pose and away from it, at rest and in motion.
fn assert_never_allocates(label: &str, engine: &Engine) {
    let mut state = State::new(engine);
    assemble(engine, &mut state).unwrap_or_else(|error| panic!("{label}: {error}"));
    let u = vec![0.3; engine.sizes().n_u];
    assert_silent(label, engine, state.view(&u));
    let wave = |x: &mut [f64]| x.iter_mut().enumerate().for_each(|(i, x)| *x += 0.1 * (1.7 * i as f64).cos());
    wave(&mut state.q);
    wave(&mut state.v);
    wave(&mut state.z);
    state.t = 0.2;
    assert_silent(&format!("{label}, displaced"), engine, state.view(&u));
}

fn build_engine(label: &str, text: &str, formulation: Formulation) -> Engine {
    let mut options = Engine::options().formulation(formulation);
    // Functions written in Rust: values do not matter here.
    let parsed = mbs_syntax::parse_text(label, text);
    let model = mbs_resolve::resolve(&parsed.definitions[0]).unwrap_or_else(|errors| panic!("{label}: {errors:?}"));
    for function in model.functions.iter().filter(|f| f.source() == FunctionSource::Rust) {
        options = options.function_of_many(&function.name, |x, values| values.fill(x[0]));
    }
    options.text(text).unwrap_or_else(|failure| panic!("{label}: {failure}"))
}

fn assert_formulations_never_allocate(label: &str, text: &str) {
    for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
        let label = format!("{label} ({formulation:?})");
        assert_never_allocates(&label, &build_engine(&label, text, formulation));
    }
}

fn mechanism(stem: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../mechanisms/{stem}.mbs"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0; 10]))), 1);
}

/// Loops, open trees, particles, ground that moves, expressions, auxiliary states, functions in Rust, massless bodies.
#[test]
fn no_mechanism_allocates_in_an_evaluation() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
    let mut files: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mbs"));
    files.sort();
    for path in files {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert_formulations_never_allocate(&stem, &mechanism(&stem));
    }
}

#[test]
fn twenty_four_bars_never_allocate() {
    assert_formulations_never_allocate(
        "twenty four-bars",
        &mechanism("n_four_bar_2").replace("const N = 2;", "const N = 20;"),
    );
}

/// A bar, and next to it a body in joint coordinates.
#[test]
fn a_bar_never_allocates() {
    let text = "pub spatial Rods {
    gravity: [0, 0, -9.81];
    body plate { mass: 2, inertia: [1, 1, 1.5], coordinates: joint }
    joint post = revolute(ground, plate) { axis: [0, 0, 1] };
    body rod { mass: 1, inertia: [0, 0.1, 0.1], com: [0.5, 0, 0], position: [1, 0, 0], coordinates: natural { points: [[0, 0, 0], [1, 0, 0]] } }
    joint end = spherical(plate at [1, 0, 0], rod);
    force wind = point_force(rod at [0.3, 0, 0]) { force: [0, sin(t), 1] in ground };
}";
    assert_never_allocates("bar", &Engine::text(text).unwrap_or_else(|failure| panic!("{failure}")));
}

/// A function that is set at run time, in a load, in a row and with a constant argument that moves no body.
#[test]
fn setting_a_function_allocates_nothing() {
    let text = "pub planar Bead {
    function road: CubicSpline<4> = spline([0, 1, 2, 3], [0, 0.2, 0.1, 0]);
    particle bead { mass: 1, position: [1, 0.2] }
    joint free = free(ground, bead);
    constraint wire = position(bead).y == road(position(bead).x);
    force push = point_force(bead) { force: [road(t), 0] };
}";
    for formulation in [Formulation::Body, Formulation::Joint] {
        let mut engine = build_engine("bead", text, formulation);
        let spline = mbs_core::CubicSpline::new([0.0, 1.0, 2.0, 3.0], [0.3, 0.0, 0.1, 0.2]).unwrap();
        let (mut a, mut lambda) = ([0.0; 2], [0.0]);
        let at = StateView { t: 0.5, q: &[1.0, 0.0], v: &[0.0; 2], z: &[], u: &[] };
        let silent = allocations(|| {
            engine.set_function("road", &spline).unwrap();
            engine.accelerations(at, &mut a, &mut lambda).unwrap();
        });
        assert_eq!(silent, 0);
        // In the direction of the tangent (1, s): (1 + s²) a_x = f.
        let [s, f] = [spline.derivatives(1.0)[1], spline.value(0.5)];
        assert!((a[0] - f / (1.0 + s * s)).abs() <= 1e-14, "{a:?}");
    }
}

/// Articulated bodies.
#[test]
fn an_open_chain_never_allocates() {
    let text = "pub planar Chain {
    const N = 20;
    gravity: [0, -9.81];
    for i in 0..N { body link[i] { mass: 0.3, inertia: 0.001, com: [0.1, 0], angle: 0.1 * i } }
    joint hook = revolute(ground, link[0]);
    for i in 0..N - 1 { joint pin[i] = revolute(link[i] at [0.2, 0], link[i + 1]); }
}";
    assert_formulations_never_allocate("open chain", text);
}

/// A net of 400 particles and 760 rods: L has too many entries for packed columns, so that faer factors it.
#[test]
fn a_net_never_allocates() {
    let text = "pub planar Net {
    const K = 20;
    gravity: [0, -9.81];
    for i in 0..K { for j in 0..K {
        particle knot[i * K + j] { mass: 0.1, position: [i + 0.1 * sin(3 * j), j + 0.1 * cos(5 * i)] }
    } }
    for i in 0..K - 1 { for j in 0..K {
        joint across[i * K + j] = distance(knot[i * K + j], knot[(i + 1) * K + j]) {
            length: norm([1, 0.1 * (cos(5 * i + 5) - cos(5 * i))])
        };
    } }
    for i in 0..K { for j in 0..K - 1 {
        joint along[i * K + j] = distance(knot[i * K + j], knot[i * K + j + 1]) {
            length: norm([0.1 * (sin(3 * j + 3) - sin(3 * j)), 1])
        };
    } }
}";
    assert_never_allocates("net", &build_engine("net", text, Formulation::Body));
}

/// A parallelogram whose bars are in line has dependent rows: a pivot vanishes, and the dense fallback fails, too.
#[test]
fn a_refused_evaluation_allocates_nothing() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let engine = build_engine("in line", &mechanism("n_four_bar_1"), formulation);
        let mut state = State::new(&engine);
        let coordinates = match formulation {
            // Two links and the coupler, which all lie on the x axis: x, y, θ each.
            Formulation::Body => vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            _ => vec![0.0; engine.sizes().n_q],
        };
        state.q.copy_from_slice(&coordinates);
        let (mut a, mut lambda) = (vec![0.0; engine.sizes().n_v], vec![0.0; engine.sizes().n_c]);
        let refused = engine.accelerations(state.view(&[]), &mut a, &mut lambda);
        assert!(matches!(refused, Err(Error::Singular { .. })), "{refused:?}");
        assert_silent("in line", &engine, state.view(&[]));
    }
}
