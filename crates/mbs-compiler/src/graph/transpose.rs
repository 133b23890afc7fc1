//! Transposes linear maps.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::{Graph, Node, NodeId, Symbol};

impl Graph {
    /// Product of a transposed Jacobian with a vector: Σₖ seedₖ ∂rootₖ/∂symbol for each of `symbols`, in which the roots are linear. One
    /// reverse sweep visits each shared sum once, so that the transposed map takes about as many operations as the map.
    pub fn transposed_product(&self, roots: &[NodeId], seeds: &[NodeId], symbols: &[Symbol]) -> Vec<NodeId> {
        let symbols: Vec<NodeId> = symbols.iter().map(|s| self.symbol(*s)).collect();
        let order = self.reachable(roots);
        let mut linear: HashSet<NodeId> = symbols.iter().copied().collect();
        for id in &order {
            if self.node(*id).operands().any(|o| linear.contains(&o)) {
                linear.insert(*id);
            }
        }
        let zero = self.constant(0.0);
        let mut swept: HashMap<NodeId, NodeId> = HashMap::default();
        let add = |swept: &mut HashMap<NodeId, NodeId>, id: NodeId, seed: NodeId| {
            if linear.contains(&id) {
                let sum = swept.entry(id).or_insert(zero);
                *sum = self.add(*sum, seed);
            }
        };
        roots.iter().zip(seeds).for_each(|(root, seed)| add(&mut swept, *root, *seed));
        for id in order.iter().rev() {
            let Some(seed) = swept.get(id).copied() else { continue };
            match self.node(*id) {
                Node::Symbol(_) => {}
                Node::Add(a, b) => [a, b].into_iter().for_each(|x| add(&mut swept, x, seed)),
                Node::Sub(a, b) => {
                    add(&mut swept, a, seed);
                    add(&mut swept, b, self.neg(seed));
                }
                Node::Neg(a) => add(&mut swept, a, self.neg(seed)),
                Node::Mul(a, b) => {
                    let (operand, factor) = if linear.contains(&a) { (a, b) } else { (b, a) };
                    add(&mut swept, operand, self.mul(factor, seed));
                }
                node => unreachable!("{node:?} is not linear in its operands"),
            }
        }
        symbols.iter().map(|s| swept.get(s).copied().unwrap_or(zero)).collect()
    }
}
