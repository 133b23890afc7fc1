//! The state of a free rigid body, independent of its attitude representation.

use core::ops::Range;

use crate::Error;
use crate::rotation::{self, Attitude, minus, nearer, normalized, plus, rotate, rotate_back};

/// Layout of a state vector [r, q, v, ω]: ranges into its 13 or 12 numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRanges {
    /// Position r.
    pub position: Range<usize>,
    /// Parameters q of the attitude.
    pub attitude: Range<usize>,
    /// Linear velocity v.
    pub linear_velocity: Range<usize>,
    /// Angular velocity ω.
    pub angular_velocity: Range<usize>,
}

impl StateRanges {
    /// Ranges of the state vector with this attitude.
    pub const fn new(attitude: Attitude) -> Self {
        let v = 3 + attitude.n_q();
        StateRanges { position: 0..3, attitude: 3..v, linear_velocity: v..v + 3, angular_velocity: v + 3..v + 6 }
    }

    /// Length of the state vector: 13 with a quaternion, else 12.
    pub const fn len(&self) -> usize {
        self.angular_velocity.end
    }

    /// Always false: a state vector has 12 numbers at least.
    pub const fn is_empty(&self) -> bool {
        false
    }
}

/// State of a rigid body as 13 numbers [r, q, v, ω], regardless of the attitude its mechanism uses.
///
/// - r \[m\]: position of its origin, world axes;
/// - q: quaternion of R_WB, scalar first. It is stored as given; [`normalized`](RigidBodyState::normalized) and functions whose
///   documentation states it normalise it;
/// - v \[m/s\]: velocity of its origin, world axes; see [`body_velocity`](RigidBodyState::body_velocity);
/// - ω \[rad/s\]: angular velocity, body axes.
///
/// # Source
/// The interface is that of `RBState` in RobotDynamics.jl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBodyState {
    values: [f64; 13],
}

impl Default for RigidBodyState {
    /// [`RigidBodyState::zero`].
    fn default() -> Self {
        RigidBodyState::zero()
    }
}

impl RigidBodyState {
    /// Length of the state: 13.
    pub const LEN: usize = 13;
    /// Range of r.
    pub const POSITION: Range<usize> = 0..3;
    /// Range of q.
    pub const ORIENTATION: Range<usize> = 3..7;
    /// Range of v.
    pub const LINEAR_VELOCITY: Range<usize> = 7..10;
    /// Range of ω.
    pub const ANGULAR_VELOCITY: Range<usize> = 10..13;
    /// Length of an error state: 12, see [`plus`](RigidBodyState::plus).
    pub const ERROR_LEN: usize = 12;

    /// The state with r \[m\], a quaternion of R_WB, v \[m/s\] in world axes and ω \[rad/s\] in body axes. The quaternion is not normalised.
    pub fn new(
        position: [f64; 3],
        orientation: [f64; 4],
        linear_velocity: [f64; 3],
        angular_velocity: [f64; 3],
    ) -> Self {
        let mut values = [0.0; 13];
        values[Self::POSITION].copy_from_slice(&position);
        values[Self::ORIENTATION].copy_from_slice(&orientation);
        values[Self::LINEAR_VELOCITY].copy_from_slice(&linear_velocity);
        values[Self::ANGULAR_VELOCITY].copy_from_slice(&angular_velocity);
        RigidBodyState { values }
    }

    /// The state with the numbers [r, q, v, ω]. The quaternion is not normalised.
    pub const fn from_array(values: [f64; 13]) -> Self {
        RigidBodyState { values }
    }

    /// The state at rest at the world origin with axes parallel to those of the world: the quaternion is (1, 0, 0, 0).
    pub const fn zero() -> Self {
        let mut values = [0.0; 13];
        values[3] = 1.0;
        RigidBodyState { values }
    }

    /// A random state from 12 independent numbers uniform in [0, 1): attitude uniform over all rotations, all components of
    /// r, v and ω uniform in [−1, 1).
    pub fn random(uniforms: [f64; 12]) -> Self {
        let q = [1.0, 0.0, 0.0, 0.0];
        let (lower, upper) =
            (Self::new([-1.0; 3], q, [-1.0; 3], [-1.0; 3]), Self::new([1.0; 3], q, [1.0; 3], [1.0; 3]));
        Self::random_between(&lower, &upper, uniforms)
    }

