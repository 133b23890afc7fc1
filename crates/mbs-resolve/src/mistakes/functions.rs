//! Messages about functions and splines.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn function_of_the_language(name: impl Display) -> Mistake {
    Mistake::new("MBS028", format!("`{name}` is a function of the language")).help("choose another name")
}

pub(crate) fn spline_of_several_numbers(name: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("spline `{name}` is a function of one number"))
}

pub(crate) fn rust_function_with_default(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("function `{name}` is written in Rust and has no default"))
        .help("Rust gives it, when the mechanism is built")
}

pub(crate) fn too_many_function_parameters(
    name: impl Display,
    count: impl Display,
    most_arguments: impl Display,
) -> Mistake {
    Mistake::new("MBS026", format!("function `{name}` takes {count} numbers")).help(format!("at most {most_arguments}"))
}

pub(crate) fn unknown_kind_of_function(kind: impl Display) -> Mistake {
    Mistake::new("MBS013", format!("unknown kind of function `{kind}`"))
}

pub(crate) fn opaque_without_number(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("`opaque` of function `{name}` needs a number"))
}

pub(crate) fn impossible_derivatives(name: impl Display, k: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("function `{name}` cannot give {k} derivatives"))
}

pub(crate) fn derivatives_not_a_digit() -> Mistake {
    Mistake::new("MBS024", "the number of derivatives is written as a digit")
}

pub(crate) fn opaque_takes_one_argument(count: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`opaque` takes 1 argument, not {count}"))
}

pub(crate) fn function_calls_itself(call: impl Display, through: impl Display) -> Mistake {
    Mistake::new("MBS029", format!("function `{call}` calls itself{through}")).help("break the circle")
}

pub(crate) fn function_gives_no_numbers(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("function `{name}` gives {found}, not a number or vector"))
}

pub(crate) fn function_depends_on_more(function: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("function `{function}` depends on `{name}`, which is none of its parameters"))
        .help("beside its parameters a function may use constants, parameters and `t`")
}

pub(crate) fn law_without_width(kind: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("{kind} `{name}` has no width")).help("`x0` and `x1` differ")
}

pub(crate) fn made_of_something_else(kind: impl Display, form: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{kind}` is made of something else")).help(format!("write `{kind}{form}`"))
}

pub(crate) fn function_not_of_numbers(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("function `{name}` is made of numbers, not {found}"))
}

pub(crate) fn function_of_a_table() -> Mistake {
    Mistake::new("MBS021", "a function gives a number or a vector")
}

pub(crate) fn vector_too_long(name: impl Display, n: impl Display, most_results: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("function `{name}` cannot give a vector of {n}"))
        .help(format!("with its derivatives a function gives at most {most_results} numbers"))
}

pub(crate) fn spline_with_size(name: impl Display) -> Mistake {
    Mistake::new("MBS021", "the values of a spline stand with its points")
        .help(format!("write `function {name}: CubicSpline<16, 3>;`"))
}

pub(crate) fn settable_without_points(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("`CubicSpline` of function `{name}` needs a number of points"))
}

pub(crate) fn spline_through_points(n: impl Display, most: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("a spline through {n} points")).help(format!("it has 2 to {most} points"))
}

pub(crate) fn spline_with_values(m: impl Display, n: impl Display, most: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("a spline with {m} values"))
        .help(format!("through {n} points it has 1 to {most} values"))
}

pub(crate) fn default_is_no_spline(name: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("the default of function `{name}` is no spline")).help("write `= spline([…], […]);`")
}

pub(crate) fn default_is_another_kind(name: impl Display, given: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("the default of function `{name}` is a `{given}`, not a spline"))
        .help("write `= spline([…], […]);`")
}

pub(crate) fn default_of_another_size(
    name: impl Display,
    n: impl Display,
    counted: impl Display,
    count: impl Display,
    value: impl Display,
) -> Mistake {
    Mistake::new(
        "MBS021",
        format!("function `{name}` has {n} points and {counted}, its default {count} points and {value}"),
    )
    .help("as many points as are set at run time")
}

pub(crate) fn function_without_parameters(name: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("function `{name}` has no parameters"))
        .help(format!("write `function {name}(x) = …;`, or `let {name} = …;` for a value"))
}

pub(crate) fn function_has_no_value(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("`{name}` has no value"))
}

pub(crate) fn function_kind_called(name: impl Display, kind: impl Display, form: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("`{name}` is a kind of function"))
        .help(format!("write `function name = {kind}{form};`, and call it"))
}

pub(crate) fn function_of_the_plane() -> Mistake {
    Mistake::new("MBS026", "`angle` is a function of the plane")
        .help("in space a marker has a `rotation(m)`, and joints have angles")
}

pub(crate) fn function_of_space(name: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{name}` is a function of space"))
        .help("in the plane a rotation is the number `angle(m)`")
}

