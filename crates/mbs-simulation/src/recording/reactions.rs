//! Reactions of joints and loads of drives in a recording.

use super::{Quantity, Recording};
use crate::UnknownName;
use crate::loaded::rotate;

/// Reaction of one joint on the body of its second end, per recorded time; the reaction on the body of its first end is opposite.
#[derive(Clone, Debug)]
pub struct ReactionColumns<'r> {
    recording: &'r Recording,
    /// Points \[m\] at which the force acts, and about which the moment is taken, world axes.
    pub points: &'r [[f64; 3]],
    /// Force along x \[N\], in world axes unless [`ReactionColumns::in_axes_of`] was called.
    pub x: Vec<f64>,
    /// Force along y \[N\].
    pub y: Vec<f64>,
    /// Force along z \[N\]; zero in the plane.
    pub z: Vec<f64>,
    /// Moment about x \[N m\]; zero in the plane.
    pub torque_x: Vec<f64>,
    /// Moment about y \[N m\]; zero in the plane.
    pub torque_y: Vec<f64>,
    /// Moment about z \[N m\].
    pub torque: Vec<f64>,
}

impl ReactionColumns<'_> {
    /// √(x² + y² + z²) \[N\].
    pub fn magnitude(&self) -> Vec<f64> {
        self.x.iter().zip(&self.y).zip(&self.z).map(|((x, y), z)| x.hypot(*y).hypot(*z)).collect()
    }

    /// Direction of the force in the plane of x and y \[rad\] in (−π, π], from the x axis of its axes; 0 where
    /// there is no force.
    pub fn direction(&self) -> Vec<f64> {
        self.x.iter().zip(&self.y).map(|(x, y)| y.atan2(*x)).collect()
    }

    /// Returns the reaction on the body of the first end: the negative.
    #[must_use]
    pub fn on_first(mut self) -> Self {
        for column in self.vectors().into_iter().flatten() {
            column.iter_mut().for_each(|value| *value = -*value);
        }
        self
    }

    /// Returns force and moment in the axes of a body: the load on a bearing of the crank, as its polar plot shows it. `"ground"` keeps
    /// world axes. Call it once: components are taken to be in world axes.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest body.
    pub fn in_axes_of(mut self, body: &str) -> Result<Self, UnknownName> {
        if body == "ground" {
            return Ok(self);
        }
        let attitudes = &self.recording.body(body)?.attitudes;
        for [x, y, z] in self.vectors() {
            for (((x, y), z), [e0, e1, e2, e3]) in x.iter_mut().zip(y).zip(z).zip(attitudes) {
                // R_BW = R_WBᵀ belongs to the conjugate quaternion.
                [*x, *y, *z] = rotate([*e0, -e1, -e2, -e3], [*x, *y, *z]);
            }
        }
        Ok(self)
    }

    /// Components of the force and of the moment.
    fn vectors(&mut self) -> [[&mut Vec<f64>; 3]; 2] {
        [[&mut self.x, &mut self.y, &mut self.z], [&mut self.torque_x, &mut self.torque_y, &mut self.torque]]
    }
}

impl Recording {
    /// The reaction of a joint on the body of its second end, world axes. It does not include motors, drives and springs that act on its degrees of
    /// freedom.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest joint; for every name if no loads are recorded ([`Recording::has_loads`]).
    pub fn reaction(&self, joint: &str) -> Result<ReactionColumns<'_>, UnknownName> {
        let table = self.table(Quantity::Reactions);
        let found = self.joints.iter().position(|known| known.name == joint);
        match (found, found.and_then(|i| self.reaction_points.get(i))) {
            (Some(i), Some(points)) => {
                let known = self.reaction_parts();
                let columns = &table.columns()[known.len() * i..][..known.len()];
                let column = |part| match known.iter().position(|known| *known == part) {
                    Some(part) => columns[part].clone(),
                    None => vec![0.0; points.len()],
                };
                Ok(ReactionColumns {
                    recording: self,
                    points,
                    x: column("x"),
                    y: column("y"),
                    z: column("z"),
                    torque_x: column("torque.x"),
                    torque_y: column("torque.y"),
                    torque: column(if self.is_spatial { "torque.z" } else { "torque" }),
                })
            }
            (Some(_), None) => {
                Err(UnknownName::new("reaction (without loads in this recording)", joint, [].into_iter()))
            }
            (None, _) => Err(UnknownName::new("joint", joint, self.joints.iter().map(|known| known.name.as_str()))),
        }
    }

    /// The load of a drive, −λ of its row: the torque \[N m\] or force \[N\] of the motor on its coordinate. Drives of
    /// several rows have one name per row, as listed by [`Recording::drives`].
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest drive; for every name if no loads are recorded.
    pub fn drive(&self, name: &str) -> Result<Vec<f64>, UnknownName> {
        let table = self.table(Quantity::Multipliers);
        let found = self.drives.iter().find(|row| self.rows[**row] == name);
        let column = found.and_then(|row| table.columns().get(*row));
        column.map(|lambda| lambda.iter().map(|lambda| -lambda).collect()).ok_or_else(|| {
            let noun = if found.is_some() { "drive (without loads in this recording)" } else { "drive" };
            UnknownName::new(noun, name, self.drives())
        })
    }

    /// Components of a reaction that are recorded, in their order.
    pub(crate) fn reaction_parts(&self) -> &'static [&'static str] {
        parts(self.is_spatial)
    }

    /// Names of the drives, one per row.
    pub fn drives(&self) -> impl Iterator<Item = &str> {
        self.drives.iter().filter_map(|row| self.rows.get(*row)).map(String::as_str)
    }
}

/// Components of a reaction that are recorded, in the plane and in space.
pub(super) fn parts(is_spatial: bool) -> &'static [&'static str] {
    if is_spatial { &["x", "y", "z", "torque.x", "torque.y", "torque.z"] } else { &["x", "y", "torque"] }
}

/// Columns of the reactions of joints.
pub(super) fn names(joints: &[String], parts: &[&str]) -> Vec<String> {
    joints.iter().flat_map(|joint| parts.iter().map(move |part| format!("{joint}.{part}"))).collect()
}
