//! Stage cutting: determines the source of each node in each function.
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

/// The entries of a group that fill stages, and the nodes that they store.
pub struct Group<'g> {
    graph: &'g Graph,
    stores: Vec<StageStore>,
}

/// An entry that fills a stage.
struct StageStore {
    /// Index of the entry.
    entry: usize,
    stage: Stage,
    /// Slot of each stored node.
    slots: FxHashMap<NodeId, u32>,
    /// The stored nodes, slot by slot.
    list: Vec<NodeId>,
}

impl<'g> Group<'g> {
    /// Finds the nodes that each stage stores: entries are visited last to first, so that the list of a stage is complete when the entry that
    /// fills it is visited.
    pub fn new(graph: &'g Graph, entries: &[Entry]) -> Self {
        let stores = entries.iter().enumerate().filter(|(_, e)| e.stores_stage);
        let store = |(entry, e): (usize, &Entry)| StageStore {
            entry,
            stage: e.stage,
            slots: FxHashMap::default(),
            list: Vec::new(),
        };
        let mut group = Group { graph, stores: stores.map(store).collect() };
        for (index, entry) in entries.iter().enumerate().rev() {
            let outputs = entry.outputs.iter().flat_map(|o| &o.nodes);
            let checks = entry.checks.iter().flat_map(|c| [&c.pivot, &c.magnitude]);
            let mut roots: Vec<NodeId> = outputs.chain(checks).copied().collect();
            if let Some(store) = group.stores.iter_mut().find(|k| k.entry == index) {
                store.list.sort_unstable();
                store.slots = store.list.iter().copied().zip(0..).collect();
                roots.extend(&store.list);
            }
            group.store_needs(index, &roots);
        }
        group
    }

    /// Stores the nodes below `roots` that earlier entries can compute for this entry.
    fn store_needs(&mut self, entry: usize, roots: &[NodeId]) {
        if self.stores.iter().all(|k| k.entry >= entry) {
            return;
        }
        let mut seen = vec![false; self.graph.len()];
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.storing_entry(entry, id) {
                Some(k) => {
                    let next = self.stores[k].list.len() as u32;
                    let store = &mut self.stores[k];
                    store.slots.entry(id).or_insert_with(|| {
                        store.list.push(id);
                        next
                    });
                }
                None if self.graph.stage(id) > Stage::Parameters => stack.extend(self.graph.node(id).operands()),
                None => {}
            }
        }
    }

    /// Index in `stores` of the first entry before `entry` that computes the node; symbols and negations are not stored.
    fn storing_entry(&self, entry: usize, id: NodeId) -> Option<usize> {
        let stage = self.graph.stage(id);
        if stage <= Stage::Parameters || matches!(self.graph.node(id), Node::Symbol(_) | Node::Neg(_)) {
            return None;
        }
        self.stores.iter().position(|k| k.entry < entry && k.stage >= stage)
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

    /// The source of a node in this function.
    pub fn source(&self, id: NodeId) -> Source {
        let node = self.graph.node(id);
        match (self.graph.stage(id), node, self.group) {
            (Stage::Constant, ..) => Source::Literal,
            (Stage::Parameters, _, Some(_)) => Source::Prepared,
            (_, Node::Symbol(s), _) => {
                let (input, index) = Input::from_symbol(s);
                Source::Input(input, index)
            }
            (_, _, None) => Source::Computed,
            (_, _, Some((group, entry))) => match group.storing_entry(entry, id) {
                Some(k) => {
                    let store = &group.stores[k];
                    Source::Input(Input::Slots(store.stage), store.slots[&id])
                }
                None => Source::Computed,
            },
        }
    }

    /// Nodes that this function stores for later ones; `None` if it stores nothing.
    pub fn stored_nodes(&self) -> Option<&'a [NodeId]> {
        let (group, entry) = self.group?;
        group.stores.iter().find(|k| k.entry == entry).map(|k| k.list.as_slice())
    }

    /// Number of values stored by the stage.
    pub fn slot_count(&self, stage: Stage) -> usize {
        let Some((group, entry)) = self.group else { return 0 };
        group.stores.iter().find(|k| k.entry < entry && k.stage == stage).map_or(0, |k| k.list.len())
    }
}
