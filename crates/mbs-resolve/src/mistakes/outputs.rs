//! Messages about outputs, rates of states and conditions at the start.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn row_depends_on_rate(owner: impl Display, name: impl Display, subject: impl Display) -> Mistake {
    Mistake::new("MBS035", format!("`{owner}` depends on state `{name}`, whose rate depends on {subject}"))
}

pub(crate) fn state_without_rate(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("state `{name}` needs its `rate`"))
        .help(format!("write `state {name} = 0 {{ rate: … }}`"))
}

pub(crate) fn rate_of_another_shape(name: impl Display, state: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("state `{name}` is {state}, its rate is {found}"))
}

pub(crate) fn not_an_output(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("output `{name}` is a number, vector, matrix or rotation, not {found}"))
}

pub(crate) fn output_of_size(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("the value of output `{name}` is {found}"))
}

pub(crate) fn output_has_rates_of_accelerations(name: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("output `{name}` has rates of accelerations"))
}

pub(crate) fn second_rate_unknown(state: impl Display) -> Mistake {
    Mistake::new("MBS035", format!("the second rate of state `{state}` is not known: its rate contains an input"))
        .help("make the input a `state` with its `rate:`")
}

pub(crate) fn not_a_condition_value(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a condition is between numbers or vectors, not {found}"))
}

pub(crate) fn condition_on_no_coordinate(name: impl Display) -> Mistake {
    Mistake::new("MBS036", format!("`{name}` depends on no coordinate"))
}

pub(crate) fn condition_of_no_level(name: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("`{name}` is neither a position nor a velocity"))
}

pub(crate) fn condition_depends_on_input(name: impl Display) -> Mistake {
    Mistake::new("MBS035", format!("`{name}` depends on an input or state"))
}
