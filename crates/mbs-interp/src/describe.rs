//! Descriptions: names, kinds of rows, drawings, and data of imported files other than mechanics.

use mbs_check::find_undefined;
use mbs_core::{
    Contact, Describe, Item, Limits, Outline, Placement, RowKind, StateView, Visual, WrongDerivative, watch_derivatives,
};
use mbs_definition::Space;
use mbs_expr::BodyId;

use super::{Interpreted, position_inputs};

impl Describe for Interpreted {
    fn name(&self, item: Item) -> &str {
        if item == Item::Mechanism { &self.compiled.model.header.name } else { self.names.item_name(item) }
    }

    fn row_kind(&self, row: usize) -> RowKind {
        let (model, tree) = (&self.compiled.model, &self.compiled.tree);
        tree.rows.get(row).map_or(RowKind::Constraint, |row| model.row_kind(row))
    }

    fn is_switched(&self, row: usize) -> bool {
        self.compiled.tree.rows.get(row).is_some_and(|row| row.enabled.is_some())
    }

    fn placement(&self, body: usize) -> Option<Placement> {
        self.compiled.tree.placement(body)
    }

    fn is_spatial(&self) -> bool {
        self.compiled.model.space == Space::Spatial
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        let flat = self.single_output("marker_positions", position_inputs(at));
        if self.is_spatial() {
            for (position, flat) in positions.iter_mut().zip(flat.chunks_exact(3)) {
                position.copy_from_slice(flat);
            }
            return;
        }
        for (position, planar) in positions.iter_mut().zip(flat.chunks_exact(2)) {
            *position = [planar[0], planar[1], 0.0];
        }
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        let drawn = self.compiled.model.markers.iter().filter(|m| m.drawn);
        drawn.map(|m| m.body.map(BodyId::index)).nth(marker).flatten()
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        self.compiled.model.ends(item)
    }

    fn is_cable(&self, force: usize) -> bool {
        self.compiled.model.loads.forces.get(force).is_some_and(|f| f.is_cable)
    }

    fn visual(&self, index: usize) -> Option<Visual> {
        self.compiled.model.visual(index)
    }

    fn outline(&self, index: usize) -> Option<Outline<'_>> {
        self.compiled.model.outline(index)
    }

    fn contact(&self, index: usize) -> Option<Contact> {
        mbs_physics::contact(&self.compiled.model, &self.compiled.tree, index)
    }

    fn limits(&self, joint: usize) -> Option<Limits> {
        self.compiled.model.joint_limits(joint)
    }

    fn check_functions(&self, at: StateView) -> Result<(), WrongDerivative> {
        let outputs = &mut vec![0.0; self.names.outputs.len()];
        watch_derivatives(self, at, outputs, self.compiled.model.derivative_watches())
    }

    fn explain_not_finite(&self, at: StateView, report: &mut dyn FnMut(&str)) {
        let (model, tree) = (&self.compiled.model, &self.compiled.tree);
        if let Some(found) = find_undefined(model, tree, self.parameters(), at) {
            report(&found);
        }
    }
}
