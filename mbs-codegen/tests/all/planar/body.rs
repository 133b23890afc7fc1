//! The four-bar in body coordinates: `planar.py`, "four-bar body KKT 9+8".

use std::collections::BTreeMap;

use mbs_compiler::graph::Graph;
use mbs_expr::Scalar;

use super::{Linkage, Parameters, linkage, squares, unit};

/// Origins of the bodies' frames.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Pin,
    CentreOfMass,
}

/// Four-bar, centres of mass on the lines of the links.
pub fn four_bar(graph: &Graph, origin: Origin) -> Linkage<'_> {
    let mut p = Parameters { graph, values: Vec::new() };
    let length = [0.0564f64, 0.15, 0.1];
    let m = length.map(|x| p.add(2.0 * x));
    let j = length.map(|x| p.add(x * x * x / 6.0));
    let c = length.map(|x| p.add(0.5 * x));
    let l = length.map(|x| p.add(x));
    let g = p.add(9.81);
    let w2 = squares(graph, 3);
    let unit: Vec<_> = (0..3).map(|i| unit(graph, i)).collect();
    let mut mass = Vec::new();
    let mut right = Vec::new();
    for i in 0..3 {
        mass.extend([((3 * i, 3 * i), m[i]), ((3 * i + 1, 3 * i + 1), m[i])]);
        if origin == Origin::CentreOfMass {
            mass.push(((3 * i + 2, 3 * i + 2), j[i]));
            right.extend([Scalar::number(0.0), m[i] * -g, Scalar::number(0.0)]);
            continue;
        }
        let mc = unit[i].map(|e| e * (m[i] * c[i]));
        mass.extend([
            ((3 * i + 2, 3 * i), -mc[1]),
            ((3 * i + 2, 3 * i + 1), mc[0]),
            ((3 * i + 2, 3 * i + 2), j[i] + m[i] * (c[i] * c[i])),
        ]);
        right.extend([mc[0] * w2[i], mc[1] * w2[i] - m[i] * g, -(mc[0] * g)]);
    }
    // Joints: (first body and position on it, second body or ground); positions along the link.
    let none = Scalar::number(0.0);
    let joints = [
        [Some((0, none)), None],
        [Some((1, none)), Some((0, l[0]))],
        [Some((1, l[1])), Some((2, l[2]))],
        [Some((2, none)), None],
    ];
    let mut jacobian = BTreeMap::new();
    for (k, ends) in joints.iter().enumerate() {
        let mut gamma = [none, none];
        for (end, sign) in ends.iter().zip([1.0, -1.0]) {
            let Some((b, place)) = *end else { continue };
            let along = if origin == Origin::CentreOfMass { place - c[b] } else { place };
            let (u, sign) = (unit[b].map(|e| e * along), Scalar::number(sign));
            jacobian.insert((2 * k, 3 * b), sign);
            jacobian.insert((2 * k + 1, 3 * b + 1), sign);
            jacobian.insert((2 * k, 3 * b + 2), -u[1] * sign);
            jacobian.insert((2 * k + 1, 3 * b + 2), u[0] * sign);
            gamma = [gamma[0] + u[0] * w2[b] * sign, gamma[1] + u[1] * w2[b] * sign];
        }
        right.extend(gamma);
    }
    let jacobian = jacobian.into_iter().filter(|(_, x)| !x.is_zero()).collect();
    linkage(graph, p, (mass, jacobian, right), [1.0, -1.1, 4.3], [10.0, -3.0, 4.0])
}