    /// A random state from 12 independent numbers uniform in [0, 1): each component of r, v and ω uniform between those of two
    /// states, attitude uniform over all rotations. The attitudes of the two states are ignored.
    pub fn random_between(lower: &Self, upper: &Self, uniforms: [f64; 12]) -> Self {
        let three = |first: usize| -> [f64; 3] { core::array::from_fn(|k| uniforms[first + k]) };
        let between = |range: Range<usize>, uniforms: [f64; 3]| -> [f64; 3] {
            let (lower, upper) = (&lower.values[range.clone()], &upper.values[range]);
            core::array::from_fn(|k| lower[k] + uniforms[k] * (upper[k] - lower[k]))
        };
        Self::new(
            between(Self::POSITION, three(0)),
            rotation::random(three(3)),
            between(Self::LINEAR_VELOCITY, three(6)),
            between(Self::ANGULAR_VELOCITY, three(9)),
        )
    }

    /// The state of a state vector [r, q, v, ω] with the parameters q of an attitude.
    ///
    /// # Errors
    /// [`Error::Size`] unless it has the length that [`StateRanges`] states: 13 or 12.
    pub fn from_state(attitude: Attitude, state: &[f64]) -> Result<Self, Error> {
        let ranges = checked_ranges(attitude, state)?;
        let three = |range: Range<usize>| -> [f64; 3] { core::array::from_fn(|k| state[range.start + k]) };
        let orientation = attitude.quaternion_of(&state[ranges.attitude]);
        Ok(Self::new(
            three(ranges.position),
            orientation,
            three(ranges.linear_velocity),
            three(ranges.angular_velocity),
        ))
    }

    /// Writes the state vector [r, q, v, ω] with the parameters of an attitude, on its principal branch
    /// ([`Attitude::write_parameters`]).
    ///
    /// # Errors
    /// [`Error::Size`] unless `state` has the length that [`StateRanges`] states: 13 or 12.
    pub fn write_state(&self, attitude: Attitude, state: &mut [f64]) -> Result<(), Error> {
        let ranges = checked_ranges(attitude, state)?;
        attitude.write_parameters(self.orientation(), &mut state[ranges.attitude.clone()]);
        self.write_others(&ranges, state);
        Ok(())
    }

    /// Writes the state vector [r, q, v, ω] whose q is nearest to that of `hint`, another state vector with the same attitude
    /// ([`Attitude::write_parameters_near`]).
    ///
    /// # Errors
    /// [`Error::Size`] unless both have the length that [`StateRanges`] states: 13 or 12.
    pub fn write_state_near(&self, attitude: Attitude, hint: &[f64], state: &mut [f64]) -> Result<(), Error> {
        checked_ranges(attitude, hint)?;
        let ranges = checked_ranges(attitude, state)?;
        let near = &hint[ranges.attitude.clone()];
        attitude.write_parameters_near(self.orientation(), near, &mut state[ranges.attitude.clone()]);
        self.write_others(&ranges, state);
        Ok(())
    }

    fn write_others(&self, ranges: &StateRanges, state: &mut [f64]) {
        state[ranges.position.clone()].copy_from_slice(&self.values[Self::POSITION]);
        state[ranges.linear_velocity.clone()].copy_from_slice(&self.values[Self::LINEAR_VELOCITY]);
        state[ranges.angular_velocity.clone()].copy_from_slice(&self.values[Self::ANGULAR_VELOCITY]);
    }

    /// The numbers [r, q, v, ω].
    pub const fn as_array(&self) -> &[f64; 13] {
        &self.values
    }

    /// r \[m\], world axes.
    pub fn position(&self) -> [f64; 3] {
        self.vector_at(0)
    }

    /// The quaternion of R_WB as stored.
    pub fn orientation(&self) -> [f64; 4] {
        core::array::from_fn(|k| self.values[3 + k])
    }

    /// The quaternion of R_WB, normalised.
    pub fn unit_orientation(&self) -> [f64; 4] {
        normalized(self.orientation())
    }

    /// v \[m/s\], world axes.
    pub fn linear_velocity(&self) -> [f64; 3] {
        self.vector_at(7)
    }

    /// R_WBᵀ v \[m/s\]: the velocity of the origin in body axes.
    pub fn body_velocity(&self) -> [f64; 3] {
        rotate_back(self.unit_orientation(), self.linear_velocity())
    }

    /// ω \[rad/s\], body axes.
    pub fn angular_velocity(&self) -> [f64; 3] {
        self.vector_at(10)
    }

    /// R_WB ω \[rad/s\]: the angular velocity in world axes.
    pub fn world_angular_velocity(&self) -> [f64; 3] {
        rotate(self.unit_orientation(), self.angular_velocity())
    }

