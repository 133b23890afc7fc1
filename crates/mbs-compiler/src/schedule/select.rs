//! Instruction selection and order for one function.
//!
//! After this point: instructions come after those they read; single-use products are fused into the sums they feed; sine and cosine of an
//! angle are one instruction, and so are all values and derivatives of a called function; sines and cosines come
//! first, those whose angles are known at about one time next to each other; every value is read by an output or a check.

use std::collections::{BTreeMap, BTreeSet};

use mbs_expr::{Function as Call1, FunctionId, MOST_ARGUMENTS};
use rustc_hash::FxHashMap;

use super::Entry;
use super::cut::{Source, Sources};
use super::fold::{self, Prepared};
use crate::graph::{Graph, Node, NodeId};
use crate::program::{
    Argument, Call, Counts, Function, Input, InputSizes, Op, Operand, Output, Role, STAGE_COEFFICIENTS, Statement,
    ValueId, latency,
};

const NONE: u32 = u32::MAX;

/// Sines whose angles are known within so many additions of each other are computed together. It is less than the [`latency`] of a sine, so that none
/// of them depends on another.
const SINE_WAIT: u32 = 4;

/// Properties of a computed node.
#[derive(Clone, Copy)]
struct Info {
    id: NodeId,
    /// Number of uses by outputs, or by checks if outputs do not use it.
    uses: u32,
    /// Length of the longest chain that ends here.
    depth: u32,
    value: u32,
}

/// The body of a function under construction.
pub struct Body<'a> {
    graph: &'a Graph,
    sources: Sources<'a>,
    prepared: &'a mut Prepared,
    /// Index into `infos` of each node.
    index: Vec<u32>,
    infos: Vec<Info>,
    angles: FxHashMap<NodeId, ValueId>,
    /// First value of each call of a function.
    calls: FxHashMap<(FunctionId, [NodeId; MOST_ARGUMENTS]), ValueId>,
    body: Vec<Statement>,
    names: Vec<Option<String>>,
}

impl<'a> Body<'a> {
    /// An empty body.
    pub fn new(graph: &'a Graph, sources: Sources<'a>, prepared: &'a mut Prepared) -> Self {
        let index = vec![NONE; graph.len()];
        let (body, names, angles, calls) = (Vec::new(), Vec::new(), FxHashMap::default(), FxHashMap::default());
        Body { graph, sources, prepared, index, infos: Vec::new(), angles, calls, body, names }
    }

    /// The function that computes an entry.
    pub fn function(mut self, entry: &Entry, sizes: &InputSizes) -> Function {
        let stored = self.sources.stored_nodes();
        let mut roots: Vec<NodeId> = entry.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        roots.extend(stored.unwrap_or_default());
        let checked: Vec<NodeId> = entry.checks.iter().flat_map(|c| [c.pivot, c.magnitude]).collect();
        let rows: BTreeSet<usize> = entry.checks.iter().map(|c| c.row).collect();
        assert_eq!(rows.len(), entry.checks.len(), "a row is checked once");
        self.collect(&roots);
        self.collect(&checked);
        self.compute_depths();

        self.emit_sines();
        // Pivots come before results: they are the longest chain.
        for check in &entry.checks {
            let (pivot, magnitude) = (self.emit_operand(check.pivot), self.emit_operand(check.magnitude));
            self.body.push(Statement::Check { pivot, magnitude, row: check.row });
        }
        let mut outputs: Vec<Output> = Vec::new();
        for (index, output) in entry.outputs.iter().enumerate() {
            let values = output.nodes.iter().map(|id| self.emit_operand(*id)).collect();
            let is_factor = entry.solve.as_ref().is_some_and(|solve| solve.factor == index);
            let role = if is_factor { Role::Local } else { Role::Result };
            outputs.push(Output { name: output.name.clone(), role, values });
        }
        if let Some(list) = stored {
            let values = list.iter().map(|id| self.emit_operand(*id)).collect();
            outputs.push(Output { name: "slots".to_owned(), role: Role::Slots(entry.stage), values });
        }
        Function {
            name: entry.name.clone(),
            docs: entry.docs.clone(),
            stage: entry.stage,
            inputs: self.arguments(&outputs, sizes),
            counts: Counts::new(&self.body, &self.needed_by_checks_only(&outputs), &outputs, entry.solve.as_ref()),
            solve: entry.solve.clone(),
            outputs,
            body: self.body,
            names: self.names,
            prepared: BTreeMap::new(),
        }
    }

