//! Printed text, parsed back and evaluated, gives the interpreter's bits; the interpreter gives the graph's values.

use std::cell::RefCell;
use std::rc::Rc;

use mbs_codegen::print::{self, Paths};
use mbs_compiler::evaluate::evaluate;
use mbs_compiler::graph::{Graph, Node, NodeId, Stage, Symbol};
use mbs_compiler::interp::{Fma, Inputs};
use mbs_compiler::program::{Function, Input, InputSizes, Program, Role};
use mbs_compiler::schedule::{Check, Entry, Group, OutputArray, lower};
use mbs_expr::{Comparison, Function as Call1, Function2 as Call2};

use mbs_random::rust_text::{Text, Value};

const SIZES: InputSizes = InputSizes { parameters: 20, coordinates: 9, speeds: 9, auxiliary: 2, inputs: 2, rows: 8 };

/// Arrays that a run of a program reads.
struct State {
    p: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
}

impl State {
    fn random(random: &mut oorandom::Rand64) -> State {
        let mut array = |n: usize| (0..n).map(|_| random.rand_float() * 3.0 - 1.0).collect();
        let (p, q, v) = (array(SIZES.parameters), array(SIZES.coordinates), array(SIZES.speeds));
        State { p, q, v, z: array(SIZES.auxiliary), u: array(SIZES.inputs) }
    }

    fn value(&self, symbol: Symbol) -> f64 {
        let (input, i) = Input::from_symbol(symbol);
        self.inputs().element(input, i)
    }

    fn inputs(&self) -> Inputs<'_> {
        Inputs { p: &self.p, t: 0.7, q: &self.q, v: &self.v, z: &self.z, u: &self.u, ..Inputs::default() }
    }
}

/// Output arrays of a function, and the singular row if there is one.
type Outcome = (Vec<Vec<f64>>, Result<(), usize>);

/// Prints a program and parses its text, once for each kind of arithmetic.
fn parse_printed(program: &Program) -> [(Fma, Text<'static>); 2] {
    let text = print::program(program, &Paths::default()).to_string();
    let texts =
        [Fma::Fused, Fma::Plain].map(|fma| (fma, Text::from_tokens(text.parse().expect("the text is Rust"), fma)));
    assert!(
        texts.iter().all(|(_, t)| t.longest() <= print::MAX_STATEMENTS + 2 && t.most_scopes() <= print::MAX_SCOPES)
    );
    texts
}

/// Runs all functions by the interpreter and from text, passes the values of stages on, and compares bits. Returns the outcome of each
/// function.
fn compare_runs(program: &Program, (fma, text): &(Fma, Text), state: &State) -> Vec<Outcome> {
    let fma = *fma;
    let (mut prepared, mut position, mut velocity) = (Vec::new(), Vec::new(), Vec::new());
    let mut results = Vec::new();
    for function in std::iter::once(&program.prepare).chain(&program.functions) {
        let inputs = Inputs { prepared: &prepared, position: &position, velocity: &velocity, ..state.inputs() };
        let mut outputs = vec![Vec::new(); function.results().count()];
        let status = function.run(&inputs, &mut outputs, fma);
        let (from_text, row) = run_text(text, function, &inputs);
        let bits = |a: &Vec<Vec<f64>>| a.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(status.err(), row, "{}", function.name);
        if status.is_ok() || function.continues_when_singular() {
            assert_eq!(bits(&outputs), bits(&from_text), "{}", function.name);
        }
        if function.name == "prepare" {
            prepared = outputs[0].clone();
            continue;
        }
        for (output, values) in function.results().zip(&outputs) {
            match output.role {
                Role::Slots(Stage::Position) => position = values.clone(),
                Role::Slots(_) => velocity = values.clone(),
                Role::Result | Role::Local => {}
            }
        }
        results.push((outputs, status));
    }
    results
}

fn run_text(text: &Text, function: &Function, inputs: &Inputs<'_>) -> (Vec<Vec<f64>>, Option<usize>) {
    let array = |values: Vec<f64>| Value::Array(Rc::new(RefCell::new(values)));
    let argument = |a: &mbs_compiler::program::Argument| match a.input {
        Input::Time => Value::Number(inputs.t),
        Input::Step => Value::Number(inputs.h),
        Input::Params => Value::Nothing,
        input => array((0..a.size as u32).map(|i| inputs.element(input, i)).collect()),
    };
    let mut arguments: Vec<Value> = function.inputs.iter().map(argument).collect();
    let outputs: Vec<Rc<RefCell<Vec<f64>>>> =
        function.results().map(|o| Rc::new(RefCell::new(vec![f64::NAN; o.values.len()]))).collect();
    arguments.extend(outputs.iter().map(|o| Value::Array(o.clone())));
    let row = match text.call(&function.name, &arguments) {
        Value::Row(row) => row,
        _ => None,
    };
    (outputs.iter().map(|o| o.borrow().clone()).collect(), row)
}

fn entry(name: &str, stage: Stage, stores_stage: bool, nodes: Vec<NodeId>) -> Entry {
    let outputs = vec![OutputArray { name: "result".to_owned(), nodes }];
    Entry { name: name.to_owned(), docs: String::new(), stage, stores_stage, outputs, checks: Vec::new(), solve: None }
}

/// A random expression over all operations, from symbols of all stages.
fn random_nodes(graph: &Graph, random: &mut oorandom::Rand64, count: usize) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = (0..4).map(|i| graph.symbol(Symbol::Parameter(i))).collect();
    nodes.extend((0..3).map(|i| graph.symbol(Symbol::Coordinate(i))));
    nodes.extend((0..3).map(|i| graph.symbol(Symbol::Speed(i))));
    nodes.extend([Symbol::Time, Symbol::Input(0), Symbol::Auxiliary(1)].map(|s| graph.symbol(s)));
    nodes.extend([0.5, 2.0, -0.3, 1e-7, 9.81, 3.0].map(|x| graph.constant(x)));
    for _ in 0..count {
        let n = nodes.len() as u64;
        let mut pick = || {
            let back = if random.rand_range(0..3) == 0 { n } else { n.min(12) };
            nodes[(n - 1 - random.rand_range(0..back)) as usize]
        };
        let (a, b, c, d) = (pick(), pick(), pick(), pick());
        let id = match random.rand_range(0..24) {
            0..=5 => graph.add(a, b),
            6..=9 => graph.sub(a, b),
            10..=15 => graph.mul(a, b),
            16 => graph.neg(a),
            17 => graph.div(a, graph.add(graph.constant(5.0), graph.mul(b, b))),
            18 => graph.unary(Call1::Sin, a),
            19 => graph.unary(Call1::Cos, a),
            20 => graph.unary(Call1::Sqrt, graph.unary(Call1::Abs, a)),
            21 => graph.unary([Call1::Tanh, Call1::Atan, Call1::Signum, Call1::Floor][(a.0 % 4) as usize], b),
            22 => graph.binary([Call2::Atan2, Call2::Min, Call2::Max][(a.0 % 3) as usize], b, c),
            _ => graph.select([Comparison::Less, Comparison::LessEqual][(a.0 % 2) as usize], [a, b, c, d]),
        };
        // Keep values moderate, so that reassociation can be compared.
        nodes.push(if graph.len().is_multiple_of(5) { graph.unary(Call1::Tanh, id) } else { id });
    }
    nodes
}

