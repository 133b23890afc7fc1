//! Findings of a diagnosis: each has its own message, with a remedy.

use std::fmt;

use super::names::{Element, Miss, Motion, join_elements, join_names, pluralize, round_digits};
use mbs_core::RowKind;

/// A reason why a mechanism does not move as intended, or soon will not.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// A coordinate, a speed or a row is infinite or NaN. Nothing else is examined.
    NotFinite {
        /// Descriptions of the values that are not finite: "coordinate `crank.angle`", "derivative of `wire`".
        values: Vec<String>,
    },
    /// The state is that of another mechanism. Nothing else is examined.
    OtherState {
        /// Number of coordinates, speeds or auxiliary states of the mechanism: the first of the three numbers that differs.
        expected: usize,
        /// The corresponding number of the state.
        found: usize,
    },
    /// Parameters of an attitude are singular in this pose: their rates grow without bound when the body rotates.
    SingularAttitude {
        /// The parameters: "`base.q[0]`".
        coordinates: Vec<String>,
    },
    /// The pose does not satisfy the constraints, but a nearby pose does.
    PoseOff {
        /// Rows with a scaled residual above 1e-8, the largest first.
        misses: Vec<Miss>,
        /// The coordinate that has to change most, and its change.
        correction: Option<Motion>,
    },
    /// The pose does not satisfy the constraints, and no nearby pose does.
    NotClosed {
        /// Residuals at the closest pose, the largest first. These rows contradict each other.
        misses: Vec<Miss>,
    },
    /// The speeds do not satisfy the velocity constraints.
    SpeedsOff {
        /// Rows whose velocity residual is not zero, the largest first.
        misses: Vec<Miss>,
    },
    /// A joint or an equation imposes constraints that others impose already, in every neighbouring pose.
    Redundant {
        /// The redundant element.
        element: Element,
        /// Its redundant rows.
        rows: Vec<String>,
        /// Other elements that together impose these constraints; empty if no motion changes the rows.
        determined_by: Vec<Element>,
    },
    /// A drive prescribes a motion that is prescribed or constrained already, in every neighbouring pose.
    OverDriven {
        /// The drive.
        drive: Element,
        /// Other elements that determine its motion; empty if no motion changes its row.
        determined_by: Vec<Element>,
    },
    /// The rows are dependent in this pose, but not in neighbouring ones: a change point, or a dead point if a drive is among them.
    Singular {
        /// Joints and equations whose rows are dependent here.
        elements: Vec<Element>,
        /// Coordinates that gain a degree of freedom: those that these elements involve and that can move here.
        gains: Vec<Motion>,
        /// Degrees of freedom here.
        here: usize,
        /// Degrees of freedom in neighbouring poses.
        nearby: usize,
    },
    /// The pose is close to a singular one.
    NearlySingular {
        /// Joints and equations whose rows are almost dependent.
        elements: Vec<Element>,
        /// Coordinates that gain a degree of freedom in the singular pose.
        gains: Vec<Motion>,
        /// Smallest singular value of the scaled rows: 0 in a singular pose.
        margin: f64,
        /// Largest such value among neighbouring poses.
        nearby: Option<f64>,
        /// A coordinate that changes in the motion to the singular pose, and its change to first order: the first coordinate whose change is at
        /// least half the largest one. `None` if no motion leads to the singular pose, since the dimensions of the mechanism prevent it.
        distance: Option<Motion>,
    },
    /// A free motion without kinetic energy: accelerations are undetermined.
    NoInertia {
        /// Coordinates in that motion.
        motions: Vec<Motion>,
    },
    /// There are drives, but also degrees of freedom that they do not prescribe. This is right for a simulation, but not for a prescribed motion.
    UnderDriven {
        /// Number of remaining degrees of freedom.
        freedoms: usize,
        /// Number of rows of drives.
        drives: usize,
    },
    /// The mechanism has no degrees of freedom, even without its drives.
    Rigid,
    /// The drives prescribe all degrees of freedom, and prescribe no motion.
    Stationary {
        /// The drives.
        drives: Vec<Element>,
    },
    /// There are degrees of freedom, but speeds are zero and loads are in equilibrium, for zero inputs.
    AtRest {
        /// Number of remaining degrees of freedom.
        freedoms: usize,
        /// Number of inputs, which might move the mechanism.
        inputs: usize,
    },
}

