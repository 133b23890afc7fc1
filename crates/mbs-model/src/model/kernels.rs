//! The functions that are generated for a mechanism.

/// The kernels that a declaration requests.
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
    /// Inverse dynamics in one function: motion, loads of drives and reactions of a mechanism whose every degree of freedom is driven.
    pub inverse: bool,
    /// Operators for any motion: inverse dynamics M a − Q.
    pub operators: bool,
    /// Derivatives of accelerations, multipliers and inverse dynamics with respect to state and inputs.
    pub jacobians: bool,
    /// Derivatives of the state's rates with respect to state and inputs, for discrete dynamics.
    pub linearization: bool,
    /// Derivatives of accelerations, multipliers and inverse dynamics with respect to parameters.
    pub sensitivities: bool,
    /// Corrections of Newton's method for stages of implicit steps, with a separate factorisation. They require `linearization`.
    pub steps: bool,
    /// Momenta, their rates, and the steps of an integrator that advances them.
    pub momenta: bool,
    /// Second derivatives of the rows: directional derivatives of G along displacements.
    pub hessians: bool,
}

impl Kernels {
    /// No kernels.
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

    /// These kernels and those that they require.
    #[must_use]
    pub const fn completed(mut self) -> Kernels {
        self.linearization |= self.steps;
        self
    }
}

impl Default for Kernels {
    /// `forward`, `kinematics`, `energies`, `outputs` and `reactions`. Few mechanisms can have `inverse`, and few need the other kernels.
    fn default() -> Self {
        Kernels { forward: true, kinematics: true, energies: true, outputs: true, reactions: true, ..Kernels::NONE }
    }
}
