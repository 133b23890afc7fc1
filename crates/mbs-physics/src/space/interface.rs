//! Conversion between interface speeds and solver speeds, and rates of coordinates.
//!
//! Mobilizers with one speed have equal speeds in both. The parameters of a ball are those of the second end in the first; if the link is the
//! first end (reversed), its relative angular velocity is −R u for the interface speeds u, also on an ellipsoid. Speeds of lines are u. Linear
//! interface speeds of a free link are the rates of its displacement, or the velocity in its own axes; for those of the solver see [`Mobilizer`].

use mbs_expr::Scalar;
use mbs_math::{Mat3, Vector};
use mbs_model::VelocityAxes;

use super::attitude::{attitude_rates, rotation};
use super::links::{Link, Mobilizer};
use super::state::{LinkState, SpaceState};
use super::vector::{Matrix3, Vector3, tilde, zero};
use crate::Tree;

impl<S: Scalar> SpaceState<S> {
    /// Interface speeds from solver speeds: v = H v̂. Shapes: n_v.
    pub fn interface_speeds(&self, tree: &Tree, solver: &[S]) -> Vec<S> {
        self.map_links(tree, solver, |link, state, v| state.to_interface(link, v))
    }

    /// Solver speeds from interface speeds: v̂ = W v. Shapes: n_v.
    pub fn solver_speeds(&self, tree: &Tree, interface: &[S]) -> Vec<S> {
        self.map_links(tree, interface, |link, state, v| state.to_solver(link, v))
    }

    /// Rates of the coordinates from interface speeds: q̇ = N(q) v. Shapes: n_q from n_v.
    pub fn coordinate_rates(&self, tree: &Tree, interface: &[S]) -> Vec<S> {
        self.map_links(tree, interface, |link, state, v| state.coordinate_rates(link, v))
    }

    /// Concatenates the results of `f` for all links with their speeds, and the remaining speeds.
    fn map_links(&self, tree: &Tree, speeds: &[S], f: impl Fn(&Link, &LinkState<S>, &[S]) -> Vec<S>) -> Vec<S> {
        let mut all = Vec::new();
        for (link, state) in tree.links.iter().zip(&self.links) {
            all.extend(f(link, state, &speeds[link.first_v..link.first_v + link.mobilizer.speeds()]));
        }
        // Speeds that move no body are equal in both, and the rates of their coordinates.
        let moving = tree.links.iter().map(|l| l.mobilizer.speeds()).sum();
        all.extend(&speeds[moving..]);
        all
    }
}

/// The last three of six speeds.
fn angular_part<S: Scalar>(v: &[S]) -> Vector3<S> {
    Vector([v[3], v[4], v[5]])
}

/// The first three speeds.
fn linear_part<S: Scalar>(v: &[S]) -> Vector3<S> {
    Vector([v[0], v[1], v[2]])
}

/// Six speeds from their linear and angular part.
fn concat<S: Scalar>(a: Vector3<S>, b: Vector3<S>) -> Vec<S> {
    a.0.into_iter().chain(b.0).collect()
}

fn negated<S: Scalar>(v: Vector3<S>) -> Vector3<S> {
    zero() - v
}

/// R with the rate Ṙ = R ũ for an angular velocity u in the rotated axes.
fn with_angular_velocity<S: Scalar>(r: Matrix3<S>, u: Vector3<S>) -> Matrix3<S> {
    let rate = r * tilde(u);
    Mat3::from_rows(|i| r[i].zip(rate[i], S::with_rate))
}

impl<S: Scalar> LinkState<S> {
    /// Interface speeds of a link from its solver speeds.
    fn to_interface(&self, link: &Link, v: &[S]) -> Vec<S> {
        match link.mobilizer {
            Mobilizer::Ball { attitude, reversed: true } | Mobilizer::Ellipsoid { attitude, reversed: true, .. } => {
                let w = linear_part(v);
                // The parent's angular velocity relative to the child is −Rᵀ w, in its own axes.
                let r = rotation(attitude, &self.q);
                let u = negated(r.transpose_times(w));
                negated(with_angular_velocity(r, u).transpose_times(w)).to_vec()
            }
            Mobilizer::Free { attitude, velocity, reversed, com } => {
                let r = rotation(attitude, &self.q[3..]);
                let (w, u) = (linear_part(v), angular_part(v));
                if com.is_some() {
                    let r = with_angular_velocity(self.rotation, u);
                    let arm = u.cross(self.arm);
                    let linear = match velocity {
                        VelocityAxes::Body => r.transpose_times(w) - arm,
                        VelocityAxes::World => self.to_coordinate_axes(w - r * arm),
                    };
                    return concat(linear, u);
                }
                let r = with_angular_velocity(r, if reversed { negated(r.transpose_times(u)) } else { u });
                match (reversed, velocity) {
                    (false, VelocityAxes::World) => concat(r * w, u),
                    (false, VelocityAxes::Body) => v.to_vec(),
                    (true, axes) => {
                        let rate = negated(w) - u.cross(linear_part(&self.q));
                        let linear = if axes == VelocityAxes::World { rate } else { r.transpose_times(rate) };
                        concat(linear, negated(r.transpose_times(u)))
                    }
                }
            }
            // Other mobilizers have equal speeds in both.
            _ => v.to_vec(),
        }
    }

