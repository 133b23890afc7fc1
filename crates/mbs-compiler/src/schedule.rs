//! Translates nodes to programs: assigns values to functions, orders them and selects instructions.
//!
//! After this point: programs contain no nodes. Constants are literals; values of parameters alone are computed in `prepare`; values that a stage
//! stores are not computed again in later functions of its group.

mod cut;
mod fold;
mod select;

use crate::graph::{Graph, NodeId, Stage};
use crate::optimize::optimize;
use crate::program::{Called, ColumnSolve, Function, InputSizes, Program};

use cut::Group as GroupSources;
use fold::Prepared;
use select::Body;

/// Entries optimised together.
pub struct Group {
    /// The entries, in the order in which they run.
    pub entries: Vec<Entry>,
}

/// One function to generate.
pub struct Entry {
    /// Name in snake_case.
    pub name: String,
    /// Text for its documentation (equation, shapes); the back end appends the costs.
    pub docs: String,
    /// Stage at which it runs.
    pub stage: Stage,
    /// Whether it fills the value of its stage: its slots store the nodes known at this stage that later entries of the group need.
    pub stores_stage: bool,
    /// Arrays that it computes.
    pub outputs: Vec<OutputArray>,
    /// Pivots it checks.
    pub checks: Vec<Check>,
    /// A linear system that is solved with its outputs as right sides.
    pub solve: Option<ColumnSolve>,
}

/// A dense array of results.
pub struct OutputArray {
    /// Name of the argument.
    pub name: String,
    /// Its elements, in order.
    pub nodes: Vec<NodeId>,
}

/// |pivot| > [`PIVOT_TOLERANCE`](crate::program::PIVOT_TOLERANCE) · magnitude, else `row` is singular.
#[derive(Clone, Copy)]
pub struct Check {
    /// The pivot d.
    pub pivot: NodeId,
    /// Sum of the absolute terms of which d is the sum.
    pub magnitude: NodeId,
    /// Row that is reported as singular.
    pub row: usize,
}

/// Optimises and schedules all groups, and collects in `prepare` the values that depend on parameters alone.
pub fn lower(graph: &Graph, groups: &[Group], sizes: &InputSizes) -> Program {
    let mut prepared = Prepared::default();
    let mut functions = Vec::new();
    for group in groups {
        let entries = optimize_group(graph, group);
        lower_group(graph, &entries, sizes, &mut prepared, &mut functions);
    }
    // The number of prepared values is not known earlier.
    for argument in functions.iter_mut().flat_map(|f: &mut Function| &mut f.inputs) {
        if argument.input == crate::program::Input::Prepared {
            argument.size = prepared.nodes.len();
        }
    }
    for function in &mut functions {
        let read = crate::program::prepared_indices(function.operands()).into_iter();
        function.prepared = read.filter_map(|i| Some((i, graph.name(prepared.nodes[i as usize])?))).collect();
    }
    Program {
        prepare: lower_prepare(graph, sizes, prepared),
        functions,
        called: graph.with_functions(|all| all.iter().map(Called::new).collect()),
    }
}

/// The entries of a group with their nodes replaced by cheaper ones.
fn optimize_group(graph: &Graph, group: &Group) -> Vec<Entry> {
    let outputs = group.entries.iter().flat_map(|e| &e.outputs).flat_map(|o| &o.nodes);
    let checks = group.entries.iter().flat_map(|e| &e.checks).flat_map(|c| [c.pivot, c.magnitude]);
    let roots: Vec<NodeId> = outputs.copied().collect();
    let optimized = optimize(graph, &roots, &checks.collect::<Vec<_>>());
    let (mut roots, mut checks) = (optimized.roots.into_iter(), optimized.uncounted.into_iter());
    let mut next_root = || roots.next().expect("one new root for each root");
    let mut next_check = || checks.next().expect("one new node for each node");
    let entry = |e: &Entry| Entry {
        name: e.name.clone(),
        docs: e.docs.clone(),
        stage: e.stage,
        stores_stage: e.stores_stage,
        outputs: e
            .outputs
            .iter()
            .map(|o| OutputArray { name: o.name.clone(), nodes: o.nodes.iter().map(|_| next_root()).collect() })
            .collect(),
        checks: e.checks.iter().map(|c| Check { pivot: next_check(), magnitude: next_check(), row: c.row }).collect(),
        solve: e.solve.clone(),
    };
    group.entries.iter().map(entry).collect()
}

fn lower_group(
    graph: &Graph,
    entries: &[Entry],
    sizes: &InputSizes,
    prepared: &mut Prepared,
    functions: &mut Vec<Function>,
) {
    let group = GroupSources::new(graph, entries);
    for (index, entry) in entries.iter().enumerate() {
        let sources = group.entry(index);
        functions.push(Body::new(graph, sources, prepared).function(entry, sizes));
    }
}

/// The function p → prepared values.
fn lower_prepare(graph: &Graph, sizes: &InputSizes, prepared: Prepared) -> Function {
    let entry = Entry {
        name: "prepare".to_owned(),
        docs: "Everything that depends on parameters alone.".to_owned(),
        stage: Stage::Parameters,
        stores_stage: false,
        outputs: vec![OutputArray { name: "prepared".to_owned(), nodes: prepared.nodes }],
        checks: Vec::new(),
        solve: None,
    };
    Body::new(graph, cut::Sources::prepare(graph), &mut Prepared::default()).function(&entry, sizes)
}
