//! The checks, the guess of a run and derivatives on numbers alone, against the compiler's graph and against differences.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mbs::{Describe, Item, Mechanism, State, StateView};
use mbs_check::{check, declared_pose, guessed_start, jacobian_speeds, numeric_sample};
use mbs_compiler::compile::Compiled;
use mbs_compiler::derive::derive;
use mbs_compiler::graph::Graph;
use mbs_compiler::sampler::Sampler;
use mbs_expr::{CalledFunction, ExprId, FunctionSource, Series, StandIn};
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Model, RowLevel};
use mbs_physics::linear::SparseRow;
use mbs_physics::{Mechanics, Tree, default_variables};

use crate::mechanisms::harness::{FORMULATIONS, Random, compiled_fma, corpus, seed, size};

/// Every mechanism of the corpus in every formulation.
fn for_each(test: impl FnMut(&str, &Interpreted)) {
    for_files(&crate::mechanisms::harness::files(), test);
}

/// The mechanisms of some files in every formulation.
fn for_files(files: &[PathBuf], mut test: impl FnMut(&str, &Interpreted)) {
    for path in files {
        for formulation in FORMULATIONS {
            let stem = crate::mechanisms::harness::stem_of(path);
            test(&format!("{stem} ({formulation:?})"), corpus(&stem, formulation, compiled_fma()));
        }
    }
}

/// Every mechanism of a text in every formulation.
fn for_text(label: &str, text: &str, mut test: impl FnMut(&str, &Interpreted)) {
    for formulation in FORMULATIONS {
        let label = format!("{label} ({formulation:?})");
        test(&label, &crate::mechanisms::harness::interpret(&label, text, Some(formulation), compiled_fma()));
    }
}

/// The model without the functions in Rust that are bound to it.
fn without_functions(model: &Model) -> Model {
    let mut model = model.clone();
    for f in model.functions.iter_mut().filter(|f| f.source() == FunctionSource::Rust) {
        let derivatives = f.derivatives().unwrap_or(0);
        *f = CalledFunction::rust(f.name.clone(), f.origin, f.docs.clone(), f.arguments, f.shape, derivatives);
    }
    model
}

fn assert_close(label: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len(), "{label}");
    let miss = got.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(miss <= tolerance, "{label}: {got:?} instead of {expected:?}");
}

/// Asserts equal results of the checks. Newton's iteration stops at rounding, which an ill-conditioned pose amplifies: 1e-9 for the pose; all other
/// results are discrete.
fn assert_same_checks(label: &str, interpreted: &Interpreted) {
    let Compiled { model, tree, checked, .. } = interpreted.compiled();
    let found = check(model, tree, &declared_pose(model, tree), &numeric_sample(model, tree))
        .expect("what compiles passes its checks");
    assert_close(label, &found.q, &checked.q, 1e-9);
    assert_close(label, &found.assembled, &checked.assembled, 1e-9);
    let decided = |c: &mbs_check::Checked| (c.freedoms, c.undriven, c.solvable);
    assert_eq!(decided(&found), decided(checked), "{label}");
    assert_close(label, &[found.mass_scale], &[checked.mass_scale], 1e-12 * checked.mass_scale);
}

#[test]
fn the_checks_find_the_same_without_a_graph() {
    for_each(|label, interpreted| {
        // The compiler does not move rows that it cannot evaluate.
        if interpreted.compiled().model.functions.is_empty() {
            assert_same_checks(label, interpreted);
        }
    });
}

/// Asserts equal samples to 1e-12 of the largest entry of a row, and of that times the state: tens of roundings.
fn assert_same_samples(label: &str, interpreted: &Interpreted) {
    let Compiled { model, tree, checked, .. } = interpreted.compiled();
    // The sample by the compiler's graph.
    let unbound = without_functions(model);
    let model = &*unbound.with_stand_ins(StandIn::Generic);
    let graph = Graph::new();
    let equations = derive(&graph, model, tree);
    let sampler = Sampler::new(&graph, model, tree, &equations);
    let numeric = numeric_sample(model, tree);
    let mut random = Random::new(seed(label));
    for spread in [0.0, 0.01, 0.3, 1.5] {
        let q: Vec<f64> = checked.assembled.iter().map(|q| q + spread * random.next_number()).collect();
        for guesses in [false, true] {
            let (got, expected) =
                (numeric(&q, guesses), sampler.sample(&q, &jacobian_speeds(model, tree, &q, 0.0), guesses));
            let label = format!("{label} at {q:?}");
            assert_eq!(got.conditions.len(), expected.conditions.len(), "{label}");
            let rows = got.jacobian.iter().chain(&got.mass).chain(got.conditions.iter().map(|c| &c.1));
            let others = expected.jacobian.iter().chain(&expected.mass).chain(expected.conditions.iter().map(|c| &c.1));
            rows.zip(others).for_each(|(got, expected)| assert_same_row(&label, got, expected));
            let residuals = got.phi.iter().zip(&got.jacobian).chain(got.conditions.iter().map(|c| (&c.0, &c.1)));
            let others = expected.phi.iter().chain(expected.conditions.iter().map(|c| &c.0));
            for ((got, row), expected) in residuals.zip(others) {
                assert_close(&label, &[*got], &[*expected], 1e-12 * largest(row).max(1.0) * size(&q).max(1.0));
            }
        }
    }
}

