//! Nodes as programs: what is folded, prepared and stored, and which instructions are chosen.

use mbs_compiler::graph::{Graph, NodeId, Stage, Symbol};
use mbs_compiler::optimize::{count, optimize};
use mbs_compiler::program::{Function, Input, InputSizes, Op, Operand, Program, Role, Statement};
use mbs_compiler::schedule::{Check, Entry, Group, OutputArray, lower};
use mbs_expr::Function as Call1;

const SIZES: InputSizes = InputSizes { parameters: 3, coordinates: 3, speeds: 3, auxiliary: 0, inputs: 1, rows: 1 };

fn entry(name: &str, stage: Stage, stores_stage: bool, nodes: &[NodeId]) -> Entry {
    let outputs = vec![OutputArray { name: "out".to_owned(), nodes: nodes.to_vec() }];
    Entry { name: name.to_owned(), docs: String::new(), stage, stores_stage, outputs, checks: Vec::new(), solve: None }
}

fn lower_one(graph: &Graph, nodes: &[NodeId]) -> Program {
    lower(graph, &[Group { entries: vec![entry("f", Stage::Acceleration, false, nodes)] }], &SIZES)
}

fn ops(function: &Function) -> Vec<Op> {
    let op = |s: &Statement| match s {
        Statement::Let { op, .. } => Some(*op),
        Statement::Check { .. } => None,
    };
    function.body.iter().filter_map(op).collect()
}

fn inputs(function: &Function) -> Vec<Input> {
    function.inputs.iter().map(|a| a.input).collect()
}

struct Symbols {
    p: [NodeId; 3],
    q: [NodeId; 3],
    v: [NodeId; 3],
    u: NodeId,
}

fn symbols(g: &Graph) -> Symbols {
    Symbols {
        p: [0, 1, 2].map(|i| g.symbol(Symbol::Parameter(i))),
        q: [0, 1, 2].map(|i| g.symbol(Symbol::Coordinate(i))),
        v: [0, 1, 2].map(|i| g.symbol(Symbol::Speed(i))),
        u: g.symbol(Symbol::Input(0)),
    }
}

#[test]
fn constants_are_folded() {
    let g = &Graph::new();
    let root = g.mul(g.constant(3.0), g.unary(Call1::Sqrt, g.constant(2.25)));
    let program = lower_one(g, &[root]);
    assert_eq!(program.functions[0].outputs[0].values, [Operand::Literal(4.5)]);
    assert!(program.functions[0].body.is_empty() && program.prepare.body.is_empty());
}

#[test]
fn parameters_are_prepared_once_for_all_groups() {
    let g = &Graph::new();
    let Symbols { p, q, v, .. } = symbols(g);
    let shared = g.mul(p[0], p[1]);
    let groups = [g.mul(shared, q[0]), g.add(shared, v[0])]
        .map(|root| Group { entries: vec![entry("f", Stage::Acceleration, false, &[root])] });
    let program = lower(g, &groups, &SIZES);
    assert_eq!(program.prepare.outputs[0].values.len(), 1);
    assert_eq!(ops(&program.prepare).len(), 1);
    assert_eq!(inputs(&program.functions[0]), [Input::Prepared, Input::Coordinates]);
    assert_eq!(program.functions[0].inputs[0].size, 1);
}

#[test]
fn a_stage_stores_only_values_that_later_entries_need() {
    let g = &Graph::new();
    let Symbols { q, v, u, .. } = symbols(g);
    let sum = g.unary(Call1::Tanh, g.add(q[0], q[1]));
    let unused = g.unary(Call1::Exp, q[2]);
    let energy = g.unary(Call1::Tan, g.mul(v[0], sum));
    let last = [g.mul(u, energy), g.mul(g.mul(u, u), sum), g.neg(g.mul(u, q[0]))];
    let entries = vec![
        entry("position", Stage::Position, true, &[unused]),
        entry("velocity", Stage::Velocity, true, &[]),
        entry("end", Stage::Acceleration, false, &last),
    ];
    let program = lower(g, &[Group { entries }], &SIZES);
    let [position, velocity, end] = &program.functions[..] else { panic!("three functions") };
    assert_eq!(position.outputs[1].role, Role::Slots(Stage::Position));
    assert_eq!(position.outputs[1].values.len(), 1, "the sum");
    assert_eq!(velocity.outputs[1].values.len(), 1, "the energy");
    assert_eq!(inputs(velocity), [Input::Slots(Stage::Position), Input::Speeds]);
    let slots = [Input::Slots(Stage::Position), Input::Slots(Stage::Velocity)];
    assert_eq!(inputs(end), [slots[0], slots[1], Input::Coordinates, Input::Inputs]);
    assert_eq!(end.counts.calls, 0, "nothing is computed twice");
}

