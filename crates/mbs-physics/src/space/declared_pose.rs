//! Links whose pose a joint's kind declares over coordinates.
//!
//! Let p and R be the pose of the second end in the first, ṗ and w its rates (w in the second end's axes), and ω = R w. If the link is the second
//! end, it has the twist (w, Rᵀ ṗ), and u̇ = Rᵀ p̈ relative to the first end. If it is the first end (reversed), it is displaced by −Rᵀ p, and
//!
//! ```text
//! (1)  S = (−ω, ω × p − ṗ)        ẇ' = −R ẇ        u̇ = ω̇ × p − p̈ + 2 ω × ṗ − ω × (ω × p),  ω̇ = R ẇ
//! ```

use mbs_expr::{Dual, ExprId, Scalar};

use super::transform::Part;
use super::twist::{LinkWrench, Twist, TwistDerivatives};
use super::vector::{Vector3, zero};
use crate::pose_evaluator::{PoseEvaluator, PoseMotion, Rate, to_first_end, to_second_end};

/// State of a link with a declared pose.
#[derive(Clone, Debug)]
pub struct DeclaredPose<S> {
    /// Pose in the frame that is fixed in the parent.
    pub parts: Vec<Part<S>>,
    /// S of each speed.
    pub twists: Vec<Twist<S>>,
    /// J.
    pub velocity: Twist<S>,
    /// (ẇ, u̇).
    pub acceleration: Twist<S>,
    /// N of q̇ = N v by columns, where the speeds are not the rates.
    pub rates: Option<Vec<Vec<S>>>,
    /// The pose with its rates, if the link is the second end: then no displacement has to be rotated.
    pub forward: Option<PoseMotion<S>>,
    /// S of the prescribed coordinates, with their indices.
    pub prescribed: Vec<(u8, Twist<S>)>,
}

impl<S: Scalar> DeclaredPose<S> {
    /// State of a link at coordinates q and (speeds, accelerations); `reversed` if the link is the joint's first end.
    pub fn new(posing: &PoseEvaluator<'_, S>, q: &[S], (v, a): (&[S], &[S]), reversed: bool) -> Self {
        let rates = posing.rates(q);
        let motion = posing.motion(q, v, a);
        if reversed { Self::reversed(&motion, rates) } else { Self::forward(motion, rates) }
    }

    /// State of a link that moves no body: coordinates of a joint that closes a loop.
    pub fn immobile(posing: &PoseEvaluator<'_, S>, q: &[S]) -> Self {
        DeclaredPose {
            parts: Vec::new(),
            twists: vec![Twist::zero(); posing.pose.n_v()],
            velocity: Twist::zero(),
            acceleration: Twist::zero(),
            rates: posing.rates(q),
            forward: None,
            prescribed: Vec::new(),
        }
    }

    /// The state with the columns of prescribed coordinates moved from the twists to [`Self::prescribed`].
    pub fn separate_prescribed(mut self, prescribed: &[(u8, ExprId)]) -> Self {
        let kept = |k: usize| !prescribed.iter().any(|p| usize::from(p.0) == k);
        self.prescribed = prescribed.iter().map(|p| (p.0, self.twists[usize::from(p.0)])).collect();
        let mut numbers = 0..;
        self.twists.retain(|_| numbers.next().is_some_and(kept));
        if let Some(forward) = &mut self.forward {
            let mut numbers = 0..;
            forward.columns.retain(|_| numbers.next().is_some_and(kept));
        }
        self
    }

    /// The link is the joint's second end.
    fn forward(motion: PoseMotion<S>, rates: Option<Vec<Vec<S>>>) -> Self {
        let twist =
            |rate: &Rate<S>| Twist { angular: rate.angular, linear: to_second_end(&motion.rotations, rate.linear) };
        let twists = motion.columns.iter().map(twist).collect();
        let (velocity, acceleration) = (twist(&motion.velocity), twist(&motion.acceleration));
        let rotations = motion.rotations.iter().copied();
        let parts = std::iter::once(Part::Translation(motion.displacement)).chain(rotations).collect();
        DeclaredPose { parts, twists, velocity, acceleration, rates, forward: Some(motion), prescribed: Vec::new() }
    }

