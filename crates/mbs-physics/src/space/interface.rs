//! The user's speeds and the solver's, and rates of coordinates.
//!
//! A single speed has one rate for both. A ball's parameters are those of the second end in the first; where the tree reaches the first end
//! through the second, the link's relative angular velocity is −R u, also on an ellipsoid. Speeds of lines are u. For the user, the linear
//! speeds of a floating link are the rates of its displacement, or the velocity in its own axes; for the solver see [`Freedom`].

use mbs_expr::Scalar;
use mbs_math::{Mat3, Vector};
use mbs_model::VelocityAxes;

use super::attitude::{rates, rotation};
use super::links::{Freedom, Link};
use super::state::{LinkState, SpaceState};
use super::vector::{Matrix3, Vector3, tilde, zero};
use crate::Tree;

impl<S: Scalar> SpaceState<S> {
    /// The user's speeds from the solver's: v = H v̂.
    pub fn interface_speeds(&self, tree: &Tree, solver: &[S]) -> Vec<S> {
        self.map(tree, solver, |link, state, v| state.to_interface(link, v))
    }

    /// The solver's speeds from the user's: v̂ = W v.
    pub fn solver_speeds(&self, tree: &Tree, interface: &[S]) -> Vec<S> {
        self.map(tree, interface, |link, state, v| state.to_solver(link, v))
    }

    /// q̇ = N(q) v with the user's speeds.
    pub fn coordinate_rates(&self, tree: &Tree, interface: &[S]) -> Vec<S> {
        self.map(tree, interface, |link, state, v| state.coordinate_rates(link, v))
    }

    fn map(&self, tree: &Tree, speeds: &[S], f: impl Fn(&Link, &LinkState<S>, &[S]) -> Vec<S>) -> Vec<S> {
        let of = |(link, state): (&Link, &LinkState<S>)| {
            f(link, state, &speeds[link.first_v..link.first_v + link.freedom.speeds()])
        };
        let mut all: Vec<S> = tree.links.iter().zip(&self.links).flat_map(of).collect();
        // Coordinates that move no body are their own.
        let moving = tree.links.iter().map(|l| l.freedom.speeds()).sum();
        all.extend(&speeds[moving..]);
        all
    }
}

/// The last three of six.
fn angular<S: Scalar>(v: &[S]) -> Vector3<S> {
    Vector([v[3], v[4], v[5]])
}

fn linear<S: Scalar>(v: &[S]) -> Vector3<S> {
    Vector([v[0], v[1], v[2]])
}

fn six<S: Scalar>(a: Vector3<S>, b: Vector3<S>) -> Vec<S> {
    a.0.into_iter().chain(b.0).collect()
}

fn opposite<S: Scalar>(v: Vector3<S>) -> Vector3<S> {
    zero() - v
}

/// R with the rate that it has while its frame turns with u, in the turned axes: Ṙ = R ũ.
fn turning<S: Scalar>(r: Matrix3<S>, u: Vector3<S>) -> Matrix3<S> {
    let rate = r * tilde(u);
    Mat3([0, 1, 2].map(|i| r[i].zip(rate[i], S::with_rate)))
}

impl<S: Scalar> LinkState<S> {
    fn to_interface(&self, link: &Link, v: &[S]) -> Vec<S> {
        match link.freedom {
            Freedom::Ball { attitude, reversed: true } | Freedom::Ellipsoid { attitude, reversed: true, .. } => {
                let w = linear(v);
                // The parent turns with −Rᵀ w in its own axes, relative to the child.
                let r = rotation(attitude, &self.q);
                let u = opposite(r.transpose_times(w));
                opposite(turning(r, u).transpose_times(w)).to_vec()
            }
            Freedom::Float { attitude, velocity, reversed, com } => {
                let r = rotation(attitude, &self.q[3..]);
                let (w, u) = (linear(v), angular(v));
                if com.is_some() {
                    let r = turning(self.rotation, u);
                    let arm = u.cross(self.arm);
                    let own = match velocity {
                        VelocityAxes::Body => r.transpose_times(w) - arm,
                        VelocityAxes::World => self.before_transposed(w - r * arm),
                    };
                    return six(own, u);
                }
                let r = turning(r, if reversed { opposite(r.transpose_times(u)) } else { u });
                match (reversed, velocity) {
                    (false, VelocityAxes::World) => six(r * w, u),
                    (false, VelocityAxes::Body) => v.to_vec(),
                    (true, axes) => {
                        let rate = opposite(w) - u.cross(linear(&self.q));
                        let own = if axes == VelocityAxes::World { rate } else { r.transpose_times(rate) };
                        six(own, opposite(r.transpose_times(u)))
                    }
                }
            }
            // All others share theirs.
            _ => v.to_vec(),
        }
    }

    fn to_solver(&self, link: &Link, v: &[S]) -> Vec<S> {
        match link.freedom {
            Freedom::Ball { attitude, reversed: true } | Freedom::Ellipsoid { attitude, reversed: true, .. } => {
                let u = linear(v);
                opposite(turning(rotation(attitude, &self.q), u) * u).to_vec()
            }
            Freedom::Float { attitude, velocity, reversed, com } => {
                let (own, u) = (linear(v), angular(v));
                if com.is_some() {
                    let r = turning(self.rotation, u);
                    let arm = u.cross(self.arm);
                    let w = match velocity {
                        VelocityAxes::Body => r * (own + arm),
                        VelocityAxes::World => self.before_times(own) + r * arm,
                    };
                    return six(w, u);
                }
                let r = turning(rotation(attitude, &self.q[3..]), u);
                match (reversed, velocity) {
                    (false, VelocityAxes::World) => six(r.transpose_times(own), u),
                    (false, VelocityAxes::Body) => v.to_vec(),
                    (true, axes) => {
                        let rate = if axes == VelocityAxes::World { own } else { r * own };
                        let turn = r * u;
                        six(opposite(rate) + turn.cross(linear(&self.q)), opposite(turn))
                    }
                }
            }
            // All others share theirs.
            _ => v.to_vec(),
        }
    }

    fn coordinate_rates(&self, link: &Link, v: &[S]) -> Vec<S> {
        match link.freedom {
            Freedom::Turn { .. }
            | Freedom::Slide { .. }
            | Freedom::Screw { .. }
            | Freedom::Shift
            | Freedom::Given(_)
            | Freedom::Orbit { .. } => v.to_vec(),
            Freedom::Ball { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => rates(attitude, &self.q, linear(v)),
            Freedom::Posed { .. } => match self.guided.as_ref().and_then(|guided| guided.rates()) {
                None => v.to_vec(),
                Some(columns) => {
                    let sum = |i: usize| columns.iter().zip(v).fold(S::number(0.0), |sum, (n, v)| sum + n[i] * *v);
                    (0..self.q.len()).map(sum).collect()
                }
            },
            Freedom::Line { attitude, .. } => rates(attitude, &self.q, Vector([v[0], v[1], S::number(0.0)])),
            Freedom::Float { attitude, velocity, .. } => {
                let mut all = match velocity {
                    VelocityAxes::World => linear(v).to_vec(),
                    VelocityAxes::Body => (rotation(attitude, &self.q[3..]) * linear(v)).to_vec(),
                };
                all.extend(rates(attitude, &self.q[3..], angular(v)));
                all
            }
        }
    }

    fn before_times(&self, v: Vector3<S>) -> Vector3<S> {
        self.before.as_ref().map_or(v, |r| r * v)
    }

    fn before_transposed(&self, v: Vector3<S>) -> Vector3<S> {
        self.before.as_ref().map_or(v, |r| r.transpose_times(v))
    }
}