impl Finding {
    /// Whether the finding is an error or a danger; otherwise it is a remark on a mechanism at rest, or on degrees of freedom without drives.
    pub fn is_trouble(&self) -> bool {
        !matches!(
            self,
            Finding::UnderDriven { .. } | Finding::Rigid | Finding::Stationary { .. } | Finding::AtRest { .. }
        )
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::NotFinite { values } => write!(
                f,
                "not a number: {} not finite; start where everything is defined, and look for a length or a divisor of zero",
                match values.len() {
                    1 => format!("{} is", values[0]),
                    _ => format!("{} are", join_names(values)),
                }
            ),
            Finding::OtherState { expected, found } => {
                write!(f, "state of another mechanism: expected {expected} values, found {found}")
            }
            Finding::SingularAttitude { coordinates } => write!(
                f,
                "singular attitude: {} without bound as the body rotates; describe its attitude otherwise, `quaternion` is regular everywhere",
                match coordinates.len() {
                    1 => format!("{} is a parameter that changes", coordinates[0]),
                    _ => format!("{} are parameters that change", join_names(coordinates)),
                }
            ),
            Finding::PoseOff { misses, correction } => fmt_pose_off(f, misses, correction.as_ref()),
            Finding::NotClosed { misses } => fmt_not_closed(f, misses),
            Finding::SpeedsOff { misses } => fmt_speeds_off(f, misses),
            Finding::Redundant { element, rows, determined_by } => fmt_redundant(f, element, rows, determined_by),
            Finding::OverDriven { drive, determined_by } if determined_by.is_empty() => {
                write!(f, "over-driven: {drive} has nothing to move, no motion changes it; remove it")
            }
            Finding::OverDriven { drive, determined_by } => write!(
                f,
                "over-driven: {drive} prescribes what {} already {}; remove it, or free what it should move",
                join_elements(determined_by),
                if determined_by.len() == 1 { "decides" } else { "decide" }
            ),
            Finding::Singular { elements, gains, here, nearby } => fmt_singular(f, elements, gains, *here, *nearby),
            Finding::NearlySingular { elements, gains, margin, nearby, distance } => {
                fmt_nearly_singular(f, elements, gains, *margin, *nearby, distance.as_ref())
            }
            Finding::NoInertia { motions } => write!(
                f,
                "without inertia: {} can move and no mass resists, so accelerations are undetermined; give the bodies mass or \
                 inertia, constrain them, or drive them",
                coordinate_names(motions)
            ),
            Finding::UnderDriven { freedoms, drives } => write!(
                f,
                "under-driven: {} {} {} to loads; add a drive for each to prescribe the motion, or simulate it",
                pluralize(*drives, "drive"),
                if *drives == 1 { "leaves" } else { "leave" },
                pluralize(*freedoms, "freedom")
            ),
            Finding::Rigid => {
                write!(
                    f,
                    "nothing can move: joints and constraints leave no freedom; remove one, or use one that constrains less"
                )
            }
            Finding::Stationary { drives } => write!(
                f,
                "stationary: {} {} every freedom and {} not move; write the motion as a function of `t`",
                join_elements(drives),
                if drives.len() == 1 { "decides" } else { "decide" },
                if drives.len() == 1 { "does" } else { "do" }
            ),
            Finding::AtRest { freedoms, inputs } => write!(
                f,
                "nothing moves it: {} left, but all speeds are zero and the loads are in equilibrium{}; give it an initial speed, \
                 a drive or a force, or start from another pose",
                pluralize(*freedoms, "freedom"),
                if *inputs > 0 { " while inputs are zero" } else { "" }
            ),
        }
    }
}

/// "joint `r` misses by 0.012 in `r.x`, and 2 more rows do": the first row, and the number of the others. `per` follows the residual.
fn describe_worst(misses: &[Miss], verb: &str, per: &str) -> String {
    let Some(Miss { name, element, residual, .. }) = misses.first() else { return format!("a row {verb}") };
    let row = if *name == element.name { String::new() } else { format!(" in `{name}`") };
    let more = match misses.len() {
        1 => String::new(),
        n => format!(", and {} {}", pluralize(n - 1, "more row"), if n == 2 { "does" } else { "do" }),
    };
    format!("{element} {verb} by {}{per}{row}{more}", round_digits(residual.abs()))
}

/// Whether one of the rows is that of a drive.
fn has_drive(misses: &[Miss]) -> bool {
    misses.iter().any(|m| m.element.kind == RowKind::Drive)
}

fn fmt_pose_off(f: &mut fmt::Formatter<'_>, misses: &[Miss], correction: Option<&Motion>) -> fmt::Result {
    write!(f, "off the constraints: {}; ", describe_worst(misses, "misses", ""))?;
    match correction {
        Some(motion) => write!(f, "`assemble` it, which moves {motion} or so, or give initial values that agree")?,
        None => write!(f, "`assemble` it, or give initial values that agree")?,
    }
    if has_drive(misses) { write!(f, " with the drive at this time") } else { Ok(()) }
}

