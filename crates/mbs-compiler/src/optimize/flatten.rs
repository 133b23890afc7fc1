//! Takes a graph apart into sums of products.
//!
//! After this point: each head is an operation other than +, −, ·, or a sum of products of heads. Sums and products with one
//! reader that is itself a sum or product are no heads: they are part of their reader.

use crate::graph::{Graph, Node, NodeId};

/// Heads, parents first, with their terms in flat arrays.
pub struct Flat {
    heads: Vec<Head>,
    terms: Vec<Term>,
    atoms: Vec<NodeId>,
}

struct Head {
    id: NodeId,
    terms_end: usize,
}

struct Term {
    coefficient: f64,
    atoms_end: usize,
}

/// A head with its terms: for sums and products, coefficient and factors of each.
pub struct View<'a> {
    /// The node.
    pub id: NodeId,
    flat: &'a Flat,
    terms: std::ops::Range<usize>,
}

impl<'a> View<'a> {
    /// Terms of a sum of products; none for other operations.
    pub fn terms(&self) -> impl Iterator<Item = (f64, &'a [NodeId])> + use<'a> {
        let flat = self.flat;
        self.terms.clone().map(|t| {
            let start = t.checked_sub(1).map_or(0, |before| flat.terms[before].atoms_end);
            (flat.terms[t].coefficient, &flat.atoms[start..flat.terms[t].atoms_end])
        })
    }

    /// Whether the head is a sum or product.
    pub fn is_sum(&self) -> bool {
        !self.terms.is_empty()
    }
}

impl Flat {
    /// Heads, children first.
    pub fn heads(&self) -> impl Iterator<Item = View<'_>> {
        (0..self.heads.len()).rev().map(|h| {
            let start = h.checked_sub(1).map_or(0, |before| self.heads[before].terms_end);
            View { id: self.heads[h].id, flat: self, terms: start..self.heads[h].terms_end }
        })
    }
}

/// Whether a literal merges with other coefficients: multiples of 1/8 up to 64, whose products are exact. Others are opaque.
pub fn is_coefficient(x: f64) -> bool {
    x.abs() <= 64.0 && (8.0 * x).fract() == 0.0
}

/// Takes the graph below `roots` apart.
pub fn flatten(graph: &Graph, roots: &[NodeId]) -> Flat {
    graph.with_nodes(|nodes, _| {
        let uses = uses(nodes, roots);
        let mut needed = Descent::new(nodes.len(), roots);
        let mut flat = Flat { heads: Vec::new(), terms: Vec::new(), atoms: Vec::new() };
        while let Some(id) = needed.next_node() {
            let first = flat.atoms.len();
            match nodes[id.index()] {
                Node::Number(_) | Node::Symbol(_) => {}
                Node::Add(..) | Node::Sub(..) | Node::Neg(_) | Node::Mul(..) => {
                    flat.add_terms(nodes, &uses, id);
                    flat.atoms[first..].iter().for_each(|a| needed.add(*a));
                }
                node => node.operands().for_each(|o| needed.add(o)),
            }
            flat.heads.push(Head { id, terms_end: flat.terms.len() });
        }
        flat
    })
}

/// Number of readers of each node below `roots`; a root counts as one.
fn uses(nodes: &[Node], roots: &[NodeId]) -> Vec<u32> {
    let mut uses = vec![0; nodes.len()];
    roots.iter().for_each(|r| uses[r.index()] += 1);
    let mut used = Descent::new(nodes.len(), roots);
    while let Some(id) = used.next_node() {
        for operand in nodes[id.index()].operands() {
            uses[operand.index()] += 1;
            used.add(operand);
        }
    }
    uses
}

/// Visits nodes in descending order, users before operands. The time depends on the nodes that are added, and hardly on the size of the graph,
/// which has the nodes of all kernels.
struct Descent {
    /// Nodes that are added and not visited, 64 to a word.
    words: Vec<u64>,
    /// Words from this one on are empty.
    end: usize,
}

impl Descent {
    fn new(nodes: usize, roots: &[NodeId]) -> Self {
        let words = nodes.div_ceil(64);
        let mut descent = Descent { words: vec![0; words], end: words };
        roots.iter().for_each(|root| descent.add(*root));
        descent
    }

    /// Adds a node below the one that was visited last.
    fn add(&mut self, id: NodeId) {
        self.words[id.index() / 64] |= 1 << (id.index() % 64);
    }

    fn next_node(&mut self) -> Option<NodeId> {
        while let Some(word) = self.words[..self.end].last_mut() {
            if *word != 0 {
                let bit = 63 - word.leading_zeros();
                *word &= !(1 << bit);
                return Some(NodeId(64 * (self.end as u32 - 1) + bit));
            }
            self.end -= 1;
        }
        None
    }
}

impl Flat {
    fn add_terms(&mut self, nodes: &[Node], uses: &[u32], head: NodeId) {
        let mut stack = vec![(head, 1.0)];
        while let Some((id, sign)) = stack.pop() {
            let open = id == head || uses[id.index()] == 1;
            match nodes[id.index()] {
                Node::Add(a, b) if open => stack.extend([(b, sign), (a, sign)]),
                Node::Sub(a, b) if open => stack.extend([(b, -sign), (a, sign)]),
                Node::Neg(a) if open => stack.push((a, -sign)),
                _ => self.add_product(nodes, uses, head, id, sign),
            }
        }
    }

    fn add_product(&mut self, nodes: &[Node], uses: &[u32], head: NodeId, product: NodeId, sign: f64) {
        let mut coefficient = sign;
        let mut stack = vec![product];
        while let Some(id) = stack.pop() {
            let open = id == head || uses[id.index()] == 1;
            match nodes[id.index()] {
                Node::Number(bits) if is_coefficient(f64::from_bits(bits)) => coefficient *= f64::from_bits(bits),
                Node::Mul(a, b) if open => stack.extend([b, a]),
                Node::Neg(a) if open => {
                    coefficient = -coefficient;
                    stack.push(a);
                }
                _ => self.atoms.push(id),
            }
        }
        self.terms.push(Term { coefficient, atoms_end: self.atoms.len() });
    }
}
