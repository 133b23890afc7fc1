//! Messages about forces, loads and the rotating frame.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn force_depends_on_itself(name: impl Display) -> Mistake {
    Mistake::new("MBS029", format!("force `{name}` depends on itself")).help("break the circle")
}

pub(crate) fn contact_without_range(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("neither curve of force `{name}` has a range: contact begins anywhere"))
        .help("let one be closed, or a curve of your own with `{ range: [0, 1] }`")
}

pub(crate) fn mobility_along_attitude() -> Mistake {
    Mistake::new("MBS015", "`mobility` does not act along a parameter of an attitude")
        .help("write `torque(…)` between its ends")
}

pub(crate) fn mobility_along_several(name: impl Display, n: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("joint `{name}` has {n} coordinates, `mobility` acts along one"))
}

pub(crate) fn mobility_along_no_coordinate(found: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("`mobility` acts along a joint or coordinate, not {found}"))
        .help("write `mobility(joint)`")
}

pub(crate) fn expression_missing(subject: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("{subject} needs an expression")).help(format!("write `potential {name} = …;`"))
}

pub(crate) fn potential_of_velocities(subject: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("{subject} depends on velocities"))
}

pub(crate) fn height_is_no_function(subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} is a function, not {found}"))
}

pub(crate) fn height_takes_other_numbers(
    subject: impl Display,
    taken: impl Display,
    name: impl Display,
    count: impl Display,
) -> Mistake {
    Mistake::new("MBS026", format!("{subject} is a function of {taken}, `{name}` takes {count}"))
}

pub(crate) fn height_gives_no_number(subject: impl Display, name: impl Display, height: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} is a number, `{name}` gives {height}"))
}

pub(crate) fn height_not_parametric(subject: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("{subject} is made of constants and parameters: `{name}` is not"))
        .help("what moves it is the body it is on")
}

pub(crate) fn joint_without_load(name: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("joint `{name}` has no load"))
}

pub(crate) fn potential_without_load(name: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("potential `{name}` has no load of its own"))
}

pub(crate) fn nothing_has_a_load(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{found} has no load"))
        .help("loads are of drives, couplings, constraints, gears and forces")
}

pub(crate) fn circular_load(name: impl Display) -> Mistake {
    Mistake::new("MBS034", format!("`load({name})` inside a row is circular")).help("loads may stand in outputs")
}

pub(crate) fn reaction_on_no_body(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a reaction is on a body, not on {found}"))
}

pub(crate) fn reaction_of_joint_takes_no_body() -> Mistake {
    Mistake::new("MBS026", "the reaction of a joint takes no body")
        .help("write `reaction(joint)`: what its first end exerts on its second")
}

pub(crate) fn reaction_without_body() -> Mistake {
    Mistake::new("MBS026", "the reaction of an equation is on a body, which is missing")
        .help("write `reaction(equation, body)`, or `load(equation)`")
}

pub(crate) fn reaction_of_force() -> Mistake {
    Mistake::new("MBS020", "a force has a load, not a reaction").help("write `load(force)`")
}

pub(crate) fn nothing_has_a_reaction(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{found} has no reaction"))
        .help("reactions are of joints, drives, couplings and constraints")
}

pub(crate) fn exerts_nothing_on(name: impl Display, name2: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` exerts nothing on `{name2}`"))
        .help("name a body that its equation observes")
}

pub(crate) fn name_of_rotating_frame(name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{name}` is the name of the forces of a rotating frame"))
        .help("call the other thing something else")
}

pub(crate) fn frame_without_omega() -> Mistake {
    Mistake::new("MBS018", "a rotating frame needs `omega`").help("write `frame: rotating { omega: … };`")
}

pub(crate) fn omega_without_rate() -> Mistake {
    Mistake::new("MBS018", "`omega` of a frame has no rate that is known").help("give `alpha`, too")
}
