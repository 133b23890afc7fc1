//! Bars: bodies of space that natural coordinates place by one direction. They have no axes except their line, so that nothing may rotate
//! them about it or depend on such a rotation.
//!
//! The check uses body coordinates, where bars have all their axes: every expression must have the same value at a state and at that state
//! with a bar rotated about its line; rows must not depend on the bar's spin, and loads must not drive it.

mod felt;

use mbs_definition::{Errors, Space};
use mbs_expr::{BodyId, ExprId, Series};
use mbs_math::{Mat3, Vec3, Vector};
use mbs_model::{Attitude, Basis, Formulation, Model};
use mbs_physics::{Mechanics, Tree, in_formulation};

use super::guess;
use super::rates::{MOST_RATES, nested_rates};

/// Tolerance, relative to sizes, for locations on the line and for equal values.
const NEAR: f64 = 1e-9;

const PLACED_FULLY: &str = "a bar, one direction in `natural { … }`, is all on its line and does not turn about it; state three directions, or none";

/// A bar at default parameters.
pub(super) struct Bar {
    body: BodyId,
    /// A point of the line in body axes, and its unit vector.
    start: Vec3<f64>,
    along: Vec3<f64>,
}

/// Refuses locations and mass off the line of a bar, and everything that depends on its rotation about the line (`MBS051`). Functions written
/// in Rust must be bound, or have a stand-in; expressions without a value are not checked.
pub(super) fn check(model: &Model) -> Result<(), Errors> {
    let is_bar = |b: &BodyId| model.natural.basis(*b).is_some_and(Basis::has_one_direction);
    let mut bodies = (0..model.bodies.len() as u32).map(BodyId).filter(is_bar).peekable();
    if model.space == Space::Planar || bodies.peek().is_none() {
        return Ok(());
    }
    let mut upright = in_formulation(model, Formulation::Body);
    upright.bodies.iter_mut().for_each(|body| body.attitude = Attitude::Quaternion);
    let tree = Tree::new(&upright);
    let start = guess::declared(&upright, &tree);
    let rest = super::at(&upright, &tree, &start);
    let number = |e: ExprId| rest.value(e).value();
    let bars: Vec<Bar> = bodies.filter_map(|body| Bar::of(model, body, &number)).collect();
    let mut errors = Errors::new();
    for bar in &bars {
        bar.check_places(model, &number, &mut errors);
        bar.check_mass(model, &number, &mut errors);
        bar.check_speeds(model, &rest, &mut errors);
    }
    if errors.is_empty() && !bars.is_empty() {
        match nested_rates(model) {
            0..3 => felt::check::<4>((&upright, &tree), &start, &bars, &mut errors),
            _ => felt::check::<{ MOST_RATES + 2 }>((&upright, &tree), &start, &bars, &mut errors),
        }
    }
    errors.into_result(())
}

impl Bar {
    /// Returns the bar of a body that one direction places; `None` for other bodies.
    pub(super) fn of(model: &Model, body: BodyId, number: &dyn Fn(ExprId) -> f64) -> Option<Bar> {
        let basis = model.natural.basis(body)?;
        let direction = Vector(basis.bar_direction(number)?);
        let start = Vector(basis.points[0].1.map(number));
        Some(Bar { body, start, along: direction * (1.0 / size(direction)) })
    }

    /// Component of a vector normal to the line.
    fn across(&self, v: Vec3<f64>) -> Vec3<f64> {
        v - self.along * v.dot(self.along)
    }

    fn check_places(&self, model: &Model, number: &dyn Fn(ExprId) -> f64, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let markers = model.markers.iter().filter(|m| m.body == Some(self.body));
        let places: Vec<(&str, Vec3<f64>)> = markers.map(|m| (&*m.name, Vector(m.point.map(number)))).collect();
        let length = places.iter().map(|(_, at)| size(*at - self.start)).fold(size(self.start), f64::max);
        let off = |(_, at): &&(&str, Vec3<f64>)| size(self.across(*at - self.start)) > NEAR * length;
        let Some((place, _)) = places.iter().find(off) else { return };
        let what = match *place == body.name {
            true => "its origin".to_owned(),
            false => format!("`{place}`"),
        };
        let message = format!("`{}` is a bar, and {what} is off its line", body.name);
        errors.push("MBS051", body.origin, message, Some(PLACED_FULLY.to_owned()));
    }

    fn check_mass(&self, model: &Model, number: &dyn Fn(ExprId) -> f64, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let tensor = Mat3::symmetric(body.inertia.map(number));
        let [about, across] = self.moments(tensor);
        let round =
            |i: usize, k: usize| (if i == k { across } else { 0.0 }) + (about - across) * self.along[i] * self.along[k];
        let largest = tensor.iter().flat_map(|row| row.0).fold(0.0_f64, |m, x| m.max(x.abs()));
        let off = |i: usize, k: usize| (tensor[i][k] - round(i, k)).abs() > NEAR * largest;
        if (0..9).any(|n| off(n / 3, n % 3)) {
            let message =
                format!("`{}` is a bar, and its inertia is not the same about all axes across its line", body.name);
            errors.push("MBS051", body.origin, message, Some(PLACED_FULLY.to_owned()));
        }
    }

    /// Moments of inertia about the line, and about axes across it: their mean.
    fn moments(&self, tensor: Mat3<f64>) -> [f64; 2] {
        let about = self.along.dot(tensor * self.along);
        [about, 0.5 * (tensor[0][0] + tensor[1][1] + tensor[2][2] - about)]
    }

    /// Whether turns of the line have energy.
    pub(super) fn turns_heavily(&self, inertia: [f64; 6]) -> bool {
        let [about, across] = self.moments(Mat3::symmetric(inertia));
        across > NEAR * about.abs()
    }

    fn check_speeds(&self, model: &Model, rest: &Mechanics<'_, Series<1>>, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let Some(omega) = body.angular_velocity else { return };
        let omega = rest.vector(omega).map(Series::value);
        let axes = [0, 1, 2].map(|k| rest.marker_axis(body.origin_marker, k).map(Series::value));
        let along = Mat3::of_columns(axes) * self.along;
        if omega.dot(along).abs() > NEAR * size(omega) {
            let message = format!("`{}` is a bar, and its `angular_velocity` turns it about its line", body.name);
            errors.push("MBS051", body.origin, message, Some(PLACED_FULLY.to_owned()));
        }
    }
}

/// The length of a vector.
fn size(v: Vec3<f64>) -> f64 {
    v.square().sqrt()
}
