//! Closed planar linkages in absolute angles, written by hand: the costs that the compiler should attain.

pub mod body;

use std::collections::BTreeMap;

use mbs_compiler::evaluate::evaluate;
use mbs_compiler::graph::{Graph, NodeId, Sym, Symbol};
use mbs_compiler::optimize::count;
use mbs_compiler::solve::{Block, Factor, Saddle};
use mbs_expr::{Function, Scalar};

/// [M Gᵀ; G 0] and its right side, with values at which pivots are tested.
pub struct Linkage<'g> {
    pub n: usize,
    pub mass: BTreeMap<(usize, usize), NodeId>,
    pub jacobian: BTreeMap<(usize, usize), NodeId>,
    pub right: Vec<NodeId>,
    pub parameters: Vec<f64>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    graph: &'g Graph,
}

/// Parameters as they are declared, with default values.
struct Parameters<'g> {
    graph: &'g Graph,
    values: Vec<f64>,
}

impl<'g> Parameters<'g> {
    fn add(&mut self, value: f64) -> Sym<'g> {
        let id = self.graph.symbol(Symbol::Parameter(self.values.len() as u32));
        self.values.push(value);
        Sym::Node(self.graph, id)
    }
}

fn unit(graph: &Graph, i: u32) -> [Sym<'_>; 2] {
    let angle = Sym::Node(graph, graph.symbol(Symbol::Coordinate(i)));
    [angle.unary(Function::Cos), angle.unary(Function::Sin)]
}

fn squares(graph: &Graph, n: u32) -> Vec<Sym<'_>> {
    let speed = |i| Sym::Node(graph, graph.symbol(Symbol::Speed(i)));
    (0..n).map(|i| speed(i) * speed(i)).collect()
}

fn dot<'g>(a: [Sym<'g>; 2], b: [Sym<'g>; 2]) -> Sym<'g> {
    a[0] * b[0] + a[1] * b[1]
}

fn cross<'g>(a: [Sym<'g>; 2], b: [Sym<'g>; 2]) -> Sym<'g> {
    a[0] * b[1] - a[1] * b[0]
}

/// Four-bar, centres of mass on the lines of the links: `prototypes/opcounts/planar.py`, "four-bar joint(abs angles) kkt \[sym\]".
pub fn four_bar(graph: &Graph) -> Linkage<'_> {
    let mut p = Parameters { graph, values: Vec::new() };
    let length = [0.0564f64, 0.15, 0.1];
    let l = length.map(|x| p.add(x));
    let m = length.map(|x| p.add(2.0 * x));
    let j = length.map(|x| p.add(x * x * x / 6.0));
    let k = length.map(|_| p.add(0.5));
    let g = p.add(9.81);
    let w2 = squares(graph, 3);
    let u: Vec<[Sym<'_>; 2]> = (0..3).map(|i| unit(graph, i as u32).map(|c| l[i] * c)).collect();
    let about_pin = |i: usize| j[i] + m[i] * (k[i] * k[i]) * (l[i] * l[i]);
    let mk: Vec<Sym<'_>> = (0..3).map(|i| m[i] * k[i]).collect();
    let h = [mk[1] * u[1][0], mk[1] * u[1][1]];
    let (coupled, spin) = (dot(u[0], h), cross(u[0], h));
    let inertia = [about_pin(0) + m[1] * (l[0] * l[0]), about_pin(1), about_pin(2)];
    let weight = [g * (mk[0] + m[1]), g * mk[1], g * mk[2]];
    let forces = [w2[1] * spin - weight[0] * u[0][0], -(w2[0] * spin) - weight[1] * u[1][0], -(weight[2] * u[2][0])];
    let gamma = [0, 1].map(|c| w2[0] * u[0][c] + w2[1] * u[1][c] - w2[2] * u[2][c]);
    let columns = [[-u[0][1], u[0][0]], [-u[1][1], u[1][0]], [u[2][1], -u[2][0]]];
    let jacobian = (0..3).flat_map(|i| [0, 1].map(|r| ((r, i), columns[i][r]))).collect();
    let mass = vec![((0, 0), inertia[0]), ((1, 1), inertia[1]), ((2, 2), inertia[2]), ((1, 0), coupled)];
    let right = forces.into_iter().chain(gamma).collect();
    linkage(graph, p, (mass, jacobian, right), [1.0, 0.6, 2.0], [10.0, -3.0, 4.0])
}

/// Slider-crank: `planar.py`, "slider-crank joint(abs) kkt \[sym\]".
pub fn slider_crank(graph: &Graph) -> Linkage<'_> {
    let mut p = Parameters { graph, values: Vec::new() };
    let [r, l, c1, c2] = [0.3, 1.0, 0.1, 0.4].map(|x| p.add(x));
    let [m1, m2, m3, i1, i2, g] = [0.36, 0.15, 0.1, 7e-4, 3e-6, 9.81].map(|x| p.add(x));
    let w2 = squares(graph, 2);
    let u = [unit(graph, 0).map(|c| r * c), unit(graph, 1).map(|c| l * c)];
    let (k1, k2) = (c1 / r, c2 / l);
    let mb = m2 * k2;
    let (j1, j2) = (i1 + m1 * c1 * c1, i2 + m2 * c2 * c2);
    let (coupled, spin) = (mb * dot(u[0], u[1]), mb * cross(u[0], u[1]));
    let forces =
        [w2[1] * spin - (g * (m1 * k1 + m2)) * u[0][0], -(w2[0] * spin) - (g * mb) * u[1][0], Sym::number(0.0)];
    let gamma = [0, 1].map(|c| w2[0] * u[0][c] + w2[1] * u[1][c]);
    let mass = vec![((0, 0), j1 + m2 * r * r), ((1, 1), j2), ((2, 2), m3), ((1, 0), coupled)];
    let jacobian =
        vec![((0, 0), -u[0][1]), ((1, 0), u[0][0]), ((0, 1), -u[1][1]), ((1, 1), u[1][0]), ((0, 2), Sym::number(-1.0))];
    let right = forces.into_iter().chain(gamma).collect();
    linkage(graph, p, (mass, jacobian, right), [0.5, -0.3, 0.0], [15.0, -4.0, 0.0])
}