/// Asserts equal entries; the graph may omit entries that always vanish, which the numeric row has as zeros.
fn assert_same_row(label: &str, got: &SparseRow, expected: &SparseRow) {
    for i in got.keys().chain(expected.keys()) {
        let at = |row: &SparseRow| row.get(i).copied().unwrap_or(0.0);
        let miss = (at(got) - at(expected)).abs();
        assert!(miss <= 1e-12 * largest(expected), "{label}: {got:?} instead of {expected:?}");
    }
}

fn largest(row: &SparseRow) -> f64 {
    row.values().fold(0.0, |largest, x| x.abs().max(largest))
}

#[test]
fn samples_are_those_of_the_graph() {
    for_each(assert_same_samples);
}

#[test]
fn the_guessed_speeds_satisfy_the_rows_and_fixed_conditions() {
    for_each(|label, interpreted| {
        let Compiled { model, tree, .. } = interpreted.compiled();
        let sizes = interpreted.sizes();
        // The pose is accurate to 1e-9, and rows are solved to rounding.
        let checked = check(model, tree, &declared_pose(model, tree), &numeric_sample(model, tree))
            .expect("what compiles passes its checks");
        let speeds = guessed_start(model, tree, &checked.assembled).speeds;
        let (mut psi, State { z, .. }) = (vec![0.0; sizes.n_velocity], State::new(interpreted));
        let u = vec![0.0; sizes.n_u];
        let at = StateView { t: 0.0, q: &checked.q, v: &speeds, z: &z, u: &u };
        interpreted.velocity_residuals(at, &mut psi);
        assert_close(label, &psi, &vec![0.0; psi.len()], 1e-9 * (1.0 + size(&speeds)));
        for c in 0..sizes.n_conditions {
            let condition = interpreted.initial_condition(c, at, &mut vec![0.0; sizes.n_v]);
            assert_close(label, &[condition.residual], &[0.0], 1e-9 * (1.0 + size(&speeds)));
        }
    });
}

/// Speeds by name.
fn speeds(interpreted: &Interpreted) -> BTreeMap<String, f64> {
    let speeds = interpreted.compiled().speeds.iter().enumerate();
    speeds.map(|(i, v)| (interpreted.name(Item::Speed(i)).to_owned(), *v)).collect()
}

#[test]
fn speeds_are_guessed_in_order_of_authority() {
    let text = "planar M {
        body crank { mass: 1, inertia: 1, com: [0.5, 0], angle: 0.3 }
        joint pin = revolute(ground, crank);
        drive spin = pin.angle == 0.3 + 2 * t;
        body wheel { mass: 1, inertia: 1, velocity: [5, 6] }
        joint loose = free(ground, wheel);
        particle stone { mass: 1, position: [1, 2], velocity: [3, 4] }
        joint flight = free(ground, stone);
        initial velocity(wheel).x = 7;
        initial pin.rate ~ 9, loose.rate ~ 8, velocity(stone).y ~ 1;
    }";
    let model = |formulation| crate::mechanisms::harness::interpret("speeds", text, Some(formulation), compiled_fma());
    let named = |list: &[(&str, f64)]| list.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect::<BTreeMap<_, _>>();
    let rounded = |speeds: BTreeMap<String, f64>| {
        speeds.into_iter().map(|(n, v)| (n, (v * 1e9).round() / 1e9)).collect::<BTreeMap<_, _>>()
    };
    let joint = rounded(speeds(&model(Formulation::Joint)));
    assert_eq!(
        joint,
        named(&[
            ("pin.rate", 2.0),
            ("loose.velocity[0]", 7.0),
            ("loose.velocity[1]", 6.0),
            ("loose.rate", 8.0),
            ("flight.velocity[0]", 3.0),
            ("flight.velocity[1]", 1.0),
        ])
    );
    let body = rounded(speeds(&model(Formulation::Body)));
    for (name, of_joint) in [
        ("crank.rate", "pin.rate"),
        ("wheel.vx", "loose.velocity[0]"),
        ("wheel.vy", "loose.velocity[1]"),
        ("wheel.rate", "loose.rate"),
        ("stone.vx", "flight.velocity[0]"),
        ("stone.vy", "flight.velocity[1]"),
    ] {
        assert_eq!(body[name], joint[of_joint], "{name}");
    }
}

