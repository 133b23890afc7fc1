//! Messages about parameters, inputs, states, choices and constants.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn axes_of_no_vector(name: impl Display, shape: impl Display, dimension: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("`{name}` is {shape}, only a vector of {dimension} has axes"))
}

pub(crate) fn too_many_components(name: impl Display, most_items: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("`{name}` has more than {most_items} components"))
}

pub(crate) fn not_a_choice(word: impl Display, name: impl Display, plain: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("{word} `{name}` is no choice of words"))
        .help(format!("write `discrete {plain}: enum {{ … }} = …;`"))
}

pub(crate) fn choice_with_shape(word: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("{word} `{name}` is a single one"))
}

pub(crate) fn word_twice(value: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{value}` is twice among the words of `{name}`"))
}

pub(crate) fn switch_with_words(name: impl Display, plain: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("switch `{name}` is on or off"))
        .help(format!("write `discrete {plain}: enum {{ … }} = …;`"))
}

pub(crate) fn switch_without_start(name: impl Display, plain: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("switch `{name}` needs a value to start with"))
        .help(format!("write `switch {plain} = on;`"))
}

pub(crate) fn choice_without_start(name: impl Display, value: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("`{name}` needs a word to start with")).help(format!("write `= {value}`"))
}

pub(crate) fn start_not_parametric(name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("the start of `{name}` is made of constants and parameters only"))
}

pub(crate) fn input_with_value(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("input `{name}` has no value of its own"))
        .help(format!("write `input {name};`, or `param {name} = …;`"))
}

pub(crate) fn start_missing(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("`{name}` needs a value to start with")).help(format!("write `{name} = 0`"))
}

pub(crate) fn not_made_of_numbers(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` is made of numbers, not {found}"))
}

pub(crate) fn value_of_another_shape(name: impl Display, shape: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("`{name}` is {shape}, its value is {found}"))
}

pub(crate) fn default_of_unknown_function(name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("the default of `{name}` is a number, functions written in Rust have no value yet"))
        .help("write a number, and set it from Rust")
}

pub(crate) fn default_not_finite(name: impl Display) -> Mistake {
    Mistake::new("MBS030", format!("the default of `{name}` is not finite"))
}

pub(crate) fn none_of_its_words(name: impl Display) -> Mistake {
    Mistake::new("MBS010", format!("`{name}` is none of its words"))
}

pub(crate) fn not_a_word(but: impl Display, list: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a choice is one of its words{but}")).help(format!("it is one of `{list}`"))
}

pub(crate) fn bad_size(n: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("a size of {n}"))
}

pub(crate) fn too_many_indices() -> Mistake {
    Mistake::new("MBS021", "tables have at most two indices")
}

pub(crate) fn value_missing(word: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("{word} `{name}` needs a value")).help(format!("write `{word} {name} = …;`"))
}

pub(crate) fn constant_of_no_numbers(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("constant `{name}` is made of numbers, not {found}")).help("write `let` or `marker`")
}

pub(crate) fn constant_not_finite(name: impl Display) -> Mistake {
    Mistake::new("MBS030", format!("constant `{name}` is not finite"))
}

pub(crate) fn constant_of_variables(name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("constant `{name}` is made of constants only"))
}
