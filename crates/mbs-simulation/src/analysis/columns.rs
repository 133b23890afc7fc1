//! Columns of a recording by name, from any of its tables, with their recorded rates.

use super::AnalysisError;
use super::curve::Curve;
use crate::{Quantity, Recording, UnknownName};

/// Tables in which a name without the symbol of its table is searched for, in this order.
const BARE: [Quantity; 5] =
    [Quantity::Outputs, Quantity::Coordinates, Quantity::Speeds, Quantity::Inputs, Quantity::Auxiliary];

impl Recording {
    /// A column by its name in CSV files, or an output, coordinate, speed, input or auxiliary state by its name alone.
    ///
    /// - `q.crank.angle`, `output.stroke`, `a.crank.rate`, `reaction.pin.x`, `energy.kinetic`, … as [`Recording::to_csv`] writes
    ///   them; `stroke`, `crank.angle` for short.
    /// - `marker.tracer.x`, `body.piston.y`, `reaction.pin.point.x`: components of positions \[m\];
    /// - `reaction.pin.magnitude` \[N\]; `drive.motor`, the load of a drive; `energy.total` \[J\].
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest name.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, UnknownName> {
        let (kind, rest) = name.split_once('.').unwrap_or((name, ""));
        let table = self.tables().iter().find(|table| table.quantity().symbol() == kind);
        if let Some(column) = table.and_then(|table| table.column(rest).ok()) {
            return Ok(column.to_vec());
        }
        let derived = match kind {
            "drive" => self.drive(rest).ok(),
            "energy" if rest == "total" => Some(self.total_energy()),
            "reaction" => self.reaction_column(rest),
            "marker" => component(rest, |marker| self.marker(marker).ok()),
            "body" => component(rest, |body| self.body(body).ok().map(|body| &*body.positions)),
            _ => None,
        };
        let bare = || BARE.iter().find_map(|quantity| self.table(*quantity).column(name).ok()).map(<[f64]>::to_vec);
        derived.or_else(bare).ok_or_else(|| {
            let known = self.column_names();
            UnknownName::new("column", name, known.iter().map(String::as_str))
        })
    }

    /// `joint.magnitude` or `joint.point.x` of a reaction.
    fn reaction_column(&self, rest: &str) -> Option<Vec<f64>> {
        if let Some(joint) = rest.strip_suffix(".magnitude") {
            return Some(self.reaction(joint).ok()?.magnitude());
        }
        let (joint, axis) = rest.rsplit_once(".point.")?;
        component(&format!("{joint}.{axis}"), |joint| self.reaction(joint).ok().map(|reaction| reaction.points))
    }

    /// Names that [`Recording::column`] takes.
    fn column_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for table in self.tables() {
            let symbol = table.quantity().symbol();
            names.extend(table.names().iter().map(|name| format!("{symbol}.{name}")));
            if BARE.contains(&table.quantity()) {
                names.extend(table.names().iter().cloned());
            }
        }
        names.extend(self.drives().map(|drive| format!("drive.{drive}")));
        if self.has_loads() {
            names.extend(self.joints().iter().map(|joint| format!("reaction.{}.magnitude", joint.name)));
        }
        let positions = self.markers().iter().map(|marker| format!("marker.{}", marker.name));
        let positions = positions.chain(self.bodies().iter().map(|body| format!("body.{}", body.name)));
        let axes: &[&str] = if self.is_spatial() { &["x", "y", "z"] } else { &["x", "y"] };
        names.extend(positions.flat_map(|position| axes.iter().map(move |axis| format!("{position}.{axis}"))));
        names
    }

    /// A column as a function of time, with the recorded rates: v and a of a coordinate, a of a speed.
    pub(super) fn curve(&self, name: &str) -> Result<Curve, AnalysisError> {
        let values = self.column(name)?;
        let position = |quantity: Quantity| {
            let names = self.table(quantity).names();
            let prefixed = name.strip_prefix(quantity.symbol()).and_then(|rest| rest.strip_prefix('.'));
            // A name without a symbol is first that of an output.
            let is_output = self.output(name).is_ok();
            names.iter().position(|known| prefixed == Some(known) || known == name && !is_output)
        };
        let column = |quantity: Quantity, i: usize| Some(self.table(quantity).columns()[i].as_slice());
        // Without loads, accelerations of motions with degrees of freedom are not the rates of their velocities.
        let rates = if !self.has_loads() {
            [None, None]
        } else if let Some(i) = position(Quantity::Coordinates).filter(|_| self.speeds_are_rates()) {
            [column(Quantity::Speeds, i), column(Quantity::Accelerations, i)]
        } else if let Some(i) = position(Quantity::Speeds) {
            [column(Quantity::Accelerations, i), None]
        } else {
            [None, None]
        };
        Curve::new(name, self.times(), [Some(&values), rates[0], rates[1]])
    }
}

/// `name.x`, `name.y` or `name.z` of positions.
fn component<'r>(name: &str, positions: impl Fn(&str) -> Option<&'r [[f64; 3]]>) -> Option<Vec<f64>> {
    let (name, axis) = name.rsplit_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|known| *known == axis)?;
    Some(positions(name)?.iter().map(|p| p[axis]).collect())
}
