//! Kinds of joints whose steps are known: the rows of the catalogue, each with its translation and its rotation.

use std::sync::LazyLock;

use mbs_definition::Space;
use mbs_model::catalog::{self, Build, Ends, PlanarRotation, PlanarTranslation, Shape, Speeds, Translation};

/// How the second end's point moves relative to the first's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slide {
    /// The points coincide.
    Held,
    /// Along an axis of the first end.
    Along,
    /// Across an axis of the first end.
    Across,
    /// Anywhere.
    Anywhere,
    /// On a sphere, in the plane on a circle.
    Around,
    /// On an ellipsoid, at the point that the second end's z axis determines.
    Ellipsoid,
    /// Along an axis of the second end.
    Carried,
    /// Along the axis of rotation, in proportion to the angle.
    Screw,
}

/// How the second end rotates relative to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// It does not rotate.
    Held,
    /// It is rotated by an angle, in the plane.
    By,
    /// About an axis; in the plane about z.
    About,
    /// About an axis of the first end, then one of the second.
    Cross,
    /// In any way, by angles.
    Gimbal,
    /// In any way.
    Ball,
    /// In any way except about its own z.
    Line,
    /// So that two axes keep their angle.
    Lean,
}

impl Turning {
    /// Angles that are its coordinates.
    pub fn angles(self) -> usize {
        match self {
            Turning::About => 1,
            Turning::Cross => 2,
            Turning::Gimbal => 3,
            Turning::Held | Turning::By | Turning::Ball | Turning::Line | Turning::Lean => 0,
        }
    }

    /// Whether it is given by three angles about x, y and z.
    pub fn is_any(self) -> bool {
        matches!(self, Turning::Gimbal | Turning::Ball | Turning::Line | Turning::Lean)
    }
}

/// Most axes of a kind.
pub const MOST_AXES: usize = 3;

/// Kinds of the catalogue that close loops only: their rows are those of steps, of which the catalogue knows nothing. The axis of the
/// translation is the first, and so is that of the rotation.
pub const RELATIONS: &[(Space, &str, Slide, Turning)] = &[
    (Space::Planar, "point_on_line", Slide::Along, Turning::About),
    (Space::Planar, "distance", Slide::Around, Turning::About),
    (Space::Spatial, "point_on_line", Slide::Along, Turning::Ball),
    (Space::Spatial, "point_on_plane", Slide::Across, Turning::Ball),
    (Space::Spatial, "distance", Slide::Around, Turning::Ball),
    (Space::Spatial, "constant_angle", Slide::Anywhere, Turning::Lean),
    (Space::Spatial, "constant_orientation", Slide::Anywhere, Turning::Held),
];

/// A kind.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its row of the catalogue.
    pub row: &'static catalog::Kind,
    /// Its translation.
    pub slide: Slide,
    /// Its rotation.
    pub turning: Turning,
    /// Names of the axes it takes, with the ones it takes where they are left out.
    pub axes: Vec<(&'static str, Option<[f64; 3]>)>,
    /// Index of the axis of translation.
    pub slide_axis: usize,
    /// Indices of the axes of rotation.
    pub turn_axes: [usize; 2],
    /// Name of the number it takes, with its default.
    pub number: Option<(&'static str, Option<f64>)>,
    /// Name of the radii it takes.
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

/// Kinds of the catalogue that random mechanisms do not have, with the reason. Gears join joints: they are drawn by themselves.
pub fn undrawn(space: Space) -> Vec<(&'static str, &'static str)> {
    let rows = catalog::joints(space).iter().filter(|row| row.ends != Ends::TwoJoints);
    rows.filter_map(|row| Some((row.name, of_row(space, row).err()?))).collect()
}

/// A step with the names of the axes it takes.
type Named<T> = (T, Vec<&'static str>);

/// A row of the catalogue with its steps, or the reason why these are not known.
fn of_row(space: Space, row: &'static catalog::Kind) -> Result<Kind, &'static str> {
    let ((slide, slides), (turning, turns)) = match row.build {
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
        slide,
        turning,
        slide_axis: index(&slides, 0, 0),
        turn_axes: [index(&turns, 0, 0), index(&turns, 1, 1)],
        axes,
        number: of_shape(Shape::Number).next().map(|argument| (argument.name, argument.default.map(|d| d[0]))),
        radii: of_shape(Shape::Diagonal).next().map(|argument| argument.name),
        coordinates: coordinates(row),
    })
}

fn relation(space: Space, name: &str) -> Option<(Named<Slide>, Named<Turning>)> {
    let (_, _, slide, turning) = RELATIONS.iter().find(|relation| (relation.0, relation.1) == (space, name))?;
    Some(((*slide, Vec::new()), (*turning, Vec::new())))
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

fn translation(of: Translation) -> Named<Slide> {
    match of {
        Translation::Fixed => (Slide::Held, Vec::new()),
        Translation::Along(axis) => (Slide::Along, vec![axis]),
        Translation::Across(axis) => (Slide::Across, vec![axis]),
        Translation::Anywhere => (Slide::Anywhere, Vec::new()),
        Translation::Around(_) => (Slide::Around, Vec::new()),
        Translation::Ellipsoid(_) => (Slide::Ellipsoid, Vec::new()),
        Translation::AlongSecondEnd(axis) => (Slide::Carried, vec![axis]),
        Translation::Screw { axis, .. } => (Slide::Screw, vec![axis]),
    }
}

fn rotation(of: catalog::RelativeRotation) -> Named<Turning> {
    match of {
        catalog::RelativeRotation::Fixed => (Turning::Held, Vec::new()),
        catalog::RelativeRotation::About(axis) => (Turning::About, vec![axis]),
        catalog::RelativeRotation::Cross(axes) => (Turning::Cross, axes.to_vec()),
        catalog::RelativeRotation::Gimbal => (Turning::Gimbal, Vec::new()),
        catalog::RelativeRotation::Line => (Turning::Line, Vec::new()),
        catalog::RelativeRotation::Ball => (Turning::Ball, Vec::new()),
    }
}

fn planar_translation(of: PlanarTranslation) -> Named<Slide> {
    match of {
        PlanarTranslation::Fixed => (Slide::Held, Vec::new()),
        PlanarTranslation::Along(axis) => (Slide::Along, vec![axis]),
        PlanarTranslation::Anywhere => (Slide::Anywhere, Vec::new()),
    }
}

fn planar_rotation(of: PlanarRotation) -> Named<Turning> {
    match of {
        PlanarRotation::Fixed => (Turning::Held, Vec::new()),
        PlanarRotation::ConstantAngle(_) => (Turning::By, Vec::new()),
        PlanarRotation::Free => (Turning::About, Vec::new()),
    }
}
