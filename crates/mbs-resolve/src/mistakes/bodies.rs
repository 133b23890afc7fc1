//! Messages about bodies, inertia, markers and bases.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn body_defined_by_itself(name: impl Display) -> Mistake {
    Mistake::new("MBS029", format!("body `{name}` is defined by itself")).help("break the circle")
}

pub(crate) fn body_takes_arguments(owner: impl Display, category: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("{owner} takes arguments, not a value"))
        .help(format!("write `{category} {name} {{ mass: 1 }}`"))
}

pub(crate) fn body_without_rotation(owner: impl Display) -> Mistake {
    Mistake::new("MBS038", format!("{owner} has no rotation, so no axes of its own"))
        .help("leave it out, or write `velocity: world`")
}

pub(crate) fn mass_moment_not_finite() -> Mistake {
    Mistake::new("MBS030", "the mass times the square of `com` is not finite at the default parameters")
}

pub(crate) fn coordinates_without_arguments() -> Mistake {
    Mistake::new("MBS017", "these coordinates have no arguments")
        .help("basic points and vectors are those of `natural`")
}

pub(crate) fn basis_not_a_list(name: impl Display, coordinates_example: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` of `natural` is a list"))
        .help(format!("write `{name}: [{coordinates_example}, …]`"))
}

pub(crate) fn not_a_basic_point(code: &'static str, found: impl Display, coordinates_example: impl Display) -> Mistake {
    Mistake::new(code, format!("a basic point is a location on the body, not {found}"))
        .help(format!("write `points: [{coordinates_example}, …]`"))
}

pub(crate) fn basic_point_elsewhere(there: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS050", format!("this point is on {there}, not on `{name}`"))
        .help("basic points of a body are fixed in it")
}

pub(crate) fn not_an_inertia(code: &'static str, subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new(code, format!("{subject} is a vector of 3 or a 3 × 3 matrix, not {found}"))
        .help("write `[Ixx, Iyy, Izz]`, or the tensor with its rows")
}

pub(crate) fn inertia_not_symmetric(
    subject: impl Display,
    above: impl Display,
    row: impl Display,
    column: impl Display,
    below: impl Display,
) -> Mistake {
    Mistake::new(
        "MBS031",
        format!(
            "{subject} is not symmetric: {above} in row {row}, column {column}, {below} in row {column}, column {row}"
        ),
    )
}

pub(crate) fn negative_principal_moment(subject: impl Display, shown: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("{subject} has the principal moment {shown}, it must not be negative"))
        .help("off-diagonals are entries of the tensor")
}

pub(crate) fn marker_without_place(name: impl Display, coordinates_example: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("marker `{name}` needs a location"))
        .help(format!("write `marker {name} = body at {coordinates_example};`"))
}

pub(crate) fn axes_given_twice(name: impl Display) -> Mistake {
    Mistake::new("MBS019", format!("the axes of marker `{name}` are given twice"))
}

pub(crate) fn parallel_axes(name: impl Display) -> Mistake {
    Mistake::new("MBS023", format!("the axes of marker `{name}` are parallel"))
}

pub(crate) fn axis_of_length_zero(example: impl Display) -> Mistake {
    Mistake::new("MBS023", "the axis has length zero").help(format!("write `{example}`"))
}

pub(crate) fn axis_not_finite() -> Mistake {
    Mistake::new("MBS030", "the axis is not finite")
}

pub(crate) fn axis_length_may_vanish() -> Mistake {
    Mistake::new("MBS030", "the length of the axis is not a number to divide by")
}

pub(crate) fn not_a_rotation(subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} is a rotation, not {found}"))
        .help("write `axis_angle(…)`, `euler(zyx, […])` or `quaternion([…])`")
}

pub(crate) fn momentum_of_no_body(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("momentum is that of a body or set, not of {found}"))
}

pub(crate) fn circular_potential_energy() -> Mistake {
    Mistake::new("MBS029", "a potential depends on the potential energy").help("break the circle")
}

pub(crate) fn body_untouched(name: impl Display) -> Mistake {
    Mistake::new("MBS037", format!("body `{name}` is touched by no joint, force or equation"))
        .help(format!("write `joint base = free(ground, {name});` if it moves freely"))
}

pub(crate) fn basis_without_point(name: impl Display, allowed: impl Display) -> Mistake {
    Mistake::new("MBS050", format!("`natural` of `{name}` states no point"))
        .help(format!("{allowed}; without braces they are chosen"))
}

pub(crate) fn basis_size(name: impl Display, found: impl Display, allowed: impl Display) -> Mistake {
    Mistake::new("MBS050", format!("the pose of `{name}` is not determined by {found}"))
        .help(format!("{allowed}; without braces they are chosen"))
}

pub(crate) fn basic_points_coincide(name: impl Display) -> Mistake {
    Mistake::new("MBS050", format!("two basic points of `{name}` coincide"))
        .help("basic points are apart, at the default parameters")
}

pub(crate) fn dependent_direction(name: impl Display, is_planar: bool) -> Mistake {
    Mistake::new("MBS050", format!("this direction of the basis of `{name}` is made of those before it")).help(
        match is_planar {
            true => "the directions of a basis are not parallel",
            false => "the directions of a basis do not lie in a plane",
        },
    )
}
