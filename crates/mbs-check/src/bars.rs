//! Bars: bodies in space whose natural coordinates have one direction. A bar has no axes except its line, so that nothing may rotate it about
//! the line or depend on such a rotation.
//!
//! The check uses body coordinates, where bars have all their axes: every expression must have the same value at a state and at that state
//! with a bar rotated about its line; rows must not depend on the bar's spin, and loads must not drive it.

mod rotations;

use mbs_definition::{Errors, Space};
use mbs_expr::{BodyId, ExprId, Series};
use mbs_math::{Mat3, Vec3, Vector};
use mbs_model::{Attitude, Basis, Formulation, Model};
use mbs_physics::{Mechanics, Tree, in_formulation};

use super::guess;

/// Tolerance, relative to sizes, for locations on the line and for equal values.
const NEAR: f64 = 1e-9;

const BAR_HELP: &str = "a bar, one direction in `natural { … }`, is all on its line and does not rotate about it; state three directions, or none";

/// A bar at default parameters, in body axes.
pub(super) struct Bar {
    body: BodyId,
    /// A point of the line \[m\].
    start: Vec3<f64>,
    /// Unit vector of the line.
    direction: Vec3<f64>,
}

/// Refuses locations and mass off the line of a bar, and everything that depends on its rotation about the line (`MBS051`). Functions written
/// in Rust must be bound, or have a stand-in; expressions without a finite value are not checked.
pub(super) fn check(model: &Model) -> Result<(), Errors> {
    let is_bar = |b: &BodyId| model.coordinates.natural.basis(*b).is_some_and(Basis::has_one_direction);
    let mut bodies = (0..model.bodies.len() as u32).map(BodyId).filter(is_bar).peekable();
    if model.space == Space::Planar || bodies.peek().is_none() {
        return Ok(());
    }
    let mut upright = in_formulation(model, Formulation::Body);
    upright.bodies.iter_mut().for_each(|body| body.attitude = Attitude::Quaternion);
    let tree = Tree::new(&upright);
    let start = guess::declared_pose(&upright, &tree);
    let rest = super::mechanics_at(&upright, &tree, &start);
    let constant = |e: ExprId| rest.value(e).value();
    let bars: Vec<Bar> = bodies.filter_map(|body| Bar::from_body(model, body, &constant)).collect();
    let mut errors = Errors::new();
    for bar in &bars {
        bar.check_locations(model, &constant, &mut errors);
        bar.check_mass(model, &constant, &mut errors);
        bar.check_speeds(model, &rest, &mut errors);
    }
    if errors.is_empty() && !bars.is_empty() {
        rotations::check(&upright, &tree, &start, &bars, &mut errors);
    }
    errors.into_result(())
}

impl Bar {
    /// Returns the bar of a body whose natural coordinates have one direction; `None` for other bodies. `constant` evaluates an expression at
    /// default parameters.
    pub(super) fn from_body(model: &Model, body: BodyId, constant: &dyn Fn(ExprId) -> f64) -> Option<Bar> {
        let basis = model.coordinates.natural.basis(body)?;
        let line = Vector(basis.bar_direction(constant)?);
        let start = Vector(basis.points[0].1.map(constant));
        Some(Bar { body, start, direction: line * (1.0 / size(line)) })
    }

    /// Component of a vector normal to the line.
    fn normal_part(&self, v: Vec3<f64>) -> Vec3<f64> {
        v - self.direction * v.dot(self.direction)
    }

    fn check_locations(&self, model: &Model, constant: &dyn Fn(ExprId) -> f64, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let markers = model.markers.iter().filter(|m| m.body == Some(self.body));
        let locations: Vec<(&str, Vec3<f64>)> = markers.map(|m| (&*m.name, Vector(m.point.map(constant)))).collect();
        let length = locations.iter().map(|(_, point)| size(*point - self.start)).fold(size(self.start), f64::max);
        let off = |(_, point): &&(&str, Vec3<f64>)| size(self.normal_part(*point - self.start)) > NEAR * length;
        let Some((marker, _)) = locations.iter().find(off) else { return };
        let subject = match *marker == body.name {
            true => "its origin".to_owned(),
            false => format!("`{marker}`"),
        };
        let message = format!("`{}` is a bar, and {subject} is off its line", body.name);
        errors.push("MBS051", body.origin, message, Some(BAR_HELP.to_owned()));
    }

    fn check_mass(&self, model: &Model, constant: &dyn Fn(ExprId) -> f64, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let tensor = Mat3::symmetric(body.inertia.map(constant));
        let [axial, transverse] = self.moments(tensor);
        let symmetric = |i: usize, k: usize| {
            (if i == k { transverse } else { 0.0 }) + (axial - transverse) * self.direction[i] * self.direction[k]
        };
        let largest = tensor.iter().flat_map(|row| row.0).fold(0.0_f64, |m, x| m.max(x.abs()));
        let off = |i: usize, k: usize| (tensor[i][k] - symmetric(i, k)).abs() > NEAR * largest;
        if (0..9).any(|n| off(n / 3, n % 3)) {
            let message =
                format!("`{}` is a bar, and its inertia is not the same about all axes across its line", body.name);
            errors.push("MBS051", body.origin, message, Some(BAR_HELP.to_owned()));
        }
    }

    /// Moment of inertia about the line, and the mean of those about axes normal to it.
    fn moments(&self, tensor: Mat3<f64>) -> [f64; 2] {
        let axial = self.direction.dot(tensor * self.direction);
        [axial, 0.5 * (tensor[0][0] + tensor[1][1] + tensor[2][2] - axial)]
    }

    /// Whether rotations of the line have kinetic energy. `inertia` is (xx, yy, zz, xy, xz, yz) about the centre of mass, in body axes.
    pub(super) fn has_transverse_inertia(&self, inertia: [f64; 6]) -> bool {
        let [axial, transverse] = self.moments(Mat3::symmetric(inertia));
        transverse > NEAR * axial.abs()
    }

    fn check_speeds(&self, model: &Model, rest: &Mechanics<'_, Series<2>>, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let Some(omega) = body.angular_velocity else { return };
        let omega = rest.vector(omega).map(Series::value);
        let axes = [0, 1, 2].map(|k| rest.marker_axis(body.origin_marker, k).map(Series::value));
        let direction = Mat3::of_columns(axes) * self.direction;
        if omega.dot(direction).abs() > NEAR * size(omega) {
            let message = format!("`{}` is a bar, and its `angular_velocity` rotates it about its line", body.name);
            errors.push("MBS051", body.origin, message, Some(BAR_HELP.to_owned()));
        }
    }
}

/// The length of a vector.
fn size(v: Vec3<f64>) -> f64 {
    v.square().sqrt()
}