    /// Adds the computed nodes that `roots` need and that are not collected yet, with the numbers of their uses.
    fn collect(&mut self, roots: &[NodeId]) {
        let (start, mut stack) = (self.infos.len(), Vec::new());
        self.count_uses(roots.iter().copied(), start, &mut stack);
        while let Some(id) = stack.pop() {
            self.count_uses(self.graph.node(id).operands(), start, &mut stack);
        }
        self.infos[start..].sort_unstable_by_key(|i| i.id);
        for (k, info) in self.infos.iter().enumerate().skip(start) {
            self.index[info.id.index()] = k as u32;
        }
    }

    /// Counts a use of each computed node among `ids`; nodes that are met for the first time go on the stack.
    fn count_uses(&mut self, ids: impl Iterator<Item = NodeId>, start: usize, stack: &mut Vec<NodeId>) {
        for id in ids {
            if self.sources.source(id) != Source::Computed {
                continue;
            }
            let k = &mut self.index[id.index()];
            if *k == NONE {
                *k = self.infos.len() as u32;
                self.infos.push(Info { id, uses: 1, depth: 0, value: NONE });
                stack.push(id);
            } else if *k as usize >= start {
                self.infos[*k as usize].uses += 1;
            }
        }
    }

    /// Length of the longest chain up to each node, children first.
    fn compute_depths(&mut self) {
        for k in 0..self.infos.len() {
            let op = self.operation(self.infos[k].id);
            let ready = op.operands().map(|o| self.depth(o)).max().unwrap_or(0);
            self.infos[k].depth = ready + latency(&op) as u32;
        }
    }

    /// Emits all sines and cosines, those together whose angles are known at about one time: back ends compute them in lanes.
    fn emit_sines(&mut self) {
        let is_sine = |info: &&Info| matches!(self.graph.node(info.id), Node::Unary(Call1::Sin | Call1::Cos, _));
        let depth = |info: &Info| self.operation(info.id).operands().map(|angle| self.depth(angle)).max();
        let mut sines: Vec<(u32, NodeId)> =
            self.infos.iter().filter(is_sine).map(|info| (depth(info).unwrap_or(0) / SINE_WAIT, info.id)).collect();
        sines.sort_unstable();
        for together in sines.chunk_by(|a, b| a.0 == b.0) {
            for (_, id) in together {
                self.operation(*id).operands().for_each(|angle| _ = self.emit_operand(angle));
            }
            together.iter().for_each(|(_, id)| _ = self.emit_operand(*id));
        }
    }

    fn info(&self, id: NodeId) -> Option<&Info> {
        let k = *self.index.get(id.index())?;
        self.infos.get(k as usize)
    }

    fn depth(&self, id: NodeId) -> u32 {
        self.info(id).map_or(0, |i| i.depth)
    }

    /// `select` of a node that is computed here and has a single reader.
    fn single_use<T>(&self, id: NodeId, select: impl Fn(Node) -> Option<T>) -> Option<T> {
        self.info(id).filter(|i| i.uses == 1).and_then(|_| select(self.graph.node(id)))
    }

    /// The factors of a product that its only reader may compute in a multiply-add. Quotients stay separate.
    fn fusible_product(&self, id: NodeId) -> Option<(NodeId, NodeId)> {
        let (a, b) = self.single_use(id, |node| match node {
            Node::Mul(a, b) => Some((a, b)),
            _ => None,
        })?;
        (self.divisor(a).is_none() && self.divisor(b).is_none()).then_some((a, b))
    }

