//! Outlines of curves at default parameters: points for pictures.

use mbs_expr::ExprId;
use mbs_model::{CurveRange, Outline};

use crate::curves::ends_meet;
use crate::finish::Finishing;
use crate::resolvers::Resolves;
use crate::tables::CurvePoint;
use crate::tables::Names;
use crate::{Category, Res, State};

/// Number of straight segments that a curve is drawn with.
const PARTS: usize = 120;

impl<'a> Names<'a> {
    /// Index of a curve among all curves.
    pub(crate) fn curve_index(&self, slot: usize) -> u32 {
        self.slots[..slot].iter().filter(|slot| slot.category == Category::Curve).count() as u32
    }
}

impl<'a> Finishing<'a> {
    /// Outlines of all curves, in the order of declaration. Points that depend on functions with unknown values are left out.
    pub(crate) fn outlines(&mut self) -> Vec<Outline> {
        let slots: Vec<usize> = (0..self.resolver.names.slots.len())
            .filter(|s| {
                self.resolver.names.slots[*s].category == Category::Curve
                    && !matches!(self.resolver.names.slots[*s].state, State::Bad)
            })
            .collect();
        let extent = self.extent();
        // Expressions of the samples are of no further use.
        let kept = (!slots.is_empty()).then(|| self.resolver.exprs.clone());
        let outlines = slots.into_iter().filter_map(|slot| {
            let scope = self.resolver.names.slots[slot].scope.clone();
            self.in_scope(&scope, |r| r.outline(slot, extent)).ok()
        });
        let outlines = outlines.collect();
        if let Some(kept) = kept {
            self.resolver.exprs = kept;
        }
        outlines
    }

    fn outline(&mut self, slot: usize, extent: f64) -> Res<Outline> {
        let (range, name) = (self.curve_resolver().range_of_curve(slot)?, self.resolver.names.slots[slot].name.clone());
        let ([from, to], is_endless) = match range {
            Some(CurveRange::Between(ends)) => (ends, false),
            Some(CurveRange::Size) => ([-extent, extent], true),
            None => ([-1.0, 1.0], true),
        };
        let mut points = Vec::new();
        let mut marker = None;
        for k in 0..=PARTS {
            let s = from + (to - from) * k as f64 / PARTS as f64;
            let parameter = self.resolver.exprs.constant(s);
            let traced = self.curve_resolver().trace_curve(slot, parameter)?;
            marker = Some(traced.marker);
            points.extend(self.seen_from_marker(&traced).map(|[x, y]| [s, x, y]));
        }
        let marker = self.field_resolver().marker_to_draw(marker.expect("there are samples"));
        let point = |k: usize| [points[k][1], points[k][2]];
        let is_complete = !is_endless && points.len() > PARTS;
        let is_closed = is_complete && ends_meet(point(0), point(PARTS), point(2 * PARTS / 5));
        Ok(Outline { name, marker, points, period: is_closed.then_some(to - from), is_endless })
    }

    /// The point relative to the marker \[m\], in body axes; `None` where it is not known or not finite.
    fn seen_from_marker(&mut self, traced: &CurvePoint) -> Option<[f64; 2]> {
        let angle = self.resolver.at_defaults(self.resolver.bodies.markers[traced.marker.index()].angle)?;
        let [x, y] = traced.derivatives[0].map(|e: ExprId| self.resolver.at_defaults(e).filter(|x| x.is_finite()));
        let (s, c) = angle.sin_cos();
        Some([c * x? - s * y?, s * x? + c * y?])
    }

    /// Largest distance of declared locations from their origins \[m\]; 1 where all are zero.
    fn extent(&self) -> f64 {
        let points_declared = self
            .resolver
            .bodies
            .markers
            .iter()
            .map(|m| m.point)
            .chain(self.resolver.bodies.all.iter().filter_map(|b| b.position));
        let lengths = points_declared
            .map(|p| p.map(|e| self.resolver.at_defaults(e).unwrap_or(0.0)).iter().map(|x| x * x).sum::<f64>());
        match lengths.fold(0.0, f64::max).sqrt() {
            extent if extent > 0.0 && extent.is_finite() => extent,
            _ => 1.0,
        }
    }
}
