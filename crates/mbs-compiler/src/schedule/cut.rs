//! Stage cutting: determines where each function finds each node.
//!
//! After this point: every node of a function is a literal, a symbol, a prepared value, a slot of an earlier stage, or computed in the
//! function itself. A stage stores the nodes that later entries of the group read and no others.

use rustc_hash::FxHashMap;

use super::Entry;
use crate::graph::{Graph, Node, NodeId, Stage};
use crate::program::Input;

/// Source of a node in a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A literal, folded.
    Literal,
    /// A value of `prepare`.
    Prepared,
    /// An element of an input array.
    Input(Input, u32),
    /// An instruction of the function.
    Computed,
}

/// Nodes that the stages of a group store.
pub struct Group<'g> {
    graph: &'g Graph,
    keepers: Vec<Keeper>,
}

struct Keeper {
    entry: usize,
    stage: Stage,
    stored: FxHashMap<NodeId, u32>,
    list: Vec<NodeId>,
}

impl<'g> Group<'g> {
    /// Finds the nodes that each keeper must store: entries are visited last to first, so that a keeper's needs are complete when its own
    /// body is visited.
    pub fn new(graph: &'g Graph, entries: &[Entry]) -> Self {
        let keepers = entries.iter().enumerate().filter(|(_, e)| e.keeps);
        let keeper = |(entry, e): (usize, &Entry)| Keeper {
            entry,
            stage: e.stage,
            stored: FxHashMap::default(),
            list: Vec::new(),
        };
        let mut group = Group { graph, keepers: keepers.map(keeper).collect() };
        for (index, entry) in entries.iter().enumerate().rev() {
            let outputs = entry.outputs.iter().flat_map(|o| &o.nodes);
            let checks = entry.checks.iter().flat_map(|c| [&c.pivot, &c.magnitude]);
            let mut roots: Vec<NodeId> = outputs.chain(checks).copied().collect();
            if let Some(keeper) = group.keepers.iter_mut().find(|k| k.entry == index) {
                keeper.list.sort_unstable();
                keeper.stored = keeper.list.iter().copied().zip(0..).collect();
                roots.extend(&keeper.list);
            }
            group.store_needs(index, &roots);
        }
        group
    }

    fn store_needs(&mut self, entry: usize, roots: &[NodeId]) {
        if self.keepers.iter().all(|k| k.entry >= entry) {
            return;
        }
        let mut seen = vec![false; self.graph.len()];
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.keeper_of(entry, id) {
                Some(k) => {
                    let next = self.keepers[k].list.len() as u32;
                    let keeper = &mut self.keepers[k];
                    keeper.stored.entry(id).or_insert_with(|| {
                        keeper.list.push(id);
                        next
                    });
                }
                None if self.graph.stage(id) > Stage::Parameters => stack.extend(self.graph.node(id).operands()),
                None => {}
            }
        }
    }

    /// The first keeper before `entry` that computes the node; symbols and negations are not worth a slot.
    fn keeper_of(&self, entry: usize, id: NodeId) -> Option<usize> {
        let stage = self.graph.stage(id);
        if stage <= Stage::Parameters || matches!(self.graph.node(id), Node::Symbol(_) | Node::Neg(_)) {
            return None;
        }
        self.keepers.iter().position(|k| k.entry < entry && k.stage >= stage)
    }

    /// The sources of one entry.
    pub fn entry(&self, index: usize) -> Sources<'_> {
        Sources { graph: self.graph, group: Some((self, index)) }
    }
}

/// Sources of the nodes of one function.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    graph: &'a Graph,
    group: Option<(&'a Group<'a>, usize)>,
}

impl<'a> Sources<'a> {
    /// The sources of `prepare`: parameters.
    pub fn prepare(graph: &'a Graph) -> Self {
        Sources { graph, group: None }
    }

    /// Source of the node `id` in this function.
    pub fn of(&self, id: NodeId) -> Source {
        let node = self.graph.node(id);
        match (self.graph.stage(id), node, self.group) {
            (Stage::Constant, ..) => Source::Literal,
            (Stage::Parameters, _, Some(_)) => Source::Prepared,
            (_, Node::Symbol(s), _) => {
                let (input, index) = Input::of(s);
                Source::Input(input, index)
            }
            (_, _, None) => Source::Computed,
            (_, _, Some((group, entry))) => match group.keeper_of(entry, id) {
                Some(k) => {
                    let keeper = &group.keepers[k];
                    Source::Input(Input::Slots(keeper.stage), keeper.stored[&id])
                }
                None => Source::Computed,
            },
        }
    }

    /// Nodes that this function stores for later ones; `None` if it stores nothing.
    pub fn stored(&self) -> Option<&'a [NodeId]> {
        let (group, entry) = self.group?;
        group.keepers.iter().find(|k| k.entry == entry).map(|k| k.list.as_slice())
    }

    /// Number of values stored by the stage.
    pub fn slot_count(&self, stage: Stage) -> usize {
        let Some((group, entry)) = self.group else { return 0 };
        group.keepers.iter().find(|k| k.entry < entry && k.stage == stage).map_or(0, |k| k.list.len())
    }
}
