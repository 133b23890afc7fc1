//! Typed contents of a URDF file. Every part has the bytes that it was read from.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{axes, inertia};

/// A value and the bytes of the file that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Bytes of the attribute's value; of the element if the attribute is missing and a default applies.
    pub bytes: Range<usize>,
}

/// A tree of links.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// Name of the robot.
    pub name: Spanned<String>,
    /// Links in the order of the file.
    pub links: Vec<Link>,
    /// Joints in the order of the file.
    pub joints: Vec<Joint>,
}

impl Robot {
    /// The link that is not the child of any joint.
    pub fn root(&self) -> Option<&Link> {
        self.links.iter().find(|link| self.joints.iter().all(|joint| joint.child.value != link.name.value))
    }

    /// Joints in the order of the tree: breadth first from the root, those of one parent in the order of the file.
    pub fn in_tree_order(&self) -> Vec<&Joint> {
        let mut of_parent: BTreeMap<&str, Vec<&Joint>> = BTreeMap::new();
        for joint in &self.joints {
            of_parent.entry(&joint.parent.value).or_default().push(joint);
        }
        let mut order: Vec<&Joint> = Vec::with_capacity(self.joints.len());
        let mut next = 0;
        order.extend(self.root().and_then(|root| of_parent.remove(root.name.value.as_str())).unwrap_or_default());
        while let Some(joint) = order.get(next) {
            next += 1;
            order.extend(of_parent.remove(joint.child.value.as_str()).unwrap_or_default());
        }
        order
    }

    /// Whether the root is ground: its name is `world`, and it has neither mass nor inertia.
    pub fn is_root_ground(&self) -> bool {
        let weighs = |i: &Inertial| i.mass.value != 0.0 || i.moments.value.iter().any(|m| *m != 0.0);
        self.root().is_some_and(|root| root.name.value == "world" && !root.inertial.as_ref().is_some_and(weighs))
    }
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name.
    pub name: Spanned<String>,
    /// Mass and inertia; a link without them is massless.
    pub inertial: Option<Inertial>,
    /// Visual shapes.
    pub visuals: Vec<Shape>,
    /// Collision shapes.
    pub collisions: Vec<Shape>,
    /// The element.
    pub bytes: Range<usize>,
}

/// Mass and inertia in the inertial frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertial {
    /// Pose of the inertial frame in the link: centre of mass, and axes of the inertia.
    pub origin: Pose,
    /// Mass \[kg\], not negative.
    pub mass: Spanned<f64>,
    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass in the inertial frame's axes \[kg m²\]; products are entries of
    /// the tensor.
    pub moments: Spanned<[f64; 6]>,
}

impl Inertial {
    /// The inertia about the centre of mass in the link's axes, R I Rᵀ with R the rotation of the inertial frame \[kg m²\];
    /// symmetric. It is exactly as written if the frame is not rotated; otherwise entries below 1e-15 of the largest are zero.
    pub fn tensor(&self) -> [[f64; 3]; 3] {
        let tensor = inertia::tensor(&self.moments.value);
        if self.origin.rpy.value == [0.0; 3] { tensor } else { axes::rotated_tensor(&tensor, &self.origin.rotation()) }
    }
}

/// Pose of a frame in another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Its origin \[m\].
    pub xyz: Spanned<[f64; 3]>,
    /// Roll, pitch, yaw about the fixed x, y, z axes in this order \[rad\].
    pub rpy: Spanned<[f64; 3]>,
}

impl Pose {
    /// R = Rz(yaw) Ry(pitch) Rx(roll), row-major: columns are the frame's axes.
    pub fn rotation(&self) -> [[f64; 3]; 3] {
        axes::rotation(self.rpy.value)
    }
}

/// A visual or a collision.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Pose of its frame in the link.
    pub origin: Pose,
    /// Its geometry.
    pub geometry: Geometry,
    /// Red, green, blue, alpha from 0 to 1, of its material.
    pub colour: Option<[f64; 4]>,
    /// The element.
    pub bytes: Range<usize>,
}

