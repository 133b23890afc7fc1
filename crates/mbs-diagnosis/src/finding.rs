//! Findings of a diagnosis: each has its own message, with a remedy.

use std::fmt;

use super::names::{Element, Miss, Motion, listed, listed_elements, number_of, short};
use mbs_core::RowKind;

/// Something that keeps a mechanism from moving as meant, or soon will.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// A coordinate, a speed or a row is infinite or NaN. Nothing else is examined.
    NotFinite {
        /// "coordinate `crank.angle`", "derivative of `wire`".
        what: Vec<String>,
    },
    /// The state is one of another mechanism. Nothing else is examined.
    OtherState {
        /// How many coordinates, speeds and auxiliary states the mechanism has.
        expected: usize,
        /// How many of the first kind that differs the state has.
        found: usize,
    },
    /// Parameters of an attitude are singular in this pose: they change without bound when the body turns.
    SingularAttitude {
        /// Them: "`base.q[0]`".
        coordinates: Vec<String>,
    },
    /// The pose is off its constraints; one that satisfies them is near.
    PoseOff {
        /// Rows off by more than 1e-8 of their size, worst first.
        misses: Vec<Miss>,
        /// The coordinate that has to change most, and by how much.
        correction: Option<Motion>,
    },
    /// The pose is off its constraints, and no pose near by satisfies them.
    NotClosed {
        /// Residuals at the closest pose, worst first. These rows contradict each other.
        misses: Vec<Miss>,
    },
    /// The speeds break the constraints.
    SpeedsOff {
        /// Rows that change although they must not, or otherwise than they should, worst first.
        misses: Vec<Miss>,
    },
    /// A joint or an equation imposes constraints that others impose already, in every neighbouring pose.
    Redundant {
        /// The redundant element.
        element: Element,
        /// Its redundant rows.
        rows: Vec<String>,
        /// Others that together impose the same constraints; empty if no motion changes it at all.
        holders: Vec<Element>,
    },
    /// A drive prescribes a motion that is prescribed or constrained already, in every neighbouring pose.
    OverDriven {
        /// The drive.
        drive: Element,
        /// Elements that determine its motion; empty if it has nothing to move.
        holders: Vec<Element>,
    },
    /// The rows are dependent in this pose, not near it: a change point, or a dead point if a drive is among them.
    Singular {
        /// Joints and equations that impose the same constraint here.
        elements: Vec<Element>,
        /// Coordinates that gain a degree of freedom: those that these elements involve and that can move here.
        gains: Vec<Motion>,
        /// Degrees of freedom here.
        here: usize,
        /// Freedoms near by.
        nearby: usize,
    },
    /// The pose is close to a singular one.
    NearlySingular {
        /// Joints and equations whose rows are almost dependent.
        elements: Vec<Element>,
        /// Coordinates about to gain a degree of freedom.
        gains: Vec<Motion>,
        /// Smallest singular value of the scaled rows: 0 is singular.
        margin: f64,
        /// Largest such value among neighbouring poses.
        nearby: Option<f64>,
        /// A coordinate on the way to the singular pose, and how far that is to first order: the first that goes half as far as the
        /// one that goes furthest. `None` if no motion leads there, since lengths keep the mechanism off it.
        distance: Option<Motion>,
    },
    /// A free motion without kinetic energy: accelerations are undetermined.
    NoInertia {
        /// Coordinates in that motion.
        motions: Vec<Motion>,
    },
    /// There are drives, yet they leave degrees of freedom to loads: right for a simulation, too few for a prescribed motion.
    UnderDriven {
        /// Freedoms left.
        freedoms: usize,
        /// Rows of drives.
        drives: usize,
    },
    /// Without its drives it already has no degrees of freedom.
    Rigid,
    /// Drives determine everything, and do not move.
    Held {
        /// Them.
        drives: Vec<Element>,
    },
    /// Freedoms are left, but speeds are zero and loads are in equilibrium, for zero inputs.
    AtRest {
        /// Freedoms left.
        freedoms: usize,
        /// Inputs, which might move it.
        inputs: usize,
    },
}

