//! Messages about joints, gears and kinds of joints.

use std::fmt::Display;

use crate::mistakes::Mistake;

pub(crate) fn joint_depends_on_itself(name: impl Display) -> Mistake {
    Mistake::new("MBS029", format!("joint `{name}` depends on itself")).help("break the circle")
}

pub(crate) fn both_ends_on_one_body(owner: impl Display, body: impl Display) -> Mistake {
    Mistake::new("MBS016", format!("both ends of {owner} are on `{body}`")).help("join two bodies")
}

pub(crate) fn wrong_number_of_ends(
    category: impl Display,
    name: impl Display,
    count: impl Display,
    s: impl Display,
    name2: impl Display,
    takes: impl Display,
    list: impl Display,
) -> Mistake {
    Mistake::new("MBS014", format!("{category} `{name}` has {count} end{s}, `{name2}` {takes}"))
        .help(format!("write `{name2}({list})`"))
}

pub(crate) fn end_is_no_body_or_marker(
    name: impl Display,
    found: impl Display,
    coordinates_example: impl Display,
) -> Mistake {
    Mistake::new("MBS015", format!("an end of `{name}` is a body or a marker, not {found}"))
        .help(format!("write `body`, `body at {coordinates_example}` or a marker's name"))
}

pub(crate) fn argument_missing(owner: impl Display, name: impl Display, value: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("{owner} needs `{name}`")).help(format!("`{name}`: {value}"))
}

pub(crate) fn cut_is_no_truth() -> Mistake {
    Mistake::new("MBS024", "`cut` is `true` or `false`")
}

pub(crate) fn axes_not_stated(subject: impl Display) -> Mistake {
    Mistake::new("MBS022", format!("{subject} does not state its axes"))
        .help("write `[…] in body`, or `[…] in ground` for world axes")
}

pub(crate) fn gear_with_itself(name: impl Display) -> Mistake {
    Mistake::new("MBS016", format!("gear `{name}` joins a joint with itself"))
}

pub(crate) fn carrier_is_no_joint(found: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("a carrier is the joint that it rotates on, not {found}"))
        .help("write `carrier: joint` or `carrier: ground`")
}

pub(crate) fn carrier_without_gear(name: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("neither joint of gear `{name}` is on its carrier"))
        .help("one rotates on the carrier at least, its first end there")
}

pub(crate) fn gear_axes_not_parallel(name: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("the axes of gear `{name}` do not have one direction"))
        .help("gears on a carrier have parallel axes; turn an opposed one round")
}

pub(crate) fn joint_turns_no_gear(name: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("joint `{name}` rotates no gear on this carrier"))
        .help("it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis")
}

pub(crate) fn gear_of_no_joint(found: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("a gear joins joints, not {found}")).help("write `gear(joint_a, joint_b)`")
}

pub(crate) fn joint_without_angle(name: impl Display) -> Mistake {
    Mistake::new("MBS015", format!("joint `{name}` has no angle to gear")).help("write a `coupling` of its coordinates")
}

pub(crate) fn kind_of_the_language(name: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{name}` is a kind of the language")).help("give yours another name")
}

pub(crate) fn kind_declared_twice(full: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{full}` is declared twice")).help("give one of them another name")
}

pub(crate) fn wrong_ends_of_kind(name: impl Display, n: impl Display, s: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("joint kind `{name}` has {n} end{s}, a joint joins 2"))
        .help(format!("write `joint kind {name}(a, b)`"))
}

pub(crate) fn declared_twice_in_kind(name: impl Display, kind: impl Display) -> Mistake {
    Mistake::new("MBS011", format!("`{name}` is declared twice in joint kind `{kind}`"))
        .help("give one of them another name")
}

pub(crate) fn kind_not_switched(name: impl Display, kind: impl Display) -> Mistake {
    Mistake::new(
        "MBS048",
        format!("joint `{name}` cannot be switched: nothing would move the coordinates of `{kind}` while it is off"),
    )
    .help("write its kind by equations, which need no coordinates")
}

pub(crate) fn quaternion_without_speeds(trim_end_matches: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("the quaternion `{trim_end_matches}` has no speeds"))
        .help("write `speed u: [3];` and `kinematics: […];`: q̇ = ½ q ∘ (0, u) for u in the second end's axes")
}

pub(crate) fn wrong_number_of_coordinates(n: impl Display, most_coordinates: impl Display) -> Mistake {
    Mistake::new("MBS025", format!("{n} numbers: a joint has between 1 and {most_coordinates}"))
}

