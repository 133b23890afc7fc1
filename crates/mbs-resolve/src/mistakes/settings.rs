//! Messages about settings.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn setting_twice(name: impl Display) -> Mistake {
    Mistake::new("MBS019", format!("setting `{name}` is given twice"))
}

pub(crate) fn unknown_setting(name: impl Display) -> Mistake {
    Mistake::new("MBS032", format!("unknown setting `{name}`"))
}

pub(crate) fn setting_not_tunable(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("setting `{name}` cannot be tuned"))
}

pub(crate) fn budget_without_operations() -> Mistake {
    Mistake::new("MBS018", "`budget` needs `operations`").help("write `budget: { operations: 5000 };`")
}

pub(crate) fn setting_without_value(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("setting `{name}` needs a value"))
}

pub(crate) fn gravity_of_another_shape(dimension: impl Display, found: impl Display, example: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("gravity is a vector of {dimension}, not {found}"))
        .help(format!("write `{example}`"))
}

pub(crate) fn negative_count(subject: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("{subject} is negative"))
}

pub(crate) fn coordinates_beside_automatic_ones() -> Mistake {
    Mistake::new("MBS032", "`coordinates: auto` chooses the coordinates of all bodies")
        .help("leave out those of the body, or choose those of the mechanism: `coordinates: joint;`")
}

pub(crate) fn setting_is_a_word(subject: impl Display, list: impl Display) -> Mistake {
    Mistake::new("MBS032", format!("{subject} is a word")).help(format!("one of `{list}`"))
}

pub(crate) fn not_a_word_of_setting(name: impl Display, subject: impl Display) -> Mistake {
    Mistake::new("MBS032", format!("`{name}` is not {subject}"))
}