    /// y of a node 1/y with a single reader.
    fn divisor(&self, id: NodeId) -> Option<NodeId> {
        self.single_use(id, |node| match node {
            Node::Inv(y) => Some(y),
            _ => None,
        })
    }

    /// The instruction for a node.
    fn operation(&self, id: NodeId) -> Op<NodeId> {
        let later = |x: &(NodeId, NodeId), y: &(NodeId, NodeId)| {
            self.depth(x.0).max(self.depth(x.1)) > self.depth(y.0).max(self.depth(y.1))
        };
        match self.graph.node(id) {
            Node::Add(a, b) => match (self.fusible_product(a), self.fusible_product(b)) {
                // If both operands are products, the one that is ready later is fused into the sum.
                (Some(x), Some(y)) if later(&x, &y) => Op::MulAdd(x.0, x.1, b),
                (_, Some(y)) => Op::MulAdd(y.0, y.1, a),
                (Some(x), None) => Op::MulAdd(x.0, x.1, b),
                (None, None) => Op::Add(a, b),
            },
            Node::Sub(a, b) => match (self.fusible_product(a), self.fusible_product(b)) {
                (Some(x), Some(y)) if later(&x, &y) => Op::MulSub(x.0, x.1, b),
                (_, Some(y)) => Op::NegMulAdd(y.0, y.1, a),
                (Some(x), None) => Op::MulSub(x.0, x.1, b),
                (None, None) => Op::Sub(a, b),
            },
            Node::Mul(a, b) => match (self.divisor(a), self.divisor(b)) {
                (_, Some(y)) => Op::Div(a, y),
                (Some(y), None) => Op::Div(b, y),
                (None, None) => Op::Mul(a, b),
            },
            Node::Neg(a) => match self.fusible_product(a) {
                Some((x, y)) if self.sources.source(x) == Source::Literal => Op::Mul(self.graph.neg(x), y),
                Some((x, y)) if self.sources.source(y) == Source::Literal => Op::Mul(x, self.graph.neg(y)),
                _ => Op::Neg(a),
            },
            Node::Inv(a) => Op::Div(self.graph.constant(1.0), a),
            Node::Unary(Call1::Sqrt, a) => Op::Sqrt(a),
            Node::Unary(Call1::Sin | Call1::Cos, a) => Op::SinCos(a),
            Node::Unary(f, a) => Op::Call(f, a),
            Node::Binary(f, a, b) => Op::Call2(f, a, b),
            Node::Select(test, list) => Op::Select(test, list),
            Node::Called(f, _, list) => Op::Called(self.call_signature(f), list),
            Node::Number(_) | Node::Symbol(_) => unreachable!("literals and symbols are not computed"),
        }
    }

    /// Signature of a called function.
    fn call_signature(&self, function: FunctionId) -> Call {
        self.graph.with_functions(|all| {
            let f = &all[function.index()];
            let (arguments, results) = (f.arguments as u8, f.results() as u16);
            Call { function, arguments, results, settable: f.is_parameter() }
        })
    }

    /// The operand of a node, if it is available already.
    fn operand(&mut self, id: NodeId) -> Option<Operand> {
        match self.sources.source(id) {
            Source::Literal => Some(Operand::Literal(fold::constant(self.graph, id))),
            Source::Prepared => Some(Operand::Input(Input::Prepared, self.prepared.slot(id))),
            Source::Input(input, i) => Some(Operand::Input(input, i)),
            Source::Computed => {
                let value = self.info(id).map_or(NONE, |i| i.value);
                (value != NONE).then_some(Operand::Value(ValueId(value)))
            }
        }
    }