impl Finding {
    /// Whether it is wrong or dangerous; otherwise it is a remark on why nothing moves, or on free motions.
    pub fn is_trouble(&self) -> bool {
        !matches!(self, Finding::UnderDriven { .. } | Finding::Rigid | Finding::Held { .. } | Finding::AtRest { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::NotFinite { what } => write!(
                f,
                "not a number: {} not finite; start where everything is defined, and look for a length or a divisor of zero",
                match what.len() {
                    1 => format!("{} is", what[0]),
                    _ => format!("{} are", listed(what)),
                }
            ),
            Finding::OtherState { expected, found } => {
                write!(f, "state of another mechanism: expected {expected} values, found {found}")
            }
            Finding::SingularAttitude { coordinates } => write!(
                f,
                "singular attitude: {} without bound as the body turns; describe its attitude otherwise, `quaternion` is regular everywhere",
                match coordinates.len() {
                    1 => format!("{} is a parameter that changes", coordinates[0]),
                    _ => format!("{} are parameters that change", listed(coordinates)),
                }
            ),
            Finding::PoseOff { misses, correction } => pose_off(f, misses, correction.as_ref()),
            Finding::NotClosed { misses } => not_closed(f, misses),
            Finding::SpeedsOff { misses } => speeds_off(f, misses),
            Finding::Redundant { element, rows, holders } => redundant(f, element, rows, holders),
            Finding::OverDriven { drive, holders } if holders.is_empty() => {
                write!(f, "over-driven: {drive} has nothing to move, no motion changes it; remove it")
            }
            Finding::OverDriven { drive, holders } => write!(
                f,
                "over-driven: {drive} prescribes what {} already {}; remove it, or free what it should move",
                listed_elements(holders),
                if holders.len() == 1 { "decides" } else { "decide" }
            ),
            Finding::Singular { elements, gains, here, nearby } => singular(f, elements, gains, (*here, *nearby)),
            Finding::NearlySingular { elements, gains, margin, nearby, distance } => {
                nearly(f, (elements, gains), (*margin, *nearby), distance.as_ref())
            }
            Finding::NoInertia { motions } => write!(
                f,
                "without inertia: {} can move and no mass resists, so accelerations are undetermined; give the bodies mass or \
                 inertia, hold them, or drive them",
                named(motions)
            ),
            Finding::UnderDriven { freedoms, drives } => write!(
                f,
                "under-driven: {} {} {} to loads; add a drive for each to prescribe the motion, or simulate it",
                number_of(*drives, "drive"),
                if *drives == 1 { "leaves" } else { "leave" },
                number_of(*freedoms, "freedom")
            ),
            Finding::Rigid => {
                write!(
                    f,
                    "nothing can move: joints and constraints leave no freedom; remove one, or use one that holds less"
                )
            }
            Finding::Held { drives } => write!(
                f,
                "held still: {} {} every freedom and {} not move; write the motion as a function of `t`",
                listed_elements(drives),
                if drives.len() == 1 { "decides" } else { "decide" },
                if drives.len() == 1 { "does" } else { "do" }
            ),
            Finding::AtRest { freedoms, inputs } => write!(
                f,
                "nothing moves it: {} left, but all speeds are zero and the loads are in equilibrium{}; give it an initial speed, \
                 a drive or a force, or start from another pose",
                number_of(*freedoms, "freedom"),
                if *inputs > 0 { " while inputs are zero" } else { "" }
            ),
        }
    }
}

/// "joint `r` misses by 0.012 (`r.x`)", and how many more.
fn worst(misses: &[Miss], verb: &str, per: &str) -> String {
    let Some(Miss { name, element, residual, .. }) = misses.first() else { return format!("a row {verb}") };
    let row = if *name == element.name { String::new() } else { format!(" in `{name}`") };
    let more = match misses.len() {
        1 => String::new(),
        n => format!(", and {} {}", number_of(n - 1, "more row"), if n == 2 { "does" } else { "do" }),
    };
    format!("{element} {verb} by {}{per}{row}{more}", short(residual.abs()))
}

fn any_drive(misses: &[Miss]) -> bool {
    misses.iter().any(|m| m.element.kind == RowKind::Drive)
}

fn pose_off(f: &mut fmt::Formatter<'_>, misses: &[Miss], correction: Option<&Motion>) -> fmt::Result {
    write!(f, "off the constraints: {}; ", worst(misses, "misses", ""))?;
    match correction {
        Some(motion) => write!(f, "`assemble` it, which moves {motion} or so, or give initial values that agree")?,
        None => write!(f, "`assemble` it, or give initial values that agree")?,
    }
    if any_drive(misses) { write!(f, " with the drive at this time") } else { Ok(()) }
}

fn not_closed(f: &mut fmt::Formatter<'_>, misses: &[Miss]) -> fmt::Result {
    let mut others: Vec<Element> = Vec::new();
    for miss in misses.iter().skip(1) {
        if miss.element != misses[0].element && !others.contains(&miss.element) {
            others.push(miss.element.clone());
        }
    }
    let only_worst = &misses[..misses.len().min(1)];
    write!(f, "does not close: {} in the closest pose", worst(only_worst, "still misses", ""))?;
    if !others.is_empty() {
        write!(f, ", at odds with {}", listed_elements(&others))?;
    }
    let drive = if any_drive(misses) { ", and what the drive asks for at this time" } else { "" };
    write!(f, "; check lengths and start values{drive}, or start nearer to an assembled pose")
}

fn speeds_off(f: &mut fmt::Formatter<'_>, misses: &[Miss]) -> fmt::Result {
    write!(f, "speeds break the constraints: {}; ", worst(misses, "opens", " per second"))?;
    write!(f, "`assemble` or `project` them, or give initial speeds that agree")?;
    if any_drive(misses) { write!(f, " with the drive at this time") } else { Ok(()) }
}

fn redundant(f: &mut fmt::Formatter<'_>, element: &Element, rows: &[String], holders: &[Element]) -> fmt::Result {
    let rows: Vec<String> = rows.iter().filter(|r| **r != element.name).map(|r| format!("`{r}`")).collect();
    let part = if rows.is_empty() { String::new() } else { format!(" in {}", listed(&rows)) };
    if holders.is_empty() {
        return write!(f, "redundant: {element} holds nothing{part}, no motion changes it; remove it");
    }
    write!(
        f,
        "redundant: {element} holds nothing new{part}, {} the same in every pose, and how loads divide between them is \
         undetermined; remove it, or use a joint that holds less",
        holding(holders)
    )
}

fn holding(elements: &[Element]) -> String {
    format!("{} {}", listed_elements(elements), if elements.len() == 1 { "holds" } else { "hold" })
}

fn named(motions: &[Motion]) -> String {
    listed(&motions.iter().map(|m| format!("`{}`", m.name)).collect::<Vec<_>>())
}

fn singular(
    f: &mut fmt::Formatter<'_>,
    elements: &[Element],
    gains: &[Motion],
    (here, nearby): (usize, usize),
) -> fmt::Result {
    let (kind, remedy) = match elements.iter().any(|e| e.kind == RowKind::Drive) {
        true => ("dead point", "start from another pose, or drive another joint"),
        false => ("change point", "start from another pose, or pass it between steps"),
    };
    write!(f, "{kind}: ")?;
    match elements {
        [one] => write!(f, "{one} holds less here than near by")?,
        [.., last] if last.kind != RowKind::Drive => {
            write!(f, "{} hold less here than near by", listed_elements(elements))?
        }
        _ => write!(f, "{} the same here, though not near by", holding(elements))?,
    }
    if !gains.is_empty() {
        let s = if gains.len() == 1 { "s" } else { "" };
        write!(f, ", so {} gain{s} a freedom: {here} here, {nearby} near by", named(gains))?;
    }
    write!(f, "; {remedy}")
}

fn nearly(
    f: &mut fmt::Formatter<'_>,
    (elements, gains): (&[Element], &[Motion]),
    (margin, nearby): (f64, Option<f64>),
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
    write!(f, " (margin {}", short(margin))?;
    if let Some(nearby) = nearby {
        write!(f, ", {} near by", short(nearby))?;
    }
    write!(f, "), where {} the hold on {}; {remedy}", losing(elements), named(gains))
}

fn losing(elements: &[Element]) -> String {
    format!("{} {}", listed_elements(elements), if elements.len() == 1 { "loses" } else { "lose" })
}
