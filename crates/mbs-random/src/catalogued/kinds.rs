//! Kinds of joints whose steps are known: the rows of the catalogue, each with its translation and its rotation.

use std::sync::LazyLock;

use mbs_definition::Space;
use mbs_model::catalog::{self, Build, Ends, PlanarRotation, PlanarTranslation, Shape, Speeds, Translation};

/// Motion of the second end's point relative to the first's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranslationKind {
    /// The points coincide.
    Fixed,
    /// Along an axis of the first end.
    Along,
    /// In the plane normal to an axis of the first end.
    Across,
    /// Anywhere.
    Anywhere,
    /// On a sphere, in the plane on a circle.
    Around,
    /// On an ellipsoid, at the point that the second end's z axis determines.
    Ellipsoid,
    /// Along an axis of the second end.
    AlongSecond,
    /// Along the axis of rotation, in proportion to the angle.
    Screw,
}

/// Rotation of the second end relative to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationKind {
    /// It does not rotate.
    Fixed,
    /// It is rotated by a constant angle, in the plane.
    ByAngle,
    /// About an axis; in the plane about z.
    About,
    /// About an axis of the first end, then one of the second.
    Cross,
    /// About all axes, with three angles as coordinates.
    Gimbal,
    /// About all axes.
    Ball,
    /// Rotation about all axes except the z axis of its frame.
    Line,
    /// With a constant angle between an axis of each end.
    ConstantAngle,
}

impl RotationKind {
    /// Number of angles that are its coordinates.
    pub fn angles(self) -> usize {
        match self {
            RotationKind::About => 1,
            RotationKind::Cross => 2,
            RotationKind::Gimbal => 3,
            RotationKind::Fixed
            | RotationKind::ByAngle
            | RotationKind::Ball
            | RotationKind::Line
            | RotationKind::ConstantAngle => 0,
        }
    }

    /// Whether the rotation is drawn as three angles about x, y and z.
    pub fn is_any(self) -> bool {
        matches!(self, RotationKind::Gimbal | RotationKind::Ball | RotationKind::Line | RotationKind::ConstantAngle)
    }
}

/// Most axes of a kind.
pub const MOST_AXES: usize = 3;

/// Kinds of the catalogue that only close loops. Their rows are equivalent to the steps stated here, which the catalogue does not have. The first
/// axis is that of the translation and of the rotation.
pub const RELATIONS: &[(Space, &str, TranslationKind, RotationKind)] = &[
    (Space::Planar, "point_on_line", TranslationKind::Along, RotationKind::About),
    (Space::Planar, "distance", TranslationKind::Around, RotationKind::About),
    (Space::Spatial, "point_on_line", TranslationKind::Along, RotationKind::Ball),
    (Space::Spatial, "point_on_plane", TranslationKind::Across, RotationKind::Ball),
    (Space::Spatial, "distance", TranslationKind::Around, RotationKind::Ball),
    (Space::Spatial, "constant_angle", TranslationKind::Anywhere, RotationKind::ConstantAngle),
    (Space::Spatial, "constant_orientation", TranslationKind::Anywhere, RotationKind::Fixed),
];

/// A kind.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its row of the catalogue.
    pub row: &'static catalog::Kind,
    /// Its translation.
    pub translation: TranslationKind,
    /// Its rotation.
    pub rotation: RotationKind,
    /// Names of its axes, with their defaults.
    pub axes: Vec<(&'static str, Option<[f64; 3]>)>,
    /// Index of the axis of translation.
    pub translation_axis: usize,
    /// Indices of the axes of rotation.
    pub rotation_axes: [usize; 2],
    /// Name of its number, with its default.
    pub number: Option<(&'static str, Option<f64>)>,
    /// Name of its radii.
    pub radii: Option<&'static str>,
    /// Names of coordinates that are displacements and angles, and of their rates.
    pub coordinates: Vec<[String; 3]>,
}

impl Kind {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// Whether it can be a joint of the tree.
    pub fn spans(&self) -> bool {
        matches!(self.row.build, Build::Composed(_) | Build::Planar(_))
    }

    /// Whether its ends may be particles.
    pub fn takes_particles(&self) -> bool {
        !self.row.requires_rotation
    }

    /// Whether `q` includes parameters of an attitude.
    pub fn has_attitude(&self) -> bool {
        self.row.coordinates.iter().any(|c| c.speeds == Speeds::AngularVelocity)
    }
}

/// The kinds of the plane or of space, in the order of the catalogue.
pub fn kinds(space: Space) -> &'static [Kind] {
    static KINDS: LazyLock<[Vec<Kind>; 2]> = LazyLock::new(|| [Space::Planar, Space::Spatial].map(known));
    &KINDS[usize::from(space == Space::Spatial)]
}

fn known(space: Space) -> Vec<Kind> {
    catalog::joints(space).iter().filter_map(|row| of_row(space, row).ok()).collect()
}

/// Kinds of the catalogue that random mechanisms do not have, with the reason. Gears connect joints and are drawn separately.
pub fn undrawn(space: Space) -> Vec<(&'static str, &'static str)> {
    let rows = catalog::joints(space).iter().filter(|row| row.ends != Ends::TwoJoints);
    rows.filter_map(|row| Some((row.name, of_row(space, row).err()?))).collect()
}

