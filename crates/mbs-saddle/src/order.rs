//! The elimination order and the pattern of L.

use std::collections::BTreeSet;

/// A strict order and the fill of elimination in it.
#[derive(Clone, Debug)]
pub(super) struct Elimination {
    /// Unknown at each position of the order: speeds are `0..n_v`, rows follow.
    pub order: Vec<usize>,
    /// For each position p, the positions i > p where column p of L has entries, ascending.
    pub columns: Vec<Vec<usize>>,
}

/// Selects the unknown of least degree among speeds, and rows whose speeds are all eliminated; ties by index. `pairs` are the entries of K.
///
/// # Source
/// Tinney & Walker (1967), Proc. IEEE 55, 1801–1809, scheme 2, with the strictness of the parent module.
pub(super) fn eliminate(n_v: usize, n_c: usize, pairs: &[(usize, usize)]) -> Elimination {
    let n = n_v + n_c;
    let mut neighbours = neighbours(n, pairs);
    let rows: Vec<Vec<usize>> =
        neighbours[..n_v].iter().map(|of| of.iter().copied().filter(|i| *i >= n_v).collect()).collect();
    // Number of speeds of each row that are not eliminated yet.
    let mut waits = vec![0; n];
    rows.iter().flatten().for_each(|row| waits[*row] += 1);
    let mut eligible: BTreeSet<(usize, usize)> =
        (0..n).filter(|i| waits[*i] == 0).map(|i| (neighbours[i].len(), i)).collect();
    let mut order = Vec::with_capacity(n);
    let mut columns = Vec::with_capacity(n);
    while let Some((_, p)) = eligible.pop_first() {
        let column = std::mem::take(&mut neighbours[p]);
        for i in &column {
            eligible.remove(&(neighbours[*i].len(), *i));
            neighbours[*i] = union(&neighbours[*i], &column, [*i, p]);
        }
        if let Some(rows) = rows.get(p) {
            rows.iter().for_each(|row| waits[*row] -= 1);
        }
        eligible.extend(column.iter().filter(|i| waits[**i] == 0).map(|i| (neighbours[*i].len(), *i)));
        order.push(p);
        columns.push(column);
    }
    let mut positions = vec![0; n];
    order.iter().enumerate().for_each(|(position, unknown)| positions[*unknown] = position);
    for column in &mut columns {
        column.iter_mut().for_each(|i| *i = positions[*i]);
        column.sort_unstable();
    }
    Elimination { order, columns }
}

/// For each unknown, the unknowns that have an entry of K with it, ascending.
fn neighbours(n: usize, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); n];
    for (i, j) in pairs.iter().filter(|(i, j)| i != j) {
        neighbours[*i].push(*j);
        neighbours[*j].push(*i);
    }
    for of in &mut neighbours {
        of.sort_unstable();
        of.dedup();
    }
    neighbours
}

/// Union of two ascending lists, without two elements.
fn union(a: &[usize], b: &[usize], without: [usize; 2]) -> Vec<usize> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let Some(least) = [a.peek(), b.peek()].into_iter().flatten().min().copied().copied() {
        a.next_if_eq(&&least);
        b.next_if_eq(&&least);
        if !without.contains(&least) {
            all.push(least);
        }
    }
    all
}
