//! A step in place of an integrator.

mbs::mechanism! {
    /// A pendulum.
    pub planar Pendulum {
        gravity: [0, -9.81];
        body bob { mass: 1, inertia: 0.01, com: [0, -1] }
        joint pin = revolute(ground, bob);
    }
}

fn advance<S: mbs::Stepper<Pendulum>>(_: S) {}

fn main() {
    advance(1e-3);
}