/// A step with the names of its axes.
type Named<T> = (T, Vec<&'static str>);

/// A row of the catalogue with its steps, or the reason why these are not known.
fn of_row(space: Space, row: &'static catalog::Kind) -> Result<Kind, &'static str> {
    let ((translation, translation_axis_names), (rotation, rotation_axis_names)) = match row.build {
        Build::Composed(composition) => (translation(composition.translation), rotation(composition.rotation)),
        Build::Planar(composition) => {
            (planar_translation(composition.translation), planar_rotation(composition.rotation))
        }
        _ => relation(space, row.name).ok_or("it closes loops by rows of its own")?,
    };
    let of_shape = |shape: Shape| row.arguments.iter().filter(move |argument| argument.shape == shape);
    let axes: Vec<_> = of_shape(Shape::Axis).map(|argument| (argument.name, argument.default)).collect();
    let at = |name: &str| axes.iter().position(|(axis, _)| *axis == name);
    let index =
        |names: &[&str], k: usize, otherwise: usize| names.get(k).and_then(|name| at(name)).unwrap_or(otherwise);
    if axes.len() > MOST_AXES {
        return Err("it takes more axes than a link has");
    }
    if of_shape(Shape::Number).count() > 1 || of_shape(Shape::Diagonal).count() > 1 {
        return Err("it takes more numbers than a link has");
    }
    Ok(Kind {
        row,
        translation,
        rotation,
        translation_axis: index(&translation_axis_names, 0, 0),
        rotation_axes: [index(&rotation_axis_names, 0, 0), index(&rotation_axis_names, 1, 1)],
        axes,
        number: of_shape(Shape::Number).next().map(|argument| (argument.name, argument.default.map(|d| d[0]))),
        radii: of_shape(Shape::Diagonal).next().map(|argument| argument.name),
        coordinates: coordinates(row),
    })
}

fn relation(space: Space, name: &str) -> Option<(Named<TranslationKind>, Named<RotationKind>)> {
    let (_, _, translation, rotation) = RELATIONS.iter().find(|relation| (relation.0, relation.1) == (space, name))?;
    Some(((*translation, Vec::new()), (*rotation, Vec::new())))
}

/// Names of the components of coordinates, and of their rates; parameters of attitudes have none.
fn coordinates(row: &catalog::Kind) -> Vec<[String; 3]> {
    let named = row.coordinates.iter().filter(|coordinate| coordinate.speeds == Speeds::Rates);
    let components = named.flat_map(|c| c.components.iter().map(move |component| (c, component)));
    let names = components.map(|(c, component)| {
        let of = component.strip_prefix(c.name).unwrap_or_default();
        [c.name, c.speed, c.acceleration].map(|name| format!("{name}{of}"))
    });
    names.collect()
}

fn translation(of: Translation) -> Named<TranslationKind> {
    match of {
        Translation::Fixed => (TranslationKind::Fixed, Vec::new()),
        Translation::Along(axis) => (TranslationKind::Along, vec![axis]),
        Translation::Across(axis) => (TranslationKind::Across, vec![axis]),
        Translation::Anywhere => (TranslationKind::Anywhere, Vec::new()),
        Translation::Around(_) => (TranslationKind::Around, Vec::new()),
        Translation::Ellipsoid(_) => (TranslationKind::Ellipsoid, Vec::new()),
        Translation::AlongSecondEnd(axis) => (TranslationKind::AlongSecond, vec![axis]),
        Translation::Screw { axis, .. } => (TranslationKind::Screw, vec![axis]),
    }
}

fn rotation(of: catalog::RelativeRotation) -> Named<RotationKind> {
    match of {
        catalog::RelativeRotation::Fixed => (RotationKind::Fixed, Vec::new()),
        catalog::RelativeRotation::About(axis) => (RotationKind::About, vec![axis]),
        catalog::RelativeRotation::Cross(axes) => (RotationKind::Cross, axes.to_vec()),
        catalog::RelativeRotation::Gimbal => (RotationKind::Gimbal, Vec::new()),
        catalog::RelativeRotation::Line => (RotationKind::Line, Vec::new()),
        catalog::RelativeRotation::Ball => (RotationKind::Ball, Vec::new()),
    }
}

fn planar_translation(of: PlanarTranslation) -> Named<TranslationKind> {
    match of {
        PlanarTranslation::Fixed => (TranslationKind::Fixed, Vec::new()),
        PlanarTranslation::Along(axis) => (TranslationKind::Along, vec![axis]),
        PlanarTranslation::Anywhere => (TranslationKind::Anywhere, Vec::new()),
    }
}

fn planar_rotation(of: PlanarRotation) -> Named<RotationKind> {
    match of {
        PlanarRotation::Fixed => (RotationKind::Fixed, Vec::new()),
        PlanarRotation::ConstantAngle(_) => (RotationKind::ByAngle, Vec::new()),
        PlanarRotation::Free => (RotationKind::About, Vec::new()),
    }
}
