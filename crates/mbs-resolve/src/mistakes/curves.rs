//! Messages about curves and what touches them.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn curve_not_closed(name: impl Display, value: impl Display, gap: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("curve `{name}` is not closed: after {value} it is {gap:.3} m from where it began"))
        .help("`closed` is the period of its parameter")
}

pub(crate) fn curve_without_range(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("nothing says where curve `{name}` can touch"))
        .help("write `{ closed: TAU }` or `{ range: [0, 1] }` where it is declared")
}

pub(crate) fn curve_without_value(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("curve `{name}` needs a value"))
        .help(format!("write `curve {name}(s) on body = [x, y];`"))
}

pub(crate) fn range_of_closed_curve(name: impl Display) -> Mistake {
    Mistake::new("MBS017", format!("curve `{name}` is closed: its `range` is its period")).help("leave out `range`")
}

pub(crate) fn range_not_two_numbers(subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} is two numbers, not {found}"))
}

pub(crate) fn range_not_a_pair(subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("{subject} is two numbers, not {found}"))
}

pub(crate) fn range_of_unknown_function(subject: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("{subject} is made of numbers, functions written in Rust have no value yet"))
}

pub(crate) fn empty_range(subject: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("{subject} is empty")).help("the larger end comes last")
}

pub(crate) fn curve_without_parameter() -> Mistake {
    Mistake::new("MBS018", "a curve needs its parameter")
        .help("write `curve name(s) on body = [x, y];`, or a form such as `circle(0.1)`")
}

pub(crate) fn unknown_curve_form(form: impl Display) -> Mistake {
    Mistake::new("MBS013", format!("`{form}` is no form of a curve"))
}

pub(crate) fn wrong_arguments_of_curve_form(word: impl Display, count: impl Display, count2: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{word}` takes {count}, {count2} given"))
}

pub(crate) fn not_a_list_of_coefficients(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`polynomial` takes a list of coefficients, not {found}"))
        .help("write `polynomial([0, 1, 0.5])`")
}

pub(crate) fn curve_depends_on_more(name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("curve `{name}` is made of constants, parameters and its own parameter"))
        .help("what moves it is the body it is on")
}

pub(crate) fn curve_without_field(field: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("a curve has no `{field}`"))
}

pub(crate) fn wrong_arguments_of_curve_field(field: impl Display, count: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{field}` of a curve takes its parameter, {count} given"))
        .help(format!("write `.{field}(s)`"))
}

pub(crate) fn wrong_ends_of_cam(name: impl Display, count: impl Display, s: impl Display) -> Mistake {
    Mistake::new("MBS014", format!("joint `{name}` has {count} end{s}, `cam` joins 2"))
        .help("write `cam(curve, curve)`")
}

pub(crate) fn end_is_no_curve(of: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("an end of `{of}` is a curve, not {found}"))
        .help("declare `curve lobe(s) on body = …;`")
}

pub(crate) fn start_of_unknown_function(subject: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("{subject} is a number, functions written in Rust have no value yet"))
}

pub(crate) fn straight_curve_has_no_radius() -> Mistake {
    Mistake::new("MBS030", "a straight curve has no radius of curvature").help("name the curved one first")
}

pub(crate) fn ground_does_not_travel() -> Mistake {
    Mistake::new("MBS040", "ground does not travel: there is no pressure angle")
        .help("name the curve of the follower second")
}

pub(crate) fn no_pressure_angle(name: impl Display, of: impl Display) -> Mistake {
    Mistake::new("MBS040", format!("`{name}` has no pressure angle: no single joint determines how `{of}` travels"))
        .help("it is guided by one revolute or prismatic joint on ground, or has one such joint alone")
}
