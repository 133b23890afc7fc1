//! Messages about constraints, couplings, prescribed motions and alternatives.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn equation_missing(owner: impl Display, category: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("{owner} needs an equation"))
        .help(format!("write `{category} {name} = left == right;`"))
}

pub(crate) fn not_between_numbers_or_vectors() -> Mistake {
    Mistake::new("MBS020", "an equation is between numbers or vectors")
}

pub(crate) fn sides_of_different_shapes(
    owner: impl Display,
    left_value: impl Display,
    right_value: impl Display,
) -> Mistake {
    Mistake::new("MBS021", format!("{owner} equates {left_value} with {right_value}"))
}

pub(crate) fn not_an_equation(owner: impl Display) -> Mistake {
    Mistake::new("MBS033", format!("{owner} is not an equation")).help("write `left == right`")
}

pub(crate) fn row_depends_on_load_of_row(owner: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{owner} depends on the load of a row: circular"))
}

pub(crate) fn row_depends_on_input(owner: impl Display) -> Mistake {
    Mistake::new("MBS035", format!("{owner} depends on an input"))
        .help("rows are differentiated: use functions of time, a `state`, or a force")
}

pub(crate) fn depends_on_no_coordinate(owner: impl Display) -> Mistake {
    Mistake::new("MBS036", format!("{owner} depends on no coordinate"))
}

pub(crate) fn row_depends_on_rate_of_state(owner: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{owner} depends on the rate of a state"))
        .help("write what the `rate:` of the state is")
}

pub(crate) fn row_has_rates_of_accelerations(owner: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{owner} has rates of accelerations"))
}

pub(crate) fn components_differ_in_level(owner: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("the components of {owner} differ in level"))
        .help("write one equation per component")
}

pub(crate) fn too_many_combinations(most_combinations: impl Display) -> Mistake {
    Mistake::new("MBS047", format!("alternatives combine in more than {most_combinations} ways"))
}

pub(crate) fn exclusive_takes_a_list() -> Mistake {
    Mistake::new("MBS047", "`exclusive` takes a list of names").help("write `exclusive: [lock_a, lock_b];`")
}

pub(crate) fn too_few_alternatives() -> Mistake {
    Mistake::new("MBS047", "alternatives are two or more").help("name at least two of which one is on at a time")
}

pub(crate) fn unknown_alternative(name: impl Display) -> Mistake {
    Mistake::new("MBS010", format!("there is no joint, drive, coupling or constraint `{name}`"))
}

pub(crate) fn alternative_always_on(name: impl Display) -> Mistake {
    Mistake::new("MBS047", format!("`{name}` is always on")).help(format!("give `{name}` a switch: `{{ enabled: … }}`"))
}

pub(crate) fn prescribed_is_no_unknown() -> Mistake {
    Mistake::new("MBS049", "what is prescribed is no unknown, and cannot be switched off")
}

pub(crate) fn prescribed_is_no_coordinate() -> Mistake {
    Mistake::new("MBS049", "the left side is no coordinate of a joint")
        .help("prescribe a coordinate of a joint, `prescribe name = joint.angle == …;`, or use `drive`")
}

pub(crate) fn not_prescribed_by_a_number() -> Mistake {
    Mistake::new("MBS020", "a coordinate is prescribed by a number")
}

pub(crate) fn not_prescribed_by_time(subject: impl Display) -> Mistake {
    Mistake::new("MBS049", format!("a coordinate is prescribed by a function of time and parameters, not of {subject}"))
}

pub(crate) fn prescribed_already(name: impl Display) -> Mistake {
    Mistake::new("MBS049", format!("`{name}` prescribes this coordinate already")).help("remove one of the two")
}