    fn vector_at(&self, start: usize) -> [f64; 3] {
        core::array::from_fn(|k| self.values[start + k])
    }

    /// Returns the state with v = R_WB v_B, for a velocity v_B \[m/s\] in body axes.
    #[must_use]
    pub fn with_body_velocity(&self, velocity: [f64; 3]) -> Self {
        let velocity = rotate(self.unit_orientation(), velocity);
        Self::new(self.position(), self.orientation(), velocity, self.angular_velocity())
    }

    /// Returns the state with a unit quaternion.
    #[must_use]
    pub fn normalized(&self) -> Self {
        self.with_orientation(self.unit_orientation())
    }

    /// Returns the state with −q, which is the same attitude.
    #[must_use]
    pub fn flipped(&self) -> Self {
        self.with_orientation(rotation::flip(self.orientation()))
    }

    /// Returns the state with whichever of q and −q is nearer to that of `hint`, so that a sequence of states has no jumps.
    #[must_use]
    pub fn near(&self, hint: &Self) -> Self {
        self.with_orientation(nearer(self.orientation(), hint.orientation()))
    }

    fn with_orientation(&self, orientation: [f64; 4]) -> Self {
        Self::new(self.position(), orientation, self.linear_velocity(), self.angular_velocity())
    }

    /// x ⊕ δ = [r + δ_r, q ∘ exp δ_φ, v + δ_v, ω + δ_ω] for the error state δ = [δ_r, δ_φ, δ_v, δ_ω]: δ_φ \[rad\] rotates in
    /// body axes, δ_r and δ_v are in world axes. The resulting quaternion is a unit quaternion.
    #[must_use]
    pub fn plus(&self, delta: &[f64; 12]) -> Self {
        let part = |start: usize| -> [f64; 3] { core::array::from_fn(|k| delta[start + k]) };
        let sum = |a: [f64; 3], start: usize| -> [f64; 3] { core::array::from_fn(|k| a[k] + delta[start + k]) };
        Self::new(
            sum(self.position(), 0),
            plus(self.orientation(), part(3)),
            sum(self.linear_velocity(), 6),
            sum(self.angular_velocity(), 9),
        )
    }

    /// x ⊖ y: the error state δ with y ⊕ δ = x, |δ_φ| ≤ π; zero for equal attitudes of either sign.
    pub fn minus(&self, other: &Self) -> [f64; 12] {
        let (mut delta, phi) = ([0.0; 12], minus(self.orientation(), other.orientation()));
        for k in 0..3 {
            delta[k] = self.values[k] - other.values[k];
            delta[3 + k] = phi[k];
        }
        for k in 7..13 {
            delta[k - 1] = self.values[k] - other.values[k];
        }
        delta
    }
}

impl From<RigidBodyState> for [f64; 13] {
    fn from(state: RigidBodyState) -> Self {
        state.values
    }
}

impl From<[f64; 13]> for RigidBodyState {
    fn from(values: [f64; 13]) -> Self {
        RigidBodyState { values }
    }
}

impl TryFrom<&[f64]> for RigidBodyState {
    type Error = Error;

    /// The state with the numbers [r, q, v, ω].
    ///
    /// # Errors
    /// [`Error::Size`] unless there are 13 numbers.
    fn try_from(values: &[f64]) -> Result<Self, Error> {
        let size = Error::Size { expected: Self::LEN, found: values.len() };
        values.try_into().map(|values| RigidBodyState { values }).map_err(|_| size)
    }
}

/// Ranges of a state vector.
///
/// # Errors
/// [`Error::Size`] unless it has their length.
fn checked_ranges(attitude: Attitude, state: &[f64]) -> Result<StateRanges, Error> {
    let ranges = StateRanges::new(attitude);
    if state.len() == ranges.len() {
        Ok(ranges)
    } else {
        Err(Error::Size { expected: ranges.len(), found: state.len() })
    }
}

/// The applied wrench on a floating body, and its derivatives: the wrench Jacobian of RobotDynamics.jl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrenchJacobian<const COLUMNS: usize> {
    /// Force \[N\] in world axes, moment \[N m\] about the body's centre of mass in its axes.
    pub wrench: [f64; 6],
    /// ∂`wrench`/∂(position (3), attitude (its parameters), linear velocity (3), angular velocity (3), inputs), row by row.
    pub jacobian: [[f64; COLUMNS]; 6],
}
