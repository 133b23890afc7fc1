//! Transmission angles of a recording.

use super::AnalysisError;
use crate::{Recording, UnknownName};

impl Recording {
    /// Angle at `pin` between the lines from it to `first` and to `second` \[rad\], in [0, π], at every recorded time: the
    /// transmission angle, if `pin` joins coupler and follower. π/2 transmits forces best; 0 and π lock.
    ///
    /// Names are joints, or markers.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`] with the nearest joint, [`AnalysisError::NotDrawn`] for a joint that is not drawn.
    pub fn transmission_angle(&self, pin: &str, first: &str, second: &str) -> Result<Vec<f64>, AnalysisError> {
        let [pin, first, second] =
            [self.joint_positions(pin)?, self.joint_positions(first)?, self.joint_positions(second)?];
        let angle = |row: usize| {
            let [a, b] = [first, second].map(|end| [end[row][0] - pin[row][0], end[row][1] - pin[row][1]]);
            (a[0] * b[1] - a[1] * b[0]).abs().atan2(a[0] * b[0] + a[1] * b[1])
        };
        Ok((0..self.len()).map(angle).collect())
    }

    /// World positions \[m\] of a joint's second end, or of a marker.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`], [`AnalysisError::NotDrawn`].
    pub(super) fn joint_positions(&self, name: &str) -> Result<&[[f64; 3]], AnalysisError> {
        if let Some(joint) = self.joints().iter().find(|joint| joint.name == name) {
            let [_, second] = joint.ends.ok_or_else(|| AnalysisError::NotDrawn { joint: name.into() })?;
            return Ok(&self.markers()[second].positions);
        }
        let found = self.markers().iter().find(|marker| marker.name == name);
        let known = self.joints().iter().map(|joint| joint.name.as_str());
        let known = known.chain(self.markers().iter().map(|marker| marker.name.as_str()));
        found.map(|marker| &*marker.positions).ok_or_else(|| UnknownName::new("joint or marker", name, known).into())
    }
}
