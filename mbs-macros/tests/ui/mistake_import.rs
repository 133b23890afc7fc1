//! A mistake in a file that is imported.

mbs::mechanism! {
    /// Two links.
    pub spatial Two {
        input torque;
        import "robots/hinge.urdf";
    }
}

fn main() {
    let inputs = two::Inputs { torque: 1.0 };
    println!("{}", inputs.torque);
}