#[test]
fn rates_of_rates_of_time_are_known_to_any_depth() {
    // sin + cos, differentiated n times: (value, rate) at t = 0 go round (1, 1), (1, −1), (−1, −1), (−1, 1).
    for (n, angle, rate) in [(0, 1.0, 1.0), (1, 1.0, -1.0), (2, -1.0, -1.0), (3, -1.0, 1.0), (6, -1.0, -1.0)] {
        let wave = format!("{}sin(t) + cos(t){}", "rate(".repeat(n), ")".repeat(n));
        let text = format!(
            "planar M {{ body b {{ mass: 1, inertia: 1 }} joint pin = revolute(ground, b); drive d = pin.angle == {wave}; }}"
        );
        for_text(&wave, &text, |label, interpreted| {
            assert_same_samples(label, interpreted);
            assert_same_checks(label, interpreted);
            let compiled = interpreted.compiled();
            let last = |list: &[f64]| *list.last().expect("it has a coordinate");
            assert_close(label, &[last(&compiled.checked.q), last(&compiled.speeds)], &[angle, rate], 1e-12);
        });
    }
}

#[test]
fn functions_written_in_rust_take_part_once_they_are_bound() {
    let text = "planar M {
        function lift: opaque(2);
        body cam { mass: 1, inertia: 1, angle: 0.2 }
        body tappet { mass: 1, inertia: 1 }
        joint shaft = revolute(ground, cam);
        joint guide = prismatic(ground, tappet) { axis: [0, 1] };
        constraint follows = guide.position == 0.5 + lift(shaft.angle);
        initial shaft.angle = 0.2, shaft.rate = 3;
        freedoms: 1;
    }";
    let mut model = mbs_resolve::resolve(&mbs_syntax::parse_text("m.mbs", text).definitions[0]).expect("it resolves");
    model.bind("lift", |x, values| values.copy_from_slice(&[x.sin(), x.cos(), -x.sin()])).expect("it is declared");
    let tree = Tree::new(&model);
    let checked =
        check(&model, &tree, &declared_pose(&model, &tree), &numeric_sample(&model, &tree)).expect("it assembles");
    assert_close("poses", &checked.q, &[0.2, 0.5 + 0.2_f64.sin()], 1e-9);
    let speeds = guessed_start(&model, &tree, &checked.assembled).speeds;
    assert_close("speeds", &speeds, &[3.0, 3.0 * 0.2_f64.cos()], 1e-9);
}

/// A model at solver coordinates, speeds and accelerations that do not satisfy its rows.
fn moving<'m>(compiled: &'m Compiled, motion: &[Vec<f64>; 3]) -> Mechanics<'m, Series<4>> {
    let [q, v, a] = motion;
    let (model, tree) = (&compiled.model, &compiled.tree);
    let coordinates = (0..tree.n()).map(|i| Series([q[i], v[i], 0.5 * a[i], 0.0])).collect();
    Mechanics::at_solver_coordinates(model, tree, default_variables(model, tree), coordinates)
}

/// Expressions whose highest derivative is that of a level, without multipliers.
fn expressions_of_level(model: &Model, level: RowLevel) -> Vec<ExprId> {
    let all = (0..model.exprs.len() as u32).map(ExprId);
    all.filter(|e| model.exprs.order(*e) == Some(level as u8) && !model.exprs.mentions(*e).multiplier).collect()
}

