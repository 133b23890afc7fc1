//! Items declared over bodies, and over pairs of them.

use super::Builder;
use super::expressions::VELOCITIES;
use crate::description::{RawEach, RawSet};
use crate::plan::{Each, Over, Set};
use crate::world::Attachment;

/// Least distance of the origins of bodies whose inverse distance is used.
const APART: f64 = 0.25;

impl Builder {
    /// Adds a set with at least one pair; for an inverse distance, the points of all pairs differ.
    pub(super) fn set(&mut self, raw: &RawSet) {
        let n = self.plan.bodies.len();
        let each = match &raw.each {
            RawEach::Drag(e) => Each::Drag(self.resolve(e, VELOCITIES)),
            RawEach::Soft => Each::Soft,
            RawEach::Sharp => Each::Sharp,
            RawEach::Spring => Each::Spring,
            RawEach::Apart => Each::Apart,
        };
        let over = match (&each, n) {
            (Each::Drag(_), _) => Over::Bodies,
            (_, 1) => Over::Listed(vec![0]),
            _ if raw.listed.is_empty() => Over::Pairs,
            _ => Over::Listed(distinct(raw.listed.iter().map(|b| b % n))),
        };
        let each = match each {
            Each::Sharp | Each::Spring | Each::Apart if !self.are_apart(&over) => Each::Soft,
            each => each,
        };
        self.plan.sets.push(Set { over, each, strength: raw.strength });
    }

    fn are_apart(&self, over: &Over) -> bool {
        let world = self.plan.world();
        // A body without a declared position starts at the origin, and stays there if no joint moves it.
        let origins = |b: usize| {
            let truth = Attachment::origin(Some(b)).position(&world).map(|x| x.value());
            if self.plan.bodies[b].declared[0] { vec![truth] } else { vec![truth, [0.0; 3]] }
        };
        let points: Vec<Vec<[f64; 3]>> = match over {
            Over::Listed(list) => std::iter::once(vec![[0.0; 3]]).chain(list.iter().map(|b| origins(*b))).collect(),
            _ => (0..self.plan.bodies.len()).map(origins).collect(),
        };
        let distance = |p: &[f64; 3], q: &[f64; 3]| (p[0] - q[0]).hypot(p[1] - q[1]).hypot(p[2] - q[2]);
        let is_apart = |a: &[[f64; 3]], b: &[[f64; 3]]| a.iter().all(|p| b.iter().all(|q| distance(p, q) > APART));
        (0..points.len()).all(|i| points[..i].iter().all(|other| is_apart(other, &points[i])))
    }
}

fn distinct(list: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut found = Vec::new();
    list.for_each(|b| {
        if !found.contains(&b) {
            found.push(b);
        }
    });
    found
}
