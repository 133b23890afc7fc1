//! Why a mechanism does not move, or will not for long, in plain words.
//!
//! [`diagnose`] examines any mechanism with a description ([`Describe`]) in a state:
//!
//! 1. Are its coordinates, speeds and rows numbers, and do its attitudes have rates?
//! 2. Does the pose satisfy the position rows; if not, is there one near by that does; do the speeds satisfy the velocity rows?
//! 3. Which rows depend on others: here alone (a change point, a dead point), or near by too (redundant, over-driven)?
//! 4. How near is a pose where they become dependent, which coordinate leads there, and which gains a degree of freedom?
//! 5. Which degrees of freedom remain, and does anything move them?
//!
//! ```
//! # use mbs::{Describe, State, assemble};
//! # fn look<M: Describe>(mechanism: &M) -> Result<(), mbs::Error> {
//! let mut state = State::new(mechanism);
//! assemble(mechanism, &mut state)?;
//! let diagnosis = mbs::diagnosis::diagnose(mechanism, &state);
//! if !diagnosis.is_healthy() {
//!     println!("{diagnosis}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Scaling
//!
//! Singular values mean something only where motions and rows have the same unit. Here a motion is measured by its effect on
//! bodies: 1 is a rotation by 1 rad, or a translation as long as the mechanism, whichever is more. A row is divided by its largest
//! derivative along such motions in this pose and three around it. A residual is thus a part of the mechanism's size, and
//! [`Diagnosis::margin`], the smallest singular value of G, is at most 1 for a single row, 0 in a singular pose, and independent
//! of the units of length. It depends on the choice of coordinates, which also decides which rows there are.
//!
//! # Source
//! Tests of redundancy and singularity by the rank of the constraint Jacobian: García de Jalón & Bayo (1994), §3.2 and §3.4;
//! derivatives of singular values: Stewart & Sun (1990), §IV.2. The linear distance −σ ∇σ / |∇σ|² is Newton's step to σ = 0.

mod attitudes;
mod finding;
mod motion;
mod names;
mod rank;
mod residuals;
mod scaled;
mod singular;

use std::fmt;

pub use finding::Finding;
pub use names::{Element, Miss, Motion, Unit};

use mbs_core::{Describe, Error, Item, State};
use names::number_of;
pub use names::{coordinate_name, row_name};
pub use scaled::unit_motions;
use scaled::{CLOSED, Scaled};
pub use singular::Svd;

/// Result of a diagnosis of a mechanism in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Name of the mechanism; empty if it has none.
    pub name: String,
    /// Time of the state \[s\].
    pub t: f64,
    /// Speeds.
    pub speeds: usize,
    /// Independent rows, drives among them.
    pub rank: usize,
    /// Speeds that all rows but drives leave free: the declaration's `freedoms`.
    pub freedoms: usize,
    /// Speeds that all rows leave free.
    pub undriven: usize,
    /// Smallest singular value of the scaled rows that are independent near by; `None` without rows.
    pub margin: Option<f64>,
    /// Size that lengths are compared with \[m\]: the diagonal of the box around all that can be drawn.
    pub size: f64,
    /// Findings, worst first; empty if there are none.
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    /// Whether there is no trouble. Other findings, such as that nothing moves the mechanism, are allowed: [`Finding::is_trouble`].
    pub fn is_healthy(&self) -> bool {
        !self.findings.iter().any(Finding::is_trouble)
    }

    fn empty<M: Describe>(mechanism: &M, t: f64) -> Self {
        let name = names::named(mechanism, Item::Mechanism).unwrap_or_default();
        let speeds = mechanism.sizes().n_v;
        let (freedoms, undriven) = (speeds, speeds);
        Diagnosis { name, t, speeds, rank: 0, freedoms, undriven, margin: None, size: 1.0, findings: Vec::new() }
    }
}

/// Examines a mechanism in a state, at zero inputs: rows, rank, degrees of freedom, nearness to singular poses, causes of motion.
///
/// Rank and singular poses are those of the assembled pose next to the state. For tools and tests, not for loops: it takes dense
/// decompositions of G in some ten poses, each of n_v² · n_c operations. Never panics on numbers that are not finite, nor on states of
/// another mechanism.
pub fn diagnose<M: Describe>(mechanism: &M, state: &State<M>) -> Diagnosis {
    let (t, q, v) = (state.t, state.q.as_ref(), state.v.as_ref());
    let mut diagnosis = Diagnosis::empty(mechanism, t);
    if let Err(Error::Size { expected, found }) = state.check_size(mechanism) {
        diagnosis.findings.push(Finding::OtherState { expected, found });
        return diagnosis;
    }
    if q.iter().all(|x| x.is_finite()) {
        diagnosis.findings.extend(attitudes::singular(mechanism, t, q));
    }
    let what = residuals::not_finite(mechanism, state);
    if !what.is_empty() {
        diagnosis.findings.push(Finding::NotFinite { what });
        return diagnosis;
    }
    let scaled = Scaled::new(mechanism, state.view(&[]));
    diagnosis.size = scaled.size;
    let position: Vec<usize> = (0..mechanism.sizes().n_position).collect();
    let closed = scaled.closed(q, &position);
    let is_closed = closed.miss <= CLOSED;
    diagnosis.findings.extend(residuals::pose(&scaled, q, &closed));
    if is_closed {
        diagnosis.findings.extend(residuals::speeds(&scaled, q, v));
    }
    let rank = rank::judge(&scaled, &closed.q);
    diagnosis.rank = rank.independent;
    diagnosis.undriven = diagnosis.speeds - rank.independent;
    diagnosis.freedoms = diagnosis.speeds - rank.undriven_independent;
    diagnosis.margin = rank.margin;
    // Rows at odds are dependent in the closest pose; that they do not close has been said.
    if is_closed {
        diagnosis.findings.extend(rank.findings);
    }
    if diagnosis.is_healthy() {
        diagnosis.findings.extend(motion::findings(&scaled, &closed.q, state, &diagnosis));
    }
    diagnosis
}

impl fmt::Display for Diagnosis {
    /// A line of mobility, then a line per finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, "`{}` ", self.name)?;
        }
        let counted = !self.findings.iter().any(|f| matches!(f, Finding::NotFinite { .. }));
        write!(f, "at t = {}:", self.t)?;
        match (self.freedoms, self.freedoms.saturating_sub(self.undriven)) {
            _ if !counted => {}
            (freedoms, 0) => write!(f, " {}", number_of(freedoms, "freedom"))?,
            (freedoms, driven) => write!(f, " {}, {driven} driven", number_of(freedoms, "freedom"))?,
        }
        if self.findings.is_empty() {
            return write!(f, ", nothing wrong");
        }
        self.findings.iter().try_for_each(|finding| write!(f, "\n- {finding}"))
    }
}
