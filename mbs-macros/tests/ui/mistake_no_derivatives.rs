//! Derivatives of a mechanism whose kernels do not have them.

mbs::mechanism! {
    /// A pendulum.
    pub planar Pendulum {
        gravity: [0, -9.81];
        body bob { mass: 1, inertia: 0.01, com: [0, -1] }
        joint pin = revolute(ground, bob);
    }
}

fn differentiate<M: mbs::Differentiable>(_: &M) {}

fn main() {
    differentiate(&Pendulum::new(pendulum::Params {}).unwrap());
}