fn fmt_not_closed(f: &mut fmt::Formatter<'_>, misses: &[Miss]) -> fmt::Result {
    let mut others: Vec<Element> = Vec::new();
    for miss in misses.iter().skip(1) {
        if miss.element != misses[0].element && !others.contains(&miss.element) {
            others.push(miss.element.clone());
        }
    }
    let only_worst = &misses[..misses.len().min(1)];
    write!(f, "does not close: {} in the closest pose", describe_worst(only_worst, "still misses", ""))?;
    if !others.is_empty() {
        write!(f, ", at odds with {}", join_elements(&others))?;
    }
    let drive = if has_drive(misses) { ", and what the drive asks for at this time" } else { "" };
    write!(f, "; check lengths and start values{drive}, or start nearer to an assembled pose")
}

fn fmt_speeds_off(f: &mut fmt::Formatter<'_>, misses: &[Miss]) -> fmt::Result {
    write!(f, "speeds break the constraints: {}; ", describe_worst(misses, "opens", " per second"))?;
    write!(f, "`assemble` or `project` them, or give initial speeds that agree")?;
    if has_drive(misses) { write!(f, " with the drive at this time") } else { Ok(()) }
}

fn fmt_redundant(
    f: &mut fmt::Formatter<'_>,
    element: &Element,
    rows: &[String],
    determined_by: &[Element],
) -> fmt::Result {
    let rows: Vec<String> = rows.iter().filter(|r| **r != element.name).map(|r| format!("`{r}`")).collect();
    let part = if rows.is_empty() { String::new() } else { format!(" in {}", join_names(&rows)) };
    if determined_by.is_empty() {
        return write!(f, "redundant: {element} constrains nothing{part}, no motion changes it; remove it");
    }
    write!(
        f,
        "redundant: {element} constrains nothing new{part}, {} the same in every pose, and how loads divide between them is \
         undetermined; remove it, or use a joint that constrains less",
        elements_constrain(determined_by)
    )
}

/// "joint `a` constrains", "joints `a` and `b` constrain".
fn elements_constrain(elements: &[Element]) -> String {
    format!("{} {}", join_elements(elements), if elements.len() == 1 { "constrains" } else { "constrain" })
}

/// "`a.x`, `a.y` and `b.angle`": the names of coordinates.
fn coordinate_names(motions: &[Motion]) -> String {
    join_names(&motions.iter().map(|m| format!("`{}`", m.name)).collect::<Vec<_>>())
}

fn fmt_singular(
    f: &mut fmt::Formatter<'_>,
    elements: &[Element],
    gains: &[Motion],
    here: usize,
    nearby: usize,
) -> fmt::Result {
    let (kind, remedy) = match elements.iter().any(|e| e.kind == RowKind::Drive) {
        true => ("dead point", "start from another pose, or drive another joint"),
        false => ("change point", "start from another pose, or pass it between steps"),
    };
    write!(f, "{kind}: ")?;
    match elements {
        [one] => write!(f, "{one} constrains less here than near by")?,
        [.., last] if last.kind != RowKind::Drive => {
            write!(f, "{} constrain less here than near by", join_elements(elements))?
        }
        _ => write!(f, "{} the same here, though not near by", elements_constrain(elements))?,
    }
    if !gains.is_empty() {
        let s = if gains.len() == 1 { "s" } else { "" };
        write!(f, ", so {} gain{s} a freedom: {here} here, {nearby} near by", coordinate_names(gains))?;
    }
    write!(f, "; {remedy}")
}

fn fmt_nearly_singular(
    f: &mut fmt::Formatter<'_>,
    elements: &[Element],
    gains: &[Motion],
    margin: f64,
    nearby: Option<f64>,
    distance: Option<&Motion>,
) -> fmt::Result {
    let (kind, remedy) = match elements.iter().any(|e| e.kind == RowKind::Drive) {
        true => ("a dead point", "loads of the drive grow without bound there: drive another joint, or keep away"),
        false => ("a change point", "loads grow and accuracy is lost: start further away, or pass it quickly"),
    };
    write!(f, "close to {kind}: ")?;
    match distance {
        Some(motion) => write!(f, "moving {motion} or so leads there")?,
        None => write!(f, "lengths alone keep it off")?,
    }
    write!(f, " (margin {}", round_digits(margin))?;
    if let Some(nearby) = nearby {
        write!(f, ", {} near by", round_digits(nearby))?;
    }
    let constrain = if elements.len() == 1 { "constrains" } else { "constrain" };
    write!(f, "), where {} no longer {constrain} {}; {remedy}", join_elements(elements), coordinate_names(gains))
}
