//! Access to joints and measures by id.

use mbs_expr::JointId;

use super::{Joint, JointPose, Model};

impl Model {
    /// The declared pose of a joint; `None` if its kind does not declare one.
    pub fn pose_of(&self, id: JointId) -> Option<&JointPose> {
        self.coordinates.poses.iter().find(|pose| pose.joint == id)
    }

    /// Returns the joint with an id. Ids after those of all joints are those of `Coordinates::measures`.
    pub fn joint(&self, id: JointId) -> &Joint {
        self.joints.get(id.index()).unwrap_or_else(|| &self.coordinates.measures[id.index() - self.joints.len()])
    }
}