pub(crate) fn coordinate_not_a_value(name: impl Display, word: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("`{name}` is a coordinate, not a `{word}`"))
}

pub(crate) fn too_many_coordinates(kind: impl Display, most_coordinates: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("joint kind `{kind}` has more than {most_coordinates} coordinates"))
}

pub(crate) fn coordinate_starts_at_another_shape(wanted: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("the coordinate starts at {wanted}, not {found}"))
}

pub(crate) fn coordinates_and_speeds_differ(
    kind: impl Display,
    n_q: impl Display,
    s: impl Display,
    n_v: impl Display,
    s2: impl Display,
) -> Mistake {
    Mistake::new("MBS048", format!("joint kind `{kind}` has {n_q} coordinate{s} and {n_v} speed{s2}"))
        .help("as many speeds as coordinates, one less for each `quaternion`")
}

pub(crate) fn kinematics_not_linear(kind: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("`kinematics` of joint kind `{kind}` is not linear in the speeds"))
        .help("q̇ = N(q) u")
}

pub(crate) fn kinematics_of_wrong_size(n_q: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("`kinematics` is a vector of {n_q}, not {found}"))
}

pub(crate) fn kinematics_of_wrong_count(
    count: impl Display,
    s: impl Display,
    n_q: impl Display,
    s2: impl Display,
) -> Mistake {
    Mistake::new("MBS021", format!("`kinematics` has {count} rate{s} for {n_q} coordinate{s2}"))
        .help("write one rate per coordinate, in order")
}

pub(crate) fn axes_without_rotation(owner: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("{owner} has axes and no rotation")).help("write `rotation: [a, b, c]`")
}

pub(crate) fn pose_of_another_shape(subject: impl Display, wanted: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} is {wanted}, not {found}"))
}

pub(crate) fn axes_are_no_vectors(subject: impl Display, found: impl Display) -> Mistake {
    Mistake::new("MBS020", format!("{subject} are three axes, not {found}"))
        .help("write `axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]`")
}

pub(crate) fn not_three_axes(subject: impl Display) -> Mistake {
    Mistake::new("MBS021", format!("{subject} are three"))
}

pub(crate) fn pose_depends_on_more(owner: impl Display) -> Mistake {
    Mistake::new("MBS048", format!("{owner} depends on more than its coordinates, constants and parameters"))
        .help("what moves with time is a `drive`; what others move is a coupling or a constraint")
}

pub(crate) fn wrong_number_between(name: impl Display, count: impl Display, value: impl Display) -> Mistake {
    Mistake::new("MBS026", format!("`{name}` is between 2, {count} {value} given"))
        .help(format!("write `{name}(…, …)`"))
}

/// Contents of a joint kind that do not define a joint.
#[derive(Clone, Copy)]
pub(crate) enum KindContents {
    PoseAndEquations,
    PoseWithoutCoordinates,
    CoordinatesWithoutPose,
    Nothing,
    SpeedsWithoutKinematics,
    KinematicsWithoutSpeeds,
}

pub(crate) fn kind_contents(name: impl Display, contents: KindContents) -> Mistake {
    let (has, help) = match contents {
        KindContents::PoseAndEquations => ("a pose and equations", "leave the equations out: the pose says what moves"),
        KindContents::PoseWithoutCoordinates => {
            ("a pose without coordinates", "write `coordinate turn: angle;`, or equations for what does not move")
        }
        KindContents::CoordinatesWithoutPose => {
            ("coordinates without a pose", "write `pose { rotation: …, translation: … }` over its coordinates")
        }
        KindContents::Nothing => {
            ("neither equations nor a pose", "write equations like `coincident(a, b);`, or coordinates and a `pose`")
        }
        KindContents::SpeedsWithoutKinematics => {
            ("speeds without kinematics", "write `kinematics: [rate of each coordinate];`, linear in the speeds")
        }
        KindContents::KinematicsWithoutSpeeds => ("kinematics without speeds", "write `speed u: [3];`"),
    };
    Mistake::new("MBS048", format!("joint kind `{name}` has {has}")).help(help)
}

pub(crate) fn missing_parameter(owner: impl Display, parameter: impl Display) -> Mistake {
    Mistake::new("MBS018", format!("{owner} needs `{parameter}`")).help(format!("write `{{ {parameter}: … }}`"))
}
