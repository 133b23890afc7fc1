//! Which functions a mechanism gets.

/// Kernels a declaration may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels {
    /// Accelerations, multipliers, factorisation, projections.
    pub forward: bool,
    /// Poses, marker positions, constraint residuals, Jacobian, ν, γ.
    pub kinematics: bool,
    /// Energies and momentum.
    pub energies: bool,
    /// Outputs and their rates.
    pub outputs: bool,
    /// Reactions of all joints.
    pub reactions: bool,
    /// Inverse dynamics in one function: motion, drives' loads and reactions of a mechanism without undriven freedoms.
    pub inverse: bool,
    /// Operators on any motion: inverse dynamics M a − Q.
    pub operators: bool,
    /// Derivatives of accelerations, multipliers and inverse dynamics with respect to state and inputs.
    pub jacobians: bool,
    /// Derivatives of the state's rates with respect to state and inputs, as discrete dynamics need them.
    pub linearization: bool,
    /// Derivatives of accelerations, multipliers and inverse dynamics with respect to parameters.
    pub sensitivities: bool,
    /// Corrections of Newton's method for stages of implicit steps, with a factorisation of their own; `linearization` with them.
    pub steps: bool,
    /// Momenta, their rates, and the steps of an integrator that advances them.
    pub momenta: bool,
    /// Second derivatives of the rows: directional derivatives of G along displacements.
    pub hessians: bool,
}

impl Kernels {
    /// None of them.
    pub const NONE: Kernels = Kernels {
        forward: false,
        kinematics: false,
        energies: false,
        outputs: false,
        reactions: false,
        inverse: false,
        operators: false,
        jacobians: false,
        linearization: false,
        steps: false,
        sensitivities: false,
        momenta: false,
        hessians: false,
    };

    /// With those that these need.
    #[must_use]
    pub const fn completed(mut self) -> Kernels {
        self.linearization |= self.steps;
        self
    }
}

impl Default for Kernels {
    /// All but `inverse`, which few mechanisms can have, and `operators`, `jacobians`, `linearization`, `steps`, `sensitivities`,
    /// `momenta` and `hessians`, which few need.
    fn default() -> Self {
        Kernels { forward: true, kinematics: true, energies: true, outputs: true, reactions: true, ..Kernels::NONE }
    }
}