type Entries<'g> = Vec<((usize, usize), Sym<'g>)>;

fn linkage<'g>(
    graph: &'g Graph,
    parameters: Parameters<'g>,
    (mass, jacobian, right): (Entries<'g>, Entries<'g>, Vec<Sym<'g>>),
    q: [f64; 3],
    v: [f64; 3],
) -> Linkage<'g> {
    let n = mass.iter().map(|((i, _), _)| i + 1).max().unwrap_or(0);
    Linkage {
        n,
        mass: mass.into_iter().map(|(k, x)| (k, x.id(graph))).collect(),
        jacobian: jacobian.into_iter().map(|(k, x)| (k, x.id(graph))).collect(),
        right: right.into_iter().map(|x| x.id(graph)).collect(),
        parameters: parameters.values,
        q: q.to_vec(),
        v: v.to_vec(),
        graph,
    }
}

impl Linkage<'_> {
    /// A symbol's value.
    pub fn value(&self, symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Speed(i) => self.v[i as usize],
            _ => 0.0,
        }
    }

    /// The matrix [M Gᵀ; G 0].
    pub fn saddle(&self) -> Saddle {
        Saddle::new(self.n, self.right.len() - self.n, &self.mass, &self.jacobian, &Default::default())
    }

    /// Accelerations and multipliers by one elimination order; `None` if a pivot vanishes at the values.
    pub fn solve_in_order(&self, order: Vec<usize>) -> Option<(Vec<NodeId>, Factor)> {
        let saddle = self.saddle();
        let factor = Factor::new(self.graph, &saddle, order.into_iter().map(Block::One).collect())?;
        let pivots: Vec<NodeId> = factor.pivots.iter().flat_map(|(_, d, m)| [*d, *m]).collect();
        let values = evaluate(self.graph, &pivots, &|s| self.value(s));
        let regular = values.chunks(2).all(|d| d[0].abs() > 1e-7 * d[1]);
        regular.then(|| (factor.solve(self.graph, &saddle, &self.right), factor))
    }

    /// Accelerations and multipliers by the cheapest order.
    pub fn solve(&self) -> (Vec<NodeId>, Factor) {
        let solved = permutations(self.right.len()).into_iter().filter_map(|order| self.solve_in_order(order));
        solved.min_by_key(|(x, _)| count(self.graph, x).operations).expect("some order works")
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let insert = |p: Vec<usize>| {
        (0..n).map(move |position| {
            let mut p = p.clone();
            p.insert(position, n - 1);
            p
        })
    };
    permutations(n - 1).into_iter().flat_map(insert).collect()
}