pub(crate) fn wrong_number_of_arguments(
    function: impl Display,
    arity: impl Display,
    s: impl Display,
    given: impl Display,
) -> Mistake {
    Mistake::new("MBS026", format!("`{function}` takes {arity} argument{s}, not {given}"))
}

pub(crate) fn kind_is_no_function(name: impl Display) -> Mistake {
    Mistake::new("MBS027", format!("`{name}` is a kind, not a function"))
        .help(format!("write `joint name = {name}(…);` or `force name = {name}(…);`"))
}

pub(crate) fn unknown_function(name: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("unknown function `{name}`"))
}

pub(crate) fn function_takes_numbers(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` takes numbers, not {found}"))
}

pub(crate) fn exponent_not_whole() -> Mistake {
    Mistake::new("MBS024", "the exponent of `powi` is a whole-number constant").help("`powf` takes any exponent")
}

pub(crate) fn division_by_zero() -> Mistake {
    Mistake::new("MBS030", "division by zero")
}

pub(crate) fn function_takes_vectors(name: impl Display, describe: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` takes vectors, not {describe}"))
}

pub(crate) fn function_of_these(name: impl Display, describe: impl Display, describe2: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("`{name}` of {describe} and {describe2}"))
}

pub(crate) fn function_takes(name: impl Display, wanted: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`{name}` takes {wanted}, not {found}"))
}

pub(crate) fn fit_not_continuous(name: impl Display) -> Mistake {
    Mistake::new("MBS044", format!("the fit of spline `{name}` failed: its derivatives are not continuous"))
        .help("space the points more evenly, or scale the values")
}

pub(crate) fn grid_takes_three_lists(kind: impl Display, count: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{kind}` takes 3 lists, not {count}"))
        .help("write `bicubic([x0, x1, …], [y0, y1, …], [[z00, z01, …], [z10, …], …])`, or `bicubic(\"points.csv\")`")
}

pub(crate) fn grid_not_over_lists(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("spline `{name}` is over lists of numbers, not {found}"))
}

pub(crate) fn grid_not_through_lists(name: impl Display, z_value: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("spline `{name}` passes through a list for each x, not {z_value}"))
        .help("write `[[z00, z01, …], [z10, …], …]`")
}

pub(crate) fn grid_lists_differ(name: impl Display, count: impl Display, count2: impl Display) -> Mistake {
    Mistake::new("MBS043", format!("spline `{name}` has {count} x and lists for {count2}"))
        .help("one list for each x, with a value for each y")
}

pub(crate) fn grid_too_large(name: impl Display, value: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("spline `{name}` is made of too many points"))
        .help(format!("at most {value} points"))
}

pub(crate) fn wrong_items_along_axes(
    word: impl Display,
    name: impl Display,
    count: impl Display,
    s: impl Display,
) -> Mistake {
    Mistake::new("MBS021", format!("`{word}` of spline `{name}` has {count} item{s}"))
        .help(format!("write one word, or `{word}: [along x, along y]`"))
}

