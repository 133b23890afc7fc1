//! Messages about names, loops, parts and groups.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn setting_inside(s: impl Display, place: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("setting `{s}` inside {place}"))
}

pub(crate) fn function_inside_loop(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("function `{name}` inside `for`"))
        .help("write it outside the loop, with the index as a parameter")
}

pub(crate) fn part_inside_loop(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("part `{name}` inside `for`"))
        .help("write it outside the loop, with the index as a parameter")
}

pub(crate) fn kind_inside_loop(kind: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("joint kind `{kind}` inside `for`"))
        .help("write it outside the loop, with the index as an argument")
}

pub(crate) fn nested_too_deep(most_levels: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("loops and parts nest deeper than {most_levels} levels"))
}

pub(crate) fn loop_variables_over_range(count: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("{count} loop variables over a range")).help("write `for i in 0..n`")
}

pub(crate) fn too_many_items(most_items: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("the mechanism unrolls to more than {most_items} items"))
}

pub(crate) fn unknown_category(word: impl Display) -> Mistake {
    Mistake::new("MBS012", format!("unknown category `{word}`"))
}

pub(crate) fn category_inside_loop_over_set(word: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("{word} `{name}` inside a loop over a set")).help("sets are of what is outside")
}

pub(crate) fn kind_missing(category: impl Display, name: impl Display, example: impl Display) -> Mistake {
    Mistake::new("MBS013", format!("{category} `{name}` has no kind"))
        .help(format!("write `{category} {name} = {example}(…);`"))
}

pub(crate) fn unknown_kind(category: impl Display, word: impl Display) -> Mistake {
    Mistake::new("MBS013", format!("unknown kind of {category} `{word}`"))
}

pub(crate) fn variable_is_no_number(variable: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("`{variable}` stands for a body, not for a number"))
        .help("leave the index out: names here carry those of the set")
}

pub(crate) fn negative_index(i: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("index {i} is negative")).help("indices start at 0")
}

pub(crate) fn reserved_name(name: impl Display) -> Mistake {
    Mistake::new("MBS028", format!("`{name}` is reserved")).help("choose another name")
}

pub(crate) fn not_an_identifier(name: impl Display) -> Mistake {
    Mistake::new("MBS028", format!("`{name}` is not a plain identifier"))
}

pub(crate) fn not_a_range() -> Mistake {
    Mistake::new("MBS025", "a range of whole numbers is expected").help("write `0..n`")
}

pub(crate) fn bad_range(start: impl Display, end: impl Display, subject: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("range {start}..{end} {subject}"))
}

pub(crate) fn whole_number_too_large(subject: impl Display, x: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("{subject} of {x} is too large")).help("at most 999,999,999")
}

pub(crate) fn not_a_whole_number(subject: impl Display, x: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("{subject} is a whole number, not {x}"))
}

pub(crate) fn not_a_constant_number(subject: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("{subject} is a whole-number constant"))
        .help("use `const` instead of `param`, `input` or `let`")
}

pub(crate) fn group_without_bodies(name: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("the group `{name}` has no bodies"))
}

pub(crate) fn no_such_member(full: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("there is no `{full}`"))
}

pub(crate) fn argument_depends_on_itself() -> Mistake {
    Mistake::new("MBS029", "this argument depends on itself").help("break the circle")
}

pub(crate) fn name_not_constant(name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("`{name}` is not constant")).help("sizes, bounds and indices use `const`")
}

pub(crate) fn unknown_name(name: impl Display) -> Mistake {
    Mistake::new("MBS010", format!("unknown name `{name}`"))
}

pub(crate) fn too_many_parameters(part: impl Display, most_parameters: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("part `{part}` has more than {most_parameters} parameters"))
}

pub(crate) fn parameter_shadowed(name: impl Display, part: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{name}` is declared twice")).help(format!("it is a parameter of part `{part}`"))
}

pub(crate) fn part_with_shape(name: impl Display, ident: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("part `{name}` has no shape and no axes")).help(format!("write `part {ident} = …;`"))
}

pub(crate) fn part_contains_itself(part: impl Display, through: impl Display) -> Mistake {
    Mistake::new("MBS029", format!("part `{part}` contains itself{through}")).help("break the circle")
}

pub(crate) fn instance_of_no_part(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("`{name}` is an instance of no part"))
        .help(format!("write `part {name} = leg(…);` for an instance of `part leg(…) {{ … }}`"))
}

pub(crate) fn unknown_part(word: impl Display) -> Mistake {
    Mistake::new("MBS041", format!("unknown part `{word}`"))
}

pub(crate) fn too_many_arguments_of_part(
    instance: impl Display,
    n: impl Display,
    s: impl Display,
    name: impl Display,
    takes: impl Display,
    parameters: impl Display,
) -> Mistake {
    Mistake::new("MBS042", format!("`{instance}` is made with {n} argument{s}, `{name}` takes {takes}"))
        .help(format!("it is `{name}({parameters})`"))
}

pub(crate) fn part_arguments_missing(
    instance: impl Display,
    missing: impl Display,
    name: impl Display,
    parameters: impl Display,
) -> Mistake {
    Mistake::new("MBS042", format!("`{instance}` is made without {missing}"))
        .help(format!("it is `{name}({parameters})`"))
}

pub(crate) fn loop_variables_with_one_name(a: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("both loop variables are called `{a}`")).help("give one of them another name")
}

pub(crate) fn pairs_takes_a_set(count: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`pairs` takes a set, not {count} arguments")).help("write `pairs(bodies)`")
}

pub(crate) fn wrong_number_of_loop_variables(
    n: impl Display,
    s: impl Display,
    value: impl Display,
    wanted: impl Display,
    example: impl Display,
) -> Mistake {
    Mistake::new("MBS027", format!("{n} loop variable{s} where there {value} {wanted}"))
        .help(format!("write `{example}`"))
}

pub(crate) fn member_twice(member: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("`{member}` is in the set twice"))
}

pub(crate) fn unknown_member(name: impl Display) -> Mistake {
    Mistake::new("MBS010", format!("there is no body or marker `{name}`"))
}

pub(crate) fn not_a_member() -> Mistake {
    Mistake::new("MBS020", "a set contains bodies and markers").help("write `bodies`, or names: `[ground, sun, earth]`")
}

pub(crate) fn not_available(subject: impl Display) -> Mistake {
    Mistake::new("MBS090", format!("`{subject}` is not available yet"))
}

pub(crate) fn declared_twice(name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{name}` is declared twice"))
}

pub(crate) fn part_parameter_twice(part: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("part `{part}` has two parameters `{name}`")).help("give one of them another name")
}

/// A warning.
pub(crate) fn unused(category: impl Display, name: impl Display, base: impl Display) -> Mistake {
    Mistake::new("MBS052", format!("{category} `{name}` is not used"))
        .help(format!("remove it, or call it `_{base}` if it is meant for others"))
}