fn assert_close(values: &[f64], expected: &[f64], what: &str) {
    for (x, y) in values.iter().zip(expected) {
        let is_equal = x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
        assert!(is_equal || (x - y).abs() <= 1e-9 * (1.0 + y.abs()), "{what}: {x} instead of {y}");
    }
}

/// The largest magnitude of all intermediate values, by which states with large cancellation are excluded.
fn largest_magnitude(graph: &Graph, roots: &[NodeId], state: &State) -> f64 {
    let all = graph.reachable(roots);
    evaluate(graph, &all, &|s| state.value(s)).into_iter().map(f64::abs).fold(0.0, f64::max)
}

#[test]
fn random_expressions_have_equal_values_for_all_readers() {
    for seed in 0..40 {
        let random = &mut oorandom::Rand64::new(seed);
        let graph = Graph::new();
        let nodes = random_nodes(&graph, random, 80);
        let roots: Vec<NodeId> = nodes[nodes.len() - 12..].to_vec();
        let known_nodes = |stage| {
            let known = nodes.iter().rev().copied().filter(|n| graph.stage(*n) <= stage);
            known.take(4).collect::<Vec<NodeId>>()
        };
        let staged = vec![
            entry("at_position", Stage::Position, true, known_nodes(Stage::Position)),
            entry("at_velocity", Stage::Velocity, true, known_nodes(Stage::Velocity)),
            entry("at_end", Stage::Acceleration, false, roots.clone()),
        ];
        let fused = vec![entry("fused", Stage::Acceleration, false, roots.clone())];
        let program = lower(&graph, &[Group { entries: staged }, Group { entries: fused }], &SIZES);
        for text in parse_printed(&program) {
            let state = State::random(random);
            let results = compare_runs(&program, &text, &state);
            if largest_magnitude(&graph, &roots, &state) < 1e3 && !is_near_discontinuity(&graph, &roots, &state) {
                let expected = evaluate(&graph, &roots, &|s| state.value(s));
                assert_close(&results[2].0[0], &expected, &format!("seed {seed} staged"));
                assert_close(&results[3].0[0], &expected, &format!("seed {seed} fused"));
            }
        }
    }
}