#[test]
fn sine_and_cosine_of_an_angle_are_one_instruction() {
    let g = &Graph::new();
    let q = symbols(g).q;
    let roots = [g.unary(Call1::Sin, q[0]), g.unary(Call1::Cos, q[0]), g.unary(Call1::Cos, q[1])];
    let program = lower_one(g, &roots);
    assert_eq!(ops(&program.functions[0]).len(), 2);
    assert_eq!(program.functions[0].counts.sincos, 2);
}

#[test]
fn products_read_once_are_fused_and_shared_ones_are_not() {
    let g = &Graph::new();
    let Symbols { q, v, .. } = symbols(g);
    let (shared, single) = (g.mul(q[0], v[0]), g.mul(q[1], v[1]));
    let roots = [g.add(shared, v[2]), g.sub(shared, q[2]), g.sub(v[2], single)];
    let list = ops(&lower_one(g, &roots).functions[0]);
    assert_eq!(list.len(), 4);
    assert_eq!(list.iter().filter(|op| op.is_fused()).count(), 1);
    assert!(matches!(list[3], Op::NegMulAdd(..)));
}

#[test]
fn a_reciprocal_read_once_is_a_quotient() {
    let g = &Graph::new();
    let Symbols { q, v, .. } = symbols(g);
    let program = lower_one(g, &[g.div(v[0], q[0]), g.div(v[1], q[1]), g.div(v[2], q[1])]);
    let list = ops(&program.functions[0]);
    assert_eq!(list.iter().filter(|op| matches!(op, Op::Div(..))).count(), 2);
    assert_eq!(program.functions[0].counts.operations, 4);
}

#[test]
fn checks_are_counted_separately_and_come_as_early_as_possible() {
    let g = &Graph::new();
    let Symbols { q, v, .. } = symbols(g);
    let pivot = g.sub(q[0], g.mul(q[1], q[1]));
    let absolute = |x| g.unary(Call1::Abs, x);
    let magnitude = g.add(absolute(q[0]), absolute(g.mul(q[1], q[1])));
    let mut f = entry("f", Stage::Acceleration, false, &[g.div(v[0], pivot)]);
    f.checks.push(Check { pivot, magnitude, row: 7 });
    let program = lower(g, &[Group { entries: vec![f] }], &SIZES);
    let f = &program.functions[0];
    assert_eq!(f.counts.operations, 3, "a fused multiply-add and a quotient");
    assert_eq!(f.counts.check_operations, 2);
    assert_eq!(f.checked_rows().collect::<Vec<_>>(), [7]);
    assert!(matches!(f.body.last(), Some(Statement::Let { op: Op::Div(..), .. })));
}

#[test]
fn graph_and_program_count_alike() {
    let g = &Graph::new();
    let Symbols { p, q, v, .. } = symbols(g);
    let x = g.div(g.add(g.mul(p[0], q[0]), g.mul(q[1], v[1])), g.unary(Call1::Sqrt, g.mul(q[2], q[2])));
    let roots = [x, g.neg(g.mul(x, x)), g.unary(Call1::Sin, x)];
    let counts = lower_one(g, &roots).functions[0].counts;
    let counted = count(g, &optimize(g, &roots, &[]).roots);
    assert_eq!((counts.operations, counts.sincos), (counted.operations, counted.sincos));
}