/// A solid, centred in its frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Lengths of the sides along x, y, z \[m\].
    Box([f64; 3]),
    /// About z.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Height \[m\].
        length: f64,
    },
    /// A cylinder about z with half spheres at its ends.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Height between the centres of the half spheres \[m\].
        length: f64,
    },
    /// Radius \[m\].
    Sphere(f64),
    /// Triangles in another file, which is not read.
    Mesh {
        /// File name, as written.
        filename: String,
        /// Scale factors in x, y, z.
        scale: [f64; 3],
    },
}

/// Types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// A hinge with limits.
    Revolute,
    /// A hinge without limits.
    Continuous,
    /// A slide.
    Prismatic,
    /// No degrees of freedom.
    Fixed,
    /// Six degrees of freedom.
    Floating,
    /// Motion in the plane normal to the axis.
    Planar,
}

impl JointType {
    /// All types with their names.
    pub(super) const ALL: [(&'static str, JointType); 6] = [
        ("revolute", JointType::Revolute),
        ("continuous", JointType::Continuous),
        ("prismatic", JointType::Prismatic),
        ("fixed", JointType::Fixed),
        ("floating", JointType::Floating),
        ("planar", JointType::Planar),
    ];

    /// Its name in URDF.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, joint)| *joint == self).map_or("", |(name, _)| name)
    }

    /// Name of its only coordinate in the language; `None` unless it has exactly one.
    pub fn coordinate(self) -> Option<&'static str> {
        match self {
            JointType::Revolute | JointType::Continuous => Some("angle"),
            JointType::Prismatic => Some("position"),
            JointType::Fixed | JointType::Floating | JointType::Planar => None,
        }
    }

    /// Whether its axis has a meaning.
    pub fn has_axis(self) -> bool {
        self.coordinate().is_some() || self == JointType::Planar
    }
}

/// Joint between a link and its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: Spanned<String>,
    /// Its type.
    pub kind: Spanned<JointType>,
    /// Name of the parent link.
    pub parent: Spanned<String>,
    /// Name of the child link.
    pub child: Spanned<String>,
    /// Pose of the joint's frame in the parent; the child's frame coincides with it at zero.
    pub origin: Pose,
    /// Direction of the axis, or normal of the plane, in the joint's frame; not zero if it has a meaning.
    pub axis: Spanned<[f64; 3]>,
    /// Limits, as far as given.
    pub limit: Limit,
    /// Damping and friction, as far as given.
    pub dynamics: Dynamics,
    /// The joint that it mimics.
    pub mimic: Option<Mimic>,
    /// The element.
    pub bytes: Range<usize>,
}

impl Joint {
    /// Whether a motor can move it: it has one coordinate and mimics no other joint.
    pub fn is_driven(&self) -> bool {
        self.kind.value.coordinate().is_some() && self.mimic.is_none()
    }
}

/// Limits of a joint, where given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// Smallest coordinate \[rad or m\].
    pub lower: Option<Spanned<f64>>,
    /// Largest coordinate \[rad or m\].
    pub upper: Option<Spanned<f64>>,
    /// Largest torque or force \[N m or N\].
    pub effort: Option<Spanned<f64>>,
    /// Largest speed \[rad/s or m/s\].
    pub velocity: Option<Spanned<f64>>,
}

/// Losses of a joint, where given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// Torque or force per speed \[N m s/rad or N s/m\].
    pub damping: Option<Spanned<f64>>,
    /// Static friction \[N m or N\].
    pub friction: Option<Spanned<f64>>,
}

/// The relation of a joint that mimics another: coordinate = multiplier · other + offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// Name of the other joint.
    pub joint: Spanned<String>,
    /// Factor, 1 by default.
    pub multiplier: Spanned<f64>,
    /// Offset \[rad or m\], 0 by default.
    pub offset: Spanned<f64>,
}