/// Central differences with h = 1e-5, tolerance 1e-6: truncation is (h/ℓ)²/6 ≈ 2e-7 of the derivative where lengths ℓ of 1 cm are
/// divided by, rounding 1e-16/h = 1e-11 of the terms of a value.
fn assert_gradients(label: &str, interpreted: &Interpreted) {
    let compiled = interpreted.compiled();
    let n = compiled.tree.n();
    let mut random = Random::new(seed(label));
    let near = compiled.checked.assembled.iter().map(|q| q + 0.1 * random.next_number()).collect();
    let motion = [near, random.vector(n, 2.0), random.vector(n, 2.0)];
    let here = moving(compiled, &motion);
    for (k, level) in [RowLevel::Position, RowLevel::Velocity, RowLevel::Acceleration].into_iter().enumerate() {
        let exprs = expressions_of_level(&compiled.model, level);
        let at = |j: usize, h: f64| {
            let mut motion = motion.clone();
            motion[k][j] += h;
            let mechanics = moving(compiled, &motion);
            exprs.iter().map(|e| mechanics.value(*e).value()).collect::<Vec<f64>>()
        };
        let h = 1e-5;
        let columns: Vec<(Vec<f64>, Vec<f64>)> = (0..n).map(|j| (at(j, h), at(j, -h))).collect();
        for (x, e) in exprs.iter().enumerate() {
            let gradient = here.gradient(*e, level);
            let scale = largest(&gradient).max(here.value(*e).value().abs()).max(1e-3);
            for (j, (after, before)) in columns.iter().enumerate() {
                let (got, expected) = (gradient.get(&j).copied().unwrap_or(0.0), (after[x] - before[x]) / (2.0 * h));
                let op = compiled.model.exprs.op(*e);
                assert!((got - expected).abs() <= 1e-6 * scale, "{label}: {op:?} by {j}: {got}, not {expected}");
            }
        }
    }
}

#[test]
fn gradients_of_all_expressions_are_those_of_differences() {
    for_files(&crate::mechanisms::harness::planar_files(), assert_gradients);
    for_text("functions", FUNCTIONS, assert_gradients);
}

/// Every function of the language, with arguments that move, at position, velocity and acceleration level.
const FUNCTIONS: &str = "planar M {
    param k = 1.3;
    body arm  { mass: 1, inertia: 0.1, com: [0.2, 0.05], angle: 0.4 }
    body hand { mass: 0.5, inertia: 0.02, com: [0.1, 0.02], angle: 0.9 }
    joint shoulder = revolute(ground at [0.1 * sin(t), 0], arm);
    joint slide = prismatic(arm at [0.5, 0.1], hand) { axis: [1, 0.2] };
    marker tip = hand at [0.3, 0.1] { angle: 0.2 };
    coordinate s = 0.3;
    constraint closes = s == 0.5 * sin(shoulder.angle);
    let x = 0.4 * sin(shoulder.angle + slide.position) + 0.45;
    let y = 0.3 * cos(angle(tip) - k * s) + 0.4;
    let vx = rate(x) * 0.1 + 0.4;
    let ax = rate(rate(x)) * 0.05 + 0.4;
    output roots = [sqrt(x), sqrt(vx), sqrt(ax)];
    output waves = [sin(x) * cos(vx), tan(y) + tan(vx), sin(ax) * cos(ax)];
    output arcs = [asin(0.5 * x), acos(0.5 * y), atan(vx) + asin(0.3 * vx)];
    output hyperbolas = [sinh(x), cosh(vx), tanh(ax)];
    output growth = [exp(x), ln(y), exp(vx) * ln(vx * vx + 1)];
    output kinks = [abs(x - 2), signum(vx) * vx, floor(10 * x) * y];
    output pairs = [atan2(x, y), atan2(vx, x), atan2(ax, vx)];
    output bounds = [min(x, y), max(vx, y), min(ax, vx)];
    output powers = [powf(x, 1.7), powf(y, x), powi(vx, 3)];
    output quotients = [x / y, vx / (x + 2), ax / (vx * vx + 1)];
    output choices = if x < y { [x, vx, ax] } else { [y, vx * vx, ax * vx] };
    output axes = [dot(tip.x, velocity(arm)), cross(hand.y, velocity(tip)), dot(tip.y, acceleration(tip))];
    output in_hand = velocity(tip) in hand;
    output apart = distance(tip, arm at [0.1, 0.3]);
}";

/// Both crates have a type, since neither depends on the other.
#[test]
fn domains_of_the_model_and_of_the_runtime_are_the_same() {
    let twins = [
        (mbs_model::Domain::Finite, mbs::Domain::Finite),
        (mbs_model::Domain::NonNegative, mbs::Domain::NonNegative),
        (mbs_model::Domain::Positive, mbs::Domain::Positive),
    ];
    for x in [-1.0, -0.0, 0.0, f64::MIN_POSITIVE, 1.0, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        for (found, expected) in twins {
            assert_eq!(found.contains(x), expected.contains(x), "{found:?} and {x}");
        }
    }
}