/// Whether rounding could decide a floor, a sign or a comparison.
fn is_near_discontinuity(graph: &Graph, roots: &[NodeId], state: &State) -> bool {
    let all = graph.reachable(roots);
    let values = evaluate(graph, &all, &|s| state.value(s));
    let value = |id: NodeId| values[all.binary_search(&id).expect("operands are reachable")];
    all.iter().any(|id| match graph.node(*id) {
        Node::Unary(Call1::Floor, a) => (value(a) - value(a).round()).abs() < 1e-6,
        Node::Unary(Call1::Signum | Call1::Abs | Call1::Sqrt, a) => value(a).abs() < 1e-6,
        Node::Binary(Call2::Atan2, a, _) => value(a).abs() < 1e-6,
        Node::Select(_, [a, b, ..]) => (value(a) - value(b)).abs() < 1e-6,
        _ => false,
    })
}

#[test]
fn a_four_bar_has_equal_values_for_all_readers() {
    let graph = Graph::new();
    let linkage = crate::planar::four_bar(&graph);
    let (x, factor) = linkage.solve();
    let mut fused = entry("accelerations", Stage::Acceleration, false, x.clone());
    let check =
        |(row, pivot, magnitude): &(usize, NodeId, NodeId)| Check { pivot: *pivot, magnitude: *magnitude, row: *row };
    fused.checks = factor.pivots.iter().map(check).collect();
    let mut position = entry("at_position", Stage::Position, true, Vec::new());
    position.checks = fused.checks.clone();
    let staged = vec![position, entry("accelerate", Stage::Acceleration, false, x)];
    let program = lower(&graph, &[Group { entries: vec![fused] }, Group { entries: staged }], &SIZES);
    let texts = parse_printed(&program);
    let random = &mut oorandom::Rand64::new(1);
    for round in 0..100 {
        let mut state = State::random(random);
        state.p[..linkage.parameters.len()].copy_from_slice(&linkage.parameters);
        if round == 0 {
            state.q = vec![0.0; 9]; // stretched out: singular
        }
        for text in &texts {
            let results = compare_runs(&program, text, &state);
            assert_eq!(results[0].1.is_err(), round == 0, "{:?}", results[0].1);
            assert_eq!(results[0].1, results[1].1);
            if round > 0 {
                assert_close(&results[2].0[0], &results[0].0[0], "staged and fused");
            }
        }
    }
}

#[test]
fn equal_neighbours_are_filled() {
    let graph = Graph::new();
    let numbers = [(702, 0.0), (1, 3.0), (600, -1.5)];
    let nodes: Vec<NodeId> = numbers.into_iter().flat_map(|(n, x)| std::iter::repeat_n(graph.constant(x), n)).collect();
    let group = Group { entries: vec![entry("zeros", Stage::Position, false, nodes)] };
    let program = lower(&graph, &[group], &SIZES);
    let text = print::program(&program, &Paths::default()).to_string();
    for statement in ["[0 .. 702] . fill (0.0)", "[702] = 3.0", "[703 .. 1303] . fill (- 1.5)"] {
        assert!(text.contains(statement), "{statement}: {text}");
    }
    for text in &parse_printed(&program) {
        compare_runs(&program, text, &State::random(&mut oorandom::Rand64::new(6)));
    }
}

/// In two pieces, and in many small ones.
#[test]
fn long_functions_are_chunked() {
    assert_chunked(10_000, 3_000);
    assert_chunked(22_500, 7_500);
}

fn assert_chunked(count: usize, outputs: usize) {
    let random = &mut oorandom::Rand64::new(5);
    let graph = Graph::new();
    let nodes = random_nodes(&graph, random, count);
    let pivots = [nodes[count / 2], graph.symbol(Symbol::Speed(2)), nodes[count - 2_500]];
    let one = graph.constant(1.0);
    let long_group = |name, stores_stage| {
        let mut long = entry(name, Stage::Acceleration, stores_stage, nodes[nodes.len() - outputs..].to_vec());
        let checks = pivots.iter().enumerate();
        long.checks = checks.map(|(row, p)| Check { pivot: *p, magnitude: one, row }).collect();
        Group { entries: vec![long] }
    };
    let program = lower(&graph, &[long_group("stops", false), long_group("goes_on", true)], &SIZES);
    let stored = program.functions[0].outputs[0].values.len();
    assert!(program.functions[0].body.len() + stored > print::MAX_STATEMENTS);
    let texts = parse_printed(&program);
    let mut state = State::random(random);
    for speed in [1.0, 0.0] {
        state.v[2] = speed;
        for text in &texts {
            let results = compare_runs(&program, text, &state);
            assert_eq!(results[0].1, results[1].1);
            assert_eq!(results[0].1 == Err(1), speed == 0.0, "{:?}", results[0].1);
        }
    }
}