    /// Solver speeds of a link from its interface speeds.
    fn to_solver(&self, link: &Link, v: &[S]) -> Vec<S> {
        match link.mobilizer {
            Mobilizer::Ball { attitude, reversed: true } | Mobilizer::Ellipsoid { attitude, reversed: true, .. } => {
                let u = linear_part(v);
                negated(with_angular_velocity(rotation(attitude, &self.q), u) * u).to_vec()
            }
            Mobilizer::Free { attitude, velocity, reversed, com } => {
                let (linear, u) = (linear_part(v), angular_part(v));
                if com.is_some() {
                    let r = with_angular_velocity(self.rotation, u);
                    let arm = u.cross(self.arm);
                    let w = match velocity {
                        VelocityAxes::Body => r * (linear + arm),
                        VelocityAxes::World => self.of_coordinate_axes(linear) + r * arm,
                    };
                    return concat(w, u);
                }
                let r = with_angular_velocity(rotation(attitude, &self.q[3..]), u);
                match (reversed, velocity) {
                    (false, VelocityAxes::World) => concat(r.transpose_times(linear), u),
                    (false, VelocityAxes::Body) => v.to_vec(),
                    (true, axes) => {
                        let rate = if axes == VelocityAxes::World { linear } else { r * linear };
                        let omega = r * u;
                        concat(negated(rate) + omega.cross(linear_part(&self.q)), negated(omega))
                    }
                }
            }
            // Other mobilizers have equal speeds in both.
            _ => v.to_vec(),
        }
    }

    /// Rates of the coordinates of a link from its interface speeds.
    fn coordinate_rates(&self, link: &Link, v: &[S]) -> Vec<S> {
        match link.mobilizer {
            Mobilizer::Revolute { .. }
            | Mobilizer::Prismatic { .. }
            | Mobilizer::Screw { .. }
            | Mobilizer::Translation
            | Mobilizer::Prescribed(_)
            | Mobilizer::Orbit { .. } => v.to_vec(),
            Mobilizer::Ball { attitude, .. } | Mobilizer::Ellipsoid { attitude, .. } => {
                attitude_rates(attitude, &self.q, linear_part(v))
            }
            Mobilizer::Posed { .. } => match self.variable.as_ref().and_then(|variable| variable.rate_columns()) {
                None => v.to_vec(),
                Some(columns) => {
                    let sum = |i: usize| columns.iter().zip(v).fold(S::number(0.0), |sum, (n, v)| sum + n[i] * *v);
                    (0..self.q.len()).map(sum).collect()
                }
            },
            Mobilizer::Line { attitude, .. } => attitude_rates(attitude, &self.q, Vector([v[0], v[1], S::number(0.0)])),
            Mobilizer::Free { attitude, velocity, .. } => {
                let mut all = match velocity {
                    VelocityAxes::World => linear_part(v).to_vec(),
                    VelocityAxes::Body => (rotation(attitude, &self.q[3..]) * linear_part(v)).to_vec(),
                };
                all.extend(attitude_rates(attitude, &self.q[3..], angular_part(v)));
                all
            }
        }
    }

    /// Components in the parent's axes, from those in the axes that the coordinates are measured in.
    fn of_coordinate_axes(&self, v: Vector3<S>) -> Vector3<S> {
        self.before.as_ref().map_or(v, |r| r * v)
    }

    /// Components in the axes that the coordinates are measured in, from those in the parent's axes.
    fn to_coordinate_axes(&self, v: Vector3<S>) -> Vector3<S> {
        self.before.as_ref().map_or(v, |r| r.transpose_times(v))
    }
}
