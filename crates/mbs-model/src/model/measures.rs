//! Joints and measures by id.

use super::{Joint, JointId, Model};

impl Model {
    /// What measures the coordinates of an id: a joint, or, numbered after all joints, one of [`Model::measures`].
    pub fn joint(&self, id: JointId) -> &Joint {
        self.joints.get(id.index()).unwrap_or_else(|| &self.measures[id.index() - self.joints.len()])
    }
}
