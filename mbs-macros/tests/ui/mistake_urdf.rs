//! A mistake in a robot's file.

mbs::urdf! {
    /// Two links.
    pub Two = "robots/hinge.urdf" {
        base: free;
    }
}

fn main() {
    println!("{}", two::NU);
}