    /// Emits a node with all operands that it needs, longest chain first, and returns its operand.
    fn emit_operand(&mut self, root: NodeId) -> Operand {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.operand(id).is_some() {
                stack.pop();
                continue;
            }
            let op = self.operation(id);
            let mut missing: Vec<NodeId> = op.operands().filter(|o| self.operand(*o).is_none()).collect();
            if missing.is_empty() {
                self.emit(id, op);
                stack.pop();
            } else {
                missing.sort_by_key(|o| self.depth(*o));
                stack.extend(missing);
            }
        }
        self.operand(root).expect("it was emitted")
    }

    /// Emits the instruction of a node whose operands are available.
    fn emit(&mut self, id: NodeId, op: Op<NodeId>) {
        let value = match op {
            Op::SinCos(angle) => {
                let pair = match self.angles.get(&angle) {
                    Some(pair) => *pair,
                    None => {
                        let pair = self.push(op);
                        self.angles.insert(angle, pair);
                        pair
                    }
                };
                let is_cosine = matches!(self.graph.node(id), Node::Unary(Call1::Cos, _));
                ValueId(pair.0 + u32::from(is_cosine))
            }
            Op::Called(call, arguments) => {
                let first = match self.calls.get(&(call.function, arguments)) {
                    Some(first) => *first,
                    None => {
                        let first = self.push(op);
                        self.calls.insert((call.function, arguments), first);
                        first
                    }
                };
                let Node::Called(f, partial, _) = self.graph.node(id) else { unreachable!("it is a call") };
                let index = self.graph.with_functions(|all| all[f.index()].result_index(partial));
                ValueId(first.0 + index.expect("`check_derivatives` accepted the derivatives") as u32)
            }
            _ => self.push(op),
        };
        self.names[value.index()] = self.graph.name(id);
        let k = self.index[id.index()] as usize;
        self.infos[k].value = value.0;
    }

    fn push(&mut self, op: Op<NodeId>) -> ValueId {
        let value = ValueId(self.names.len() as u32);
        let op = op.map(|o| self.operand(o).expect("operands come first"));
        self.names.resize(self.names.len() + op.results(), None);
        self.body.push(Statement::Let { value, op });
        value
    }

    /// The inputs that the body and the outputs read.
    fn arguments(&self, outputs: &[Output], sizes: &InputSizes) -> Vec<Argument> {
        let implicit = self.body.iter().filter_map(Statement::implicit_input);
        let read = self.body.iter().flat_map(Statement::operands);
        let written = outputs.iter().flat_map(|o| o.values.iter().copied());
        let inputs: BTreeSet<Input> = read
            .chain(written)
            .filter_map(|o| match o {
                Operand::Input(input, _) => Some(input),
                _ => None,
            })
            .chain(implicit)
            .collect();
        let size = |input| match input {
            Input::Parameters => sizes.parameters,
            Input::Prepared => 0, // known when all functions are done
            Input::Slots(stage) => self.sources.slot_count(stage),
            Input::Params | Input::Time | Input::Step => 1,
            Input::Coordinates => sizes.coordinates,
            Input::Speeds | Input::Accelerations | Input::Forces => sizes.speeds,
            Input::Auxiliary => sizes.auxiliary,
            Input::Inputs => sizes.inputs,
            Input::Multipliers | Input::Targets => sizes.rows,
            Input::StageCoefficients => STAGE_COEFFICIENTS,
            Input::Residual => 2 * sizes.speeds + sizes.auxiliary,
        };
        inputs.into_iter().map(|input| Argument { input, size: size(input) }).collect()
    }

    /// For each value, whether only pivot checks need it.
    fn needed_by_checks_only(&self, outputs: &[Output]) -> Vec<bool> {
        let mut only = vec![true; self.names.len()];
        let need = |only: &mut Vec<bool>, operand| {
            if let Operand::Value(v) = operand {
                only[v.index()] = false;
            }
        };
        outputs.iter().flat_map(|o| &o.values).for_each(|o| need(&mut only, *o));
        for statement in self.body.iter().rev() {
            let Statement::Let { value, op } = statement else { continue };
            let results = &mut only[value.index()..value.index() + op.results()];
            if results.contains(&false) {
                results.fill(false);
                op.operands().for_each(|o| need(&mut only, o));
            }
        }
        only
    }
}
