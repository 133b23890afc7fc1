//! Descriptions of items: names, kinds of rows, drawings, and the data of imported files that are not mechanical.

use mbs_check::find_undefined;
use mbs_core::{
    Contact, Describe, Item, Limits, Outline, Placement, RowKind, StateView, Visual, WrongDerivative, watch_derivatives,
};
use mbs_definition::Space;
use mbs_expr::BodyId;

use crate::Engine;

impl Describe for Engine {
    fn name(&self, item: Item) -> &str {
        if item == Item::Mechanism { &self.shared.model.header.name } else { self.shared.names.item_name(item) }
    }

    fn row_kind(&self, row: usize) -> RowKind {
        let (model, tree) = (&self.shared.model, &self.shared.tree);
        tree.rows.get(row).map_or(RowKind::Constraint, |row| model.row_kind(row))
    }

    fn is_switched(&self, row: usize) -> bool {
        self.shared.tree.rows.get(row).is_some_and(|row| row.enabled.is_some())
    }

    fn placement(&self, body: usize) -> Option<Placement> {
        self.shared.tree.placement(body)
    }

    fn is_spatial(&self) -> bool {
        self.shared.model.space == Space::Spatial
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        self.dynamics().marker_positions(at, &self.shared.drawn_markers, positions);
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        let marker = self.shared.drawn_markers.get(marker)?;
        self.shared.model.markers[marker.index()].body.map(BodyId::index)
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        self.shared.model.ends(item)
    }

    fn is_cable(&self, force: usize) -> bool {
        self.shared.model.loads.forces.get(force).is_some_and(|f| f.is_cable)
    }

    fn visual(&self, index: usize) -> Option<Visual> {
        self.shared.model.visual(index)
    }

    fn outline(&self, index: usize) -> Option<Outline<'_>> {
        self.shared.model.outline(index)
    }

    fn contact(&self, index: usize) -> Option<Contact> {
        mbs_physics::contact(&self.shared.model, &self.shared.tree, index)
    }

    fn limits(&self, joint: usize) -> Option<Limits> {
        self.shared.model.joint_limits(joint)
    }

    fn check_functions(&self, at: StateView) -> Result<(), WrongDerivative> {
        let outputs = &mut vec![0.0; self.shared.names.outputs.len()];
        watch_derivatives(self, at, outputs, self.shared.model.derivative_watches())
    }

    fn explain_not_finite(&self, at: StateView, report: &mut dyn FnMut(&str)) {
        let parameters = self.parameters();
        if let Some(found) = find_undefined(&self.shared.model, &self.shared.tree, parameters, at) {
            report(&found);
        }
    }
}
