//! Messages about events.

use std::fmt::{Display, LowerExp};

use crate::mistakes::Mistake;

pub(crate) fn crossing_is_no_number(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("what passes through zero is a number, not {found}"))
}

pub(crate) fn time_is_no_number(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a time is a number, not {found}"))
}

pub(crate) fn period_not_positive(subject: impl Display, value: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("{subject} happens every {value} s, which must be positive"))
}

pub(crate) fn period_too_short(subject: impl Display, value: impl LowerExp, shortest_period: impl LowerExp) -> Mistake {
    Mistake::new("MBS031", format!("{subject} happens every {value:e} s, by which time does not advance"))
        .help(format!("a second from their origin, times are {shortest_period:.1e} s apart"))
}

pub(crate) fn times_are_no_numbers(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("times are numbers, not {found}"))
}

pub(crate) fn comparison_of_no_numbers() -> Mistake {
    Mistake::new("MBS020", "a comparison is between numbers")
}

pub(crate) fn not_a_condition(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("expected a condition, found {found}"))
        .help("write `x > 1`, or `x falls` for a value that passes through zero")
}

pub(crate) fn equal_for_no_time(value: impl Display, value2: impl Display) -> Mistake {
    Mistake::new("MBS027", "numbers that go on are equal for no time")
        .help(format!("write `{value} - {value2} crosses`"))
}

pub(crate) fn trigger_has_rates_of_accelerations() -> Mistake {
    Mistake::new("MBS034", "what sets an event off has rates of accelerations")
}

pub(crate) fn trigger_never_changes() -> Mistake {
    Mistake::new("MBS036", "what sets an event off never changes")
        .help("it would happen never, or at the start: write `at 0`")
}

pub(crate) fn enabled_given_twice() -> Mistake {
    Mistake::new("MBS019", "argument `enabled` is given twice")
}

pub(crate) fn not_assignable(name: impl Display) -> Mistake {
    Mistake::new("MBS045", format!("`{name}` cannot be assigned"))
}

pub(crate) fn not_a_value_to_assign(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("numbers and vectors are assigned, not {found}"))
}

pub(crate) fn assigned_rates_of_accelerations(name: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("what `{name}` becomes has rates of accelerations"))
}

pub(crate) fn assigned_twice(name: impl Display) -> Mistake {
    Mistake::new("MBS045", format!("`{name}` is assigned twice"))
}

pub(crate) fn quantity_not_assignable(name: impl Display) -> Mistake {
    Mistake::new("MBS045", format!("`{name}` cannot be assigned"))
        .help("handlers assign `discrete` variables, `switch`es, states, positions and velocities")
}

pub(crate) fn assigned_depends_on_state(name: impl Display) -> Mistake {
    Mistake::new("MBS045", format!("`{name}` depends on a state and cannot be assigned"))
}

pub(crate) fn impulse_between_no_ends(count: impl Display) -> Mistake {
    Mistake::new("MBS014", format!("`impulse` acts between two ends, not {count}"))
        .help("write `impulse(ground, ball) { direction: … }`")
}

pub(crate) fn not_a_direction(dimension: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("a direction is a vector of {dimension}, not {found}"))
}

pub(crate) fn impulse_without_direction(value: impl Display) -> Mistake {
    Mistake::new("MBS018", "`impulse` needs its `direction`")
        .help(format!("write `{{ direction: {value} }}`, from the first end to the second, or give an end a `normal`"))
}

pub(crate) fn restitution_is_no_number(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`restitution` is a number, not {found}"))
}

pub(crate) fn negative_restitution(value: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("the restitution is {value}, it must not be negative"))
}

pub(crate) fn both_ends_state(owner: impl Display, word: impl Display) -> Mistake {
    Mistake::new("MBS019", format!("both ends of {owner} state a `{word}`"))
        .help(format!("write `{{ {word}: … }}`: what both together have"))
}

pub(crate) fn unknown_event(name: impl Display) -> Mistake {
    Mistake::new("MBS010", format!("there is no event `{name}`"))
}

pub(crate) fn event_twice(name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("two events are called `{name}`")).help("give one of them another name")
}
