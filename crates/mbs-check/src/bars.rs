//! Bars: bodies of space that natural coordinates place by one direction. They have no axes beside their line, so that nothing may turn them
//! about it, or tell how far they are turned.
//!
//! Judged in body coordinates, where bars have all their axes: of a state and of the same one with a bar turned about its line, everything has
//! to be the same; rows do not move with its spin, and what loads do to it is nothing.

mod felt;

use mbs_definition::{Errors, Space};
use mbs_expr::{BodyId, ExprId, Series};
use mbs_model::{Attitude, Basis, Formulation, Model};
use mbs_physics::{Mechanics, Tree, in_formulation};

use super::guess;
use super::numeric::{MOST_RATES, nested_rates};

/// What is on the line, or the same, up to this part of the sizes.
const NEAR: f64 = 1e-9;

const PLACED_FULLY: &str = "a bar, one direction in `natural { … }`, is all on its line and does not turn about it; state three directions, or none";

/// A bar at default parameters.
pub(super) struct Bar {
    body: BodyId,
    /// A point of the line in body axes, and its unit vector.
    start: [f64; 3],
    along: [f64; 3],
}

/// Refuses what is off the line of a bar, or feels how it is turned about it (`MBS051`). Functions written in Rust must be bound, or have a
/// stand-in; what has no values is not judged.
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
    /// A body that is placed by one direction.
    pub(super) fn of(model: &Model, body: BodyId, number: &dyn Fn(ExprId) -> f64) -> Option<Bar> {
        let basis = model.natural.basis(body)?;
        let direction = basis.line(number)?;
        let start = basis.points[0].1.map(number);
        Some(Bar { body, start, along: scaled(1.0 / size(direction), direction) })
    }

    /// What is left of a vector beside the line.
    fn across(&self, v: [f64; 3]) -> [f64; 3] {
        minus(v, scaled(dot(v, self.along), self.along))
    }

    fn check_places(&self, model: &Model, number: &dyn Fn(ExprId) -> f64, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let markers = model.markers.iter().filter(|m| m.body == Some(self.body));
        let places: Vec<(&str, [f64; 3])> = markers.map(|m| (&*m.name, m.point.map(number))).collect();
        let length = places.iter().map(|(_, at)| size(minus(*at, self.start))).fold(size(self.start), f64::max);
        let off = |(_, at): &&(&str, [f64; 3])| size(self.across(minus(*at, self.start))) > NEAR * length;
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
        let tensor = tensor(body.inertia.map(number));
        let [about, across] = self.moments(tensor);
        let round =
            |i: usize, k: usize| (if i == k { across } else { 0.0 }) + (about - across) * self.along[i] * self.along[k];
        let largest = tensor.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        let off = |i: usize, k: usize| (tensor[i][k] - round(i, k)).abs() > NEAR * largest;
        if (0..9).any(|n| off(n / 3, n % 3)) {
            let message =
                format!("`{}` is a bar, and its inertia is not the same about all axes across its line", body.name);
            errors.push("MBS051", body.origin, message, Some(PLACED_FULLY.to_owned()));
        }
    }

    /// Moments of inertia about the line, and about axes across it: their mean.
    fn moments(&self, tensor: [[f64; 3]; 3]) -> [f64; 2] {
        let about = dot(self.along, tensor.map(|row| dot(row, self.along)));
        [about, 0.5 * (tensor[0][0] + tensor[1][1] + tensor[2][2] - about)]
    }

    /// Whether turns of the line have energy.
    pub(super) fn turns_heavily(&self, inertia: [f64; 6]) -> bool {
        let [about, across] = self.moments(tensor(inertia));
        across > NEAR * about.abs()
    }

    fn check_speeds(&self, model: &Model, rest: &Mechanics<'_, Series<1>>, errors: &mut Errors) {
        let body = &model.bodies[self.body.index()];
        let Some(omega) = body.angular_velocity else { return };
        let omega = omega.map(|e| rest.value(e).value());
        let axes = [0, 1, 2].map(|k| rest.marker_axis(body.origin_marker, k).map(Series::value));
        let along = [0, 1, 2].map(|c| (0..3).map(|k| self.along[k] * axes[k][c]).sum());
        if dot(omega, along).abs() > NEAR * size(omega) {
            let message = format!("`{}` is a bar, and its `angular_velocity` turns it about its line", body.name);
            errors.push("MBS051", body.origin, message, Some(PLACED_FULLY.to_owned()));
        }
    }
}

fn tensor([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> [[f64; 3]; 3] {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn size(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

fn scaled(s: f64, v: [f64; 3]) -> [f64; 3] {
    v.map(|x| s * x)
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}
