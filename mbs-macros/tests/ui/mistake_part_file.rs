//! A mistake in a part of a file that is imported.

mbs::mechanism! {
    /// One leg.
    pub planar One {
        import "parts/leg.mbs" as dog;
        part left = dog.leg(ground);
    }
}

fn main() {
    let params = one::Params { left_length: 1.0 };
    println!("{}", params.left_length);
}