    /// Generalised force of a wrench on the link for each speed.
    pub fn project(&self, wrench: LinkWrench<S>) -> Vec<S> {
        let Some(forward) = &self.forward else {
            return self.twists.iter().map(|twist| twist.power(wrench)).collect();
        };
        let force = to_first_end(&forward.rotations, wrench.force);
        forward.columns.iter().map(|column| column.angular.dot(wrench.moment) + column.linear.dot(force)).collect()
    }

    /// The link is the joint's first end: (1).
    fn reversed(motion: &PoseMotion<S>, rates: Option<Vec<Vec<S>>>) -> Self {
        let (p, rotated) = (motion.displacement, |x| to_first_end(&motion.rotations, x));
        let opposite = |x| zero() - x;
        let twist = |rate: &Rate<S>| {
            let omega = rotated(rate.angular);
            Twist { angular: opposite(omega), linear: omega.cross(p) - rate.linear }
        };
        let (omega, rate) = (rotated(motion.velocity.angular), motion.velocity.linear);
        let (alpha, second) = (rotated(motion.acceleration.angular), motion.acceleration.linear);
        let half_coriolis = omega.cross(rate);
        let relative = alpha.cross(p) - omega.cross(omega.cross(p));
        let linear = relative - second + (half_coriolis + half_coriolis);
        let acceleration = Twist { angular: opposite(alpha), linear };
        let inverse = motion.rotations.iter().rev().map(|part| match *part {
            Part::AxisRotation { axis, cos, sin } => Part::AxisRotation { axis, cos, sin: -sin },
            Part::Rotation(r) => Part::Rotation(r.transpose()),
            Part::Translation(d) => Part::Translation(opposite(d)),
        });
        DeclaredPose {
            parts: inverse.chain([Part::Translation(opposite(p))]).collect(),
            twists: motion.columns.iter().map(twist).collect(),
            velocity: twist(&motion.velocity),
            acceleration,
            rates,
            forward: None,
            prescribed: Vec::new(),
        }
    }
}

impl<S: Scalar> TwistDerivatives<S> {
    /// Derivatives of the twists of a link with a declared pose with respect to each of its speeds, of which those of prescribed coordinates are
    /// omitted.
    pub fn from_pose(
        posing: &PoseEvaluator<'_, S>,
        q: &[S],
        (v, a): (&[S], &[S]),
        reversed: bool,
        prescribed: &[(u8, ExprId)],
    ) -> Vec<Self> {
        let constant = |x: &[S]| -> Vec<Dual<S>> { x.iter().map(|x| Dual::constant(*x)).collect() };
        let by_speed_index = |j: usize| {
            let displaced = posing.coordinates_with_unit_speed(q, j);
            let (fixed, a) = (constant(q), constant(a));
            let mut faster = constant(v);
            faster[j].derivative = S::number(1.0);
            let [by_displacement, by_speed] = posing.with_dual_numbers(|posing| {
                let state = |(q, v): (Vec<_>, Vec<_>)| {
                    DeclaredPose::new(posing, &q, (&v, &a), reversed).separate_prescribed(prescribed)
                };
                [(displaced, constant(v)), (fixed, faster)].map(state)
            });
            TwistDerivatives {
                twists: by_displacement.twists.iter().map(derivative).collect(),
                velocity: derivative(&by_displacement.velocity),
                acceleration: derivative(&by_displacement.acceleration),
                by_speed: derivative(&by_speed.acceleration),
            }
        };
        let is_free = |k: &usize| !prescribed.iter().any(|p| usize::from(p.0) == *k);
        (0..posing.pose.n_v()).filter(is_free).map(by_speed_index).collect()
    }
}

/// The derivatives of all components.
fn derivative<S: Scalar>(twist: &Twist<Dual<S>>) -> Twist<S> {
    let part = |v: Vector3<Dual<S>>| v.map(|x| x.derivative);
    Twist { angular: part(twist.angular), linear: part(twist.linear) }
}
