//! Substitutes nodes for others.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::{Graph, NodeId};

/// A substitution on one graph that memoises its results: roots that share nodes may be substituted one after the other.
#[derive(Default)]
pub struct Substitution {
    replace: HashMap<NodeId, NodeId>,
    done: RefCell<Done>,
}

/// Memoised results of a substitution.
#[derive(Default)]
struct Done {
    made: HashMap<NodeId, NodeId>,
    /// Number of the graph's named nodes that were examined.
    named: usize,
    /// Nodes that got a name after their replacement was made without one.
    late: BTreeSet<NodeId>,
}

impl Substitution {
    /// A substitution that replaces each node for which `replace` has an entry.
    pub fn new(replace: HashMap<NodeId, NodeId>) -> Self {
        Substitution { replace, ..Substitution::default() }
    }

    /// `roots` with nodes replaced, and with the names that [`Graph::substitute`] gives. The time depends on the nodes not visited before.
    pub fn apply(&self, graph: &Graph, roots: &[NodeId]) -> Vec<NodeId> {
        let done = &mut *self.done.borrow_mut();
        done.find_late_names(graph);
        graph.substitute_memoized(roots, &self.replace, done)
    }
}

impl Done {
    /// Collects the replaced nodes that have got a name since their replacement, which has none.
    fn find_late_names(&mut self, graph: &Graph) {
        let inner = graph.inner.borrow();
        let Done { made, named, late } = self;
        late.extend(inner.named[*named..].iter().filter(|id| made.contains_key(id)));
        *named = inner.named.len();
        late.retain(|id| !inner.names.contains_key(&made[id]));
    }
}

impl Graph {
    /// All nodes that `roots` need, in ascending order (children first).
    pub fn reachable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.reachable_unless(roots, |_| false)
    }

    /// Nodes that `roots` need, in ascending order, without known nodes and those that only known nodes need.
    fn reachable_unless(&self, roots: &[NodeId], known: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let inner = self.inner.borrow();
        let mut seen: HashSet<NodeId> = HashSet::default();
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !known(id) && seen.insert(id) {
                stack.extend(inner.nodes[id.index()].operands());
            }
        }
        let mut order: Vec<NodeId> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// `roots` with each node below them replaced for which `replace` has an entry; replacements take over names.
    pub fn substitute(&self, roots: &[NodeId], replace: &HashMap<NodeId, NodeId>) -> Vec<NodeId> {
        self.substitute_memoized(roots, replace, &mut Done::default())
    }

    /// As [`Graph::substitute`], with the memoised results in `done`, which it extends.
    fn substitute_memoized(&self, roots: &[NodeId], replace: &HashMap<NodeId, NodeId>, done: &mut Done) -> Vec<NodeId> {
        let Done { made, late, .. } = done;
        // Operands have smaller ids than their users: nodes smaller than the first late name have no late names below them.
        let finished = |id: NodeId| made.contains_key(&id) && late.first().is_none_or(|first| id < *first);
        for id in self.reachable_unless(roots, finished) {
            let replacement = match made.get(&id).or_else(|| replace.get(&id)) {
                Some(node) => *node,
                None => self.rebuild(self.node(id), &mut |o| made[&o]),
            };
            if let Some(name) = self.name(id) {
                self.suggest(replacement, name);
            }
            made.insert(id, replacement);
        }
        roots.iter().map(|r| made[r]).collect()
    }
}
