//! Typed contents of a URDF file. Every part keeps the bytes it was read from.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{axes, inertia};

/// A value and the bytes of the file that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Bytes of the attribute's value; of the element when the attribute is missing and a default applies.
    pub bytes: Range<usize>,
}

/// A tree of links.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// Name of the robot.
    pub name: Placed<String>,
    /// Links in the order of the file.
    pub links: Vec<Link>,
    /// Joints in the order of the file.
    pub joints: Vec<Joint>,
}

impl Robot {
    /// The link that is no joint's child.
    pub fn root(&self) -> Option<&Link> {
        self.links.iter().find(|link| self.joints.iter().all(|joint| joint.child.value != link.name.value))
    }

    /// Joints as a tree is walked: breadth first from the root, those of one parent in the order of the file.
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

    /// The root is the world: it is called so and has neither mass nor inertia.
    pub fn stands_on_ground(&self) -> bool {
        let weighs = |i: &Inertial| i.mass.value != 0.0 || i.moments.value.iter().any(|m| *m != 0.0);
        self.root().is_some_and(|root| root.name.value == "world" && !root.inertial.as_ref().is_some_and(weighs))
    }
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name.
    pub name: Placed<String>,
    /// Mass and inertia; a link without has none.
    pub inertial: Option<Inertial>,
    /// Visual shapes.
    pub visuals: Vec<Shape>,
    /// Collision shapes.
    pub collisions: Vec<Shape>,
    /// The element.
    pub bytes: Range<usize>,
}

/// Mass and inertia in a frame of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertial {
    /// The inertial frame, seen from the link: centre of mass, and axes of the inertia.
    pub origin: Pose,
    /// Mass \[kg\], not negative.
    pub mass: Placed<f64>,
    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass in the inertial frame's axes \[kg m²\]; products are entries of
    /// the tensor.
    pub moments: Placed<[f64; 6]>,
}

impl Inertial {
    /// The inertia about the centre of mass in the link's axes, R I Rᵀ with R the rotation of the inertial frame \[kg m²\];
    /// symmetric, exactly as written when the frame is not rotated, entries below 1e-15 of the largest rounded to zero otherwise.
    pub fn tensor(&self) -> [[f64; 3]; 3] {
        let own = inertia::tensor(&self.moments.value);
        if self.origin.rpy.value == [0.0; 3] { own } else { axes::turned(&own, &self.origin.rotation()) }
    }
}

/// A frame seen from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Its origin \[m\].
    pub xyz: Placed<[f64; 3]>,
    /// Roll, pitch, yaw about the fixed x, y, z axes in this order \[rad\].
    pub rpy: Placed<[f64; 3]>,
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
    /// Its frame, seen from the link.
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
    /// About z, half spheres at its ends.
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
        /// As written.
        filename: String,
        /// Factors along x, y, z.
        scale: [f64; 3],
    },
}

/// Types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// A hinge with limits.
    Revolute,
    /// A hinge without.
    Continuous,
    /// A slide.
    Prismatic,
    /// No degrees of freedom.
    Fixed,
    /// All six.
    Floating,
    /// Motion in the plane normal to the axis.
    Planar,
}

impl JointType {
    /// All of them with their names.
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

    /// Its axis has a meaning.
    pub fn has_axis(self) -> bool {
        self.coordinate().is_some() || self == JointType::Planar
    }
}

/// Joint between a link and its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: Placed<String>,
    /// Its type.
    pub kind: Placed<JointType>,
    /// Name of the link it is fixed to.
    pub parent: Placed<String>,
    /// Name of the link it moves.
    pub child: Placed<String>,
    /// The joint's frame seen from the parent; the child's frame at zero.
    pub origin: Pose,
    /// Direction of the axis, or normal of the plane, in the joint's frame; not zero if it has a meaning.
    pub axis: Placed<[f64; 3]>,
    /// Limits, as far as given.
    pub limit: Limit,
    /// Damping and friction, as far as given.
    pub dynamics: Dynamics,
    /// The joint it follows.
    pub mimic: Option<Mimic>,
    /// The element.
    pub bytes: Range<usize>,
}

impl Joint {
    /// It has one coordinate, and follows no other joint: a motor may move it.
    pub fn is_driven(&self) -> bool {
        self.kind.value.coordinate().is_some() && self.mimic.is_none()
    }
}

/// Limits of a joint, where given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// Smallest coordinate \[rad or m\].
    pub lower: Option<Placed<f64>>,
    /// Largest coordinate \[rad or m\].
    pub upper: Option<Placed<f64>>,
    /// Largest torque or force \[N m or N\].
    pub effort: Option<Placed<f64>>,
    /// Largest speed \[rad/s or m/s\].
    pub velocity: Option<Placed<f64>>,
}

/// Losses of a joint, where given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// Torque or force per speed \[N m s/rad or N s/m\].
    pub damping: Option<Placed<f64>>,
    /// Static friction \[N m or N\].
    pub friction: Option<Placed<f64>>,
}

/// A joint that follows another: coordinate = multiplier · other + offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// Name of the joint it follows.
    pub joint: Placed<String>,
    /// Factor, 1 by default.
    pub multiplier: Placed<f64>,
    /// Offset \[rad or m\], 0 by default.
    pub offset: Placed<f64>,
}