pub(crate) fn periodic_without_ends() -> Mistake {
    Mistake::new("MBS031", "a periodic spline has no ends to go beyond")
        .help("a periodic spline repeats: leave out `beyond`")
}

pub(crate) fn spline_takes_two_lists(kind: impl Display, count: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{kind}` takes 2 lists, not {count}"))
        .help("write `spline([x0, x1, …], [y0, y1, …])`, or `spline(\"points.csv\")`")
}

pub(crate) fn spline_too_large(name: impl Display, value: impl Display, value2: impl Display) -> Mistake {
    Mistake::new("MBS039", format!("spline `{name}` is made of too many numbers"))
        .help(format!("at most {value} numbers, at most {value2} values of a point"))
}

pub(crate) fn spline_not_through_numbers(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("spline `{name}` passes through numbers, not {found}"))
}

pub(crate) fn spline_not_constant(name: impl Display, settable: impl Display) -> Mistake {
    Mistake::new("MBS024", format!("spline `{name}` is made of constants only"))
        .help(format!("write `const`; what is set at run time is {settable}"))
}

pub(crate) fn smoothing_of_other_ends() -> Mistake {
    Mistake::new("MBS031", "`smoothing` is for natural ends")
        .help("a smoothing spline is straight at its ends: leave out `ends`")
}

pub(crate) fn clamped_takes_derivatives() -> Mistake {
    Mistake::new("MBS026", "`clamped` takes the derivatives at both ends").help("write `clamped(first, last)`")
}

pub(crate) fn clamped_needs_derivatives() -> Mistake {
    Mistake::new("MBS018", "`clamped` needs the derivatives at both ends").help("write `clamped(first, last)`")
}

pub(crate) fn no_such_ends() -> Mistake {
    Mistake::new("MBS032", "`ends` has no such value")
}

pub(crate) fn no_such_extrapolation() -> Mistake {
    Mistake::new("MBS032", "`beyond` has no such value").help("write `linear` or `cubic`")
}

pub(crate) fn negative_smoothing(name: impl Display, p: impl Display) -> Mistake {
    Mistake::new("MBS031", format!("`smoothing` of spline `{name}` is {p}, it must not be negative"))
}

pub(crate) fn number_expected(found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("a number is expected, not {found}"))
}

pub(crate) fn fit_not_finite(spline: impl Display, value: impl Display) -> Mistake {
    Mistake::new("MBS044", format!("the fit of {spline} failed: its coefficients are not finite"))
        .help(format!("the points are too close for their values{value}"))
}

pub(crate) fn function_parameter_twice(function: impl Display, name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("function `{function}` has two parameters `{name}`"))
        .help("give one of them another name")
}

pub(crate) fn spline_through_no_list(name: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("spline `{name}` passes through lists of numbers, not {found}"))
}

pub(crate) fn too_few_points(spline: impl Display, found: usize, needed: usize) -> Mistake {
    let s = if found == 1 { "" } else { "s" };
    Mistake::new("MBS043", format!("{spline} has {found} point{s}, at least {needed} are needed"))
}

pub(crate) fn unequal_lengths(spline: impl Display, points: usize, values: usize) -> Mistake {
    Mistake::new("MBS043", format!("{spline} has {points} points and {values} values")).help("one value for each point")
}

pub(crate) fn points_not_increasing(spline: impl Display, before: f64, x: f64) -> Mistake {
    Mistake::new("MBS043", format!("the points of {spline} do not increase: {x} follows {before}"))
        .help("sort them, each once")
}

pub(crate) fn through_not_finite(spline: impl Display, what: impl Display) -> Mistake {
    Mistake::new("MBS043", format!("{spline} passes through a {what} that is not finite"))
}

pub(crate) fn not_periodic(spline: impl Display, first: f64, last: f64) -> Mistake {
    Mistake::new("MBS043", format!("the last value of periodic {spline} is {last}, the first {first}"))
        .help("write the same number at both ends")
}
