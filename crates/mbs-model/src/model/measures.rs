//! Joints and measures by id.

use mbs_expr::JointId;

use super::{Joint, JointPose, Model};

impl Model {
    /// The pose over coordinates that a joint has, if the text declares its kind by one.
    pub fn pose_of(&self, id: JointId) -> Option<&JointPose> {
        self.poses.iter().find(|pose| pose.joint == id)
    }

    /// Returns the joint of an id, or, numbered after all joints, one of [`Model::measures`]: it measures the coordinates of the id.
    pub fn joint(&self, id: JointId) -> &Joint {
        self.joints.get(id.index()).unwrap_or_else(|| &self.measures[id.index() - self.joints.len()])
    }
}
