//! Messages about values, fields and arguments.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn too_many_expressions(most_steps: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("the mechanism unrolls to more than {most_steps} expressions"))
}

pub(crate) fn expression_nested_too_deep(deepest: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("nested more than {deepest} deep, through the names it refers to"))
}

pub(crate) fn number_too_large() -> Mistake {
    Mistake::new("MBS030", "the number is too large")
}

pub(crate) fn number_too_small() -> Mistake {
    Mistake::new("MBS030", "the number is too small: it loses its digits below 2.2e-308").help("use 0, or other units")
}

pub(crate) fn range_is_no_value() -> Mistake {
    Mistake::new("MBS027", "a range is not a value").help("ranges stand in `for`, `sum` and slices `u[0..3]`")
}

pub(crate) fn com_alone() -> Mistake {
    Mistake::new("MBS027", "`com` is after `at`").help("write `body at com`")
}

pub(crate) fn indexed_name(name: impl Display, name2: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` has an index")).help(format!("write `{name2}`"))
}

pub(crate) fn refers_to_itself(name: impl Display) -> Mistake {
    Mistake::new("MBS029", format!("`{name}` refers to itself")).help("break the circle")
}

pub(crate) fn not_known_here(name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("`{name}` is not known here"))
        .help("defaults and sizes may use constants and earlier parameters")
}

pub(crate) fn no_elements(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{found} has no elements"))
}

pub(crate) fn index_out_of_bounds(found: impl Display, length: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("index out of bounds: {found} has elements 0..{length}"))
}

pub(crate) fn not_summable(sum: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{sum} cannot be summed"))
}

pub(crate) fn empty_vector() -> Mistake {
    Mistake::new("MBS021", "a vector without components")
}

pub(crate) fn rows_of_different_lengths() -> Mistake {
    Mistake::new("MBS021", "rows of different lengths")
}

pub(crate) fn component_is_no_number(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a component is a number, not {found}"))
}

pub(crate) fn not_a_truth_value(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a truth value is expected, not {found}")).help("compare with `<`, `>`, `==`")
}

pub(crate) fn not_a_number(subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} is a number, not {found}"))
}

pub(crate) fn not_a_vector(
    code: &'static str,
    subject: impl Display,
    dimension: impl Display,
    found: impl Display,
) -> Mistake {
    Mistake::new(code, format!("{subject} is a vector of {dimension}, not {found}"))
}

pub(crate) fn result_not_finite() -> Mistake {
    Mistake::new("MBS030", "the result is not a finite number")
}

pub(crate) fn not_comparable(a: impl Display, b: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("cannot compare {a} with {b}")).help("compare numbers")
}

pub(crate) fn no_such_operation(
    code: &'static str,
    verb: impl Display,
    x: impl Display,
    preposition: impl Display,
    y: impl Display,
) -> Mistake {
    Mistake::new(code, format!("cannot {verb} {x} {preposition} {y}"))
}

pub(crate) fn not_negatable(a: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("cannot negate {a}"))
}

pub(crate) fn not_between_values(a: impl Display, b: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`if` chooses between numbers or vectors, not {a} and {b}"))
}

pub(crate) fn choice_of_different_values(a: impl Display, b: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("`if` chooses between {a} and {b}"))
}

pub(crate) fn value_not_finite(subject: impl Display) -> Mistake {
    Mistake::new("MBS030", format!("{subject} is not a finite number"))
}

pub(crate) fn axes_differ(p: impl Display, q: impl Display) -> Mistake {
    Mistake::new("MBS022", format!("vectors in the axes of `{p}` and of `{q}`"))
        .help(format!("re-express one of them: `v in {p}`"))
}

pub(crate) fn not_in_these_axes(subject: impl Display, own: impl Display, given: impl Display) -> Mistake {
    Mistake::new("MBS022", format!("{subject} is in the axes of `{own}`, not of `{given}`")).help("leave out `in`")
}

pub(crate) fn argument_given_twice(name: impl Display) -> Mistake {
    Mistake::new("MBS019", format!("argument `{name}` is given twice"))
}

pub(crate) fn unknown_argument(owner: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS017", format!("{owner} has no argument `{name}`"))
}

pub(crate) fn argument_without_arguments(name: impl Display, owner: impl Display) -> Mistake {
    Mistake::new("MBS017", format!("argument `{name}` of {owner} has no arguments of its own"))
        .help("leave the braces out")
}

pub(crate) fn not_parametric(subject: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("{subject} is made of constants and parameters only"))
}

pub(crate) fn may_change_within_a_step(owner: impl Display) -> Mistake {
    Mistake::new("MBS046", format!("`enabled` of {owner} may change within a step"))
        .help("make it of switches, `discrete` variables and parameters, and change those in an `event`")
}

pub(crate) fn depends_on_load_of_row(subject: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{subject} depends on the load of a row: circular"))
        .help("accelerations, loads of rows and rates of states may stand in outputs")
}

pub(crate) fn depends_on_accelerations(subject: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{subject} depends on accelerations: circular"))
        .help("accelerations, loads of rows and rates of states may stand in outputs")
}

pub(crate) fn depends_on_rate_of_state(subject: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{subject} depends on the rate of a state"))
        .help("accelerations, loads of rows and rates of states may stand in outputs")
}

pub(crate) fn out_of_domain(subject: impl Display, value: impl Display, wrong: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("{subject} is {value}, it {wrong}"))
}

pub(crate) fn not_finite_at_defaults(subject: impl Display) -> Mistake {
    Mistake::new("MBS030", format!("{subject} is not finite at the default parameters"))
}

pub(crate) fn value_without_field(found: impl Display, name: impl Display, list: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("{found} has no `.{name}`")).help(format!("it has `.{list}`"))
}

pub(crate) fn no_field(found: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("{found} has no field `{name}`"))
}

pub(crate) fn marker_without_field(name: impl Display, name2: impl Display, example: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("marker `{name}` states no `{name2}`"))
        .help(format!("write `{{ {name2}: {example} }}` where it is declared"))
}

pub(crate) fn force_without_field(field: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("a force has no field `{field}`"))
}

pub(crate) fn owner_without_field(subject: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("{subject} has no `.{name}`")).help("it has `.force` and `.torque`")
}

pub(crate) fn particle_of_joint_without_rotation(joint_name: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS038", format!("joint `{joint_name}` has no `{name}`: a particle has no rotation"))
}

pub(crate) fn joint_without_field(joint_name: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("joint `{joint_name}` has no `{name}`"))
}

pub(crate) fn axes_of_another_shape(code: &'static str, dimension: impl Display, found: impl Display) -> Mistake {
    Mistake::new(code, format!("`in` gives axes to a vector of {dimension}, not to {found}"))
}

pub(crate) fn axes_of_no_body(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("axes are those of a body or marker, not of {found}"))
}

pub(crate) fn no_centre_of_mass(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{found} has no centre of mass"))
}

pub(crate) fn offset_of_another_shape(
    code: &'static str,
    dimension: impl Display,
    found: impl Display,
    coordinates_example: impl Display,
) -> Mistake {
    Mistake::new(code, format!("`at` takes a vector of {dimension}, not {found}"))
        .help(format!("write `at {coordinates_example}` or `at com`"))
}

pub(crate) fn not_a_body_or_marker(found: impl Display, coordinates_example: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a body or marker is expected, not {found}"))
        .help(format!("write `body` or `body at {coordinates_example}`"))
}

pub(crate) fn particle_without_rotation(name: impl Display) -> Mistake {
    Mistake::new("MBS038", format!("particle `{name}` has no rotation"))
}

pub(crate) fn rate_takes_numbers(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("in space `rate` takes numbers or vectors, not {found}"))
}

pub(crate) fn rate_of_input() -> Mistake {
    Mistake::new("MBS035", "the rate of an input is not known").help("make it a `state` with its `rate:`")
}

pub(crate) fn rate_of_acceleration() -> Mistake {
    Mistake::new("MBS034", "the rate of an acceleration or of a load of a row is not known")
}

pub(crate) fn too_many_rates(most_rates: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("more than {most_rates} rates of one another")).help("write the derivative out")
}

pub(crate) fn third_rate_of_state() -> Mistake {
    Mistake::new("MBS034", "the third rate of a state is not known")
}

pub(crate) fn set_without_mass() -> Mistake {
    Mistake::new("MBS031", "the set has no mass, so no centre")
}

pub(crate) fn quaternion_of_zeros() -> Mistake {
    Mistake::new("MBS031", "a quaternion of zeros is no rotation")
}

pub(crate) fn quaternion_length_may_vanish() -> Mistake {
    Mistake::new("MBS030", "the length of the quaternion is not a number to divide by")
}

pub(crate) fn rotation_takes(
    code: &'static str,
    name: impl Display,
    takes: impl Display,
    found: impl Display,
) -> Mistake {
    Mistake::new(code, format!("`{name}` takes {takes}, not {found}"))
}

pub(crate) fn angles_are_numbers() -> Mistake {
    Mistake::new("MBS022", "angles are numbers, without axes")
}

pub(crate) fn sequence_is_a_word() -> Mistake {
    Mistake::new("MBS032", "a sequence of axes is a word")
        .help("three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`")
}

pub(crate) fn not_a_sequence(word: impl Display) -> Mistake {
    Mistake::new("MBS032", format!("`{word}` is not a sequence of axes"))
        .help("three of `x`, `y`, `z`, neighbours different: `zyx`, `zxz`")
}

pub(crate) fn rotation_in_other_axes(from: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS022", format!("the rotation rotates components in the axes of `{from}`, not of `{found}`"))
        .help(format!("re-express what it rotates: `v in {from}`"))
}

pub(crate) fn function_without_arguments(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("`{name}` is a function")).help(format!("write `{name}(…)`"))
}

pub(crate) fn location_not_fixed(on_ground: bool) -> Mistake {
    Mistake::new(
        "MBS024",
        match on_ground {
            true => "a location on ground is made of constants, parameters and time",
            false => "a location on a body is made of constants and parameters",
        },
    )
}
