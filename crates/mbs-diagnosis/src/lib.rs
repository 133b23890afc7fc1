//! Reasons why a mechanism does not move as intended, or soon will not, with a message for each.
//!
//! [`diagnose`] examines any mechanism with a description ([`Describe`]) in a state:
//!
//! 1. Are its coordinates, speeds and rows finite, and are its attitudes regular?
//! 2. Does the pose satisfy the position rows, or else does a nearby pose? Do the speeds satisfy the velocity rows?
//! 3. Which rows depend on others, either only in this pose (a change point, a dead point) or in neighbouring ones too (redundant, over-driven)?
//! 4. Is a pose near where rows become dependent? Which coordinate leads to it, and which gains a degree of freedom there?
//! 5. Which degrees of freedom remain, and do drives, loads or speeds move them?
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
//! Singular values are meaningful only if all motions have one unit, and all rows too. Here a motion is measured by its effect on bodies:
//! 1 is a rotation by 1 rad, or a translation by the size of the mechanism, whichever is more. A row is divided by its largest derivative with
//! respect to such motions in this pose and three neighbouring ones. A residual is thus a fraction of the mechanism's size, and
//! [`Diagnosis::margin`], the smallest singular value of G, is at most 1 for a single row, 0 in a singular pose, and independent of the unit of
//! length. It depends on the choice of coordinates, which also determines the rows.
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
use names::pluralize;
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
    /// Number of speeds.
    pub speeds: usize,
    /// Number of independent rows, including those of drives.
    pub rank: usize,
    /// Number of degrees of freedom without the drives: `freedoms` of the declaration.
    pub freedoms: usize,
    /// Number of degrees of freedom with the drives.
    pub undriven: usize,
    /// Smallest singular value of the scaled rows that are independent in neighbouring poses; `None` if there are no rows.
    pub margin: Option<f64>,
    /// Length by which lengths are divided \[m\]: the diagonal of the box around all markers and bodies.
    pub size: f64,
    /// Findings in the order of the examination; empty if there are none.
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    /// Whether no finding is an error or a danger ([`Finding::is_trouble`]). There may be others, such as that nothing moves the mechanism.
    pub fn is_healthy(&self) -> bool {
        !self.findings.iter().any(Finding::is_trouble)
    }

    /// A diagnosis without findings and without rows.
    fn empty<M: Describe>(mechanism: &M, t: f64) -> Self {
        let name = names::item_name(mechanism, Item::Mechanism).unwrap_or_default();
        let speeds = mechanism.sizes().n_v;
        let (freedoms, undriven) = (speeds, speeds);
        Diagnosis { name, t, speeds, rank: 0, freedoms, undriven, margin: None, size: 1.0, findings: Vec::new() }
    }
}

/// Examines a mechanism in a state, at zero inputs: rows, rank, degrees of freedom, distance from singular poses, causes of motion.
///
/// Rank and singular poses are examined at the assembled pose nearest to the state. The function is intended for tools and tests, not for loops:
/// it computes dense decompositions of G in some ten poses, each with n_v² · n_c operations. It does not panic on numbers that are not finite,
/// nor on states of another mechanism.
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
    let values = residuals::not_finite(mechanism, state);
    if !values.is_empty() {
        diagnosis.findings.push(Finding::NotFinite { values });
        return diagnosis;
    }
    let scaled = Scaled::new(mechanism, state.view(&[]));
    diagnosis.size = scaled.size;
    let position: Vec<usize> = (0..mechanism.sizes().n_position).collect();
    let closed = scaled.close(q, &position);
    let is_closed = closed.miss <= CLOSED;
    diagnosis.findings.extend(residuals::examine_pose(&scaled, q, &closed));
    if is_closed {
        diagnosis.findings.extend(residuals::examine_speeds(&scaled, q, v));
    }
    let rank = rank::examine(&scaled, &closed.q);
    diagnosis.rank = rank.independent;
    diagnosis.undriven = diagnosis.speeds - rank.independent;
    diagnosis.freedoms = diagnosis.speeds - rank.undriven_independent;
    diagnosis.margin = rank.margin;
    // Contradictory rows are dependent in the closest pose, but there is a finding already that they do not close.
    if is_closed {
        diagnosis.findings.extend(rank.findings);
    }
    if diagnosis.is_healthy() {
        diagnosis.findings.extend(motion::findings(&scaled, &closed.q, state, &diagnosis));
    }
    diagnosis
}

impl fmt::Display for Diagnosis {
    /// Writes a line with the degrees of freedom, then a line for each finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, "`{}` ", self.name)?;
        }
        let counted = !self.findings.iter().any(|f| matches!(f, Finding::NotFinite { .. }));
        write!(f, "at t = {}:", self.t)?;
        match (self.freedoms, self.freedoms.saturating_sub(self.undriven)) {
            _ if !counted => {}
            (freedoms, 0) => write!(f, " {}", pluralize(freedoms, "freedom"))?,
            (freedoms, driven) => write!(f, " {}, {driven} driven", pluralize(freedoms, "freedom"))?,
        }
        if self.findings.is_empty() {
            return write!(f, ", nothing wrong");
        }
        self.findings.iter().try_for_each(|finding| write!(f, "\n- {finding}"))
    }
}
