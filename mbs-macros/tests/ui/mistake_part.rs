//! A mistake in the text of a part, and one in an instance.

mbs::mechanism! {
    part leg(hip, mass) {
        param length = 0.3;
        body thigh { mass, inertia: 0.1 }
        joint knee = revolute(hip, thigh);
    }
    /// Two legs.
    pub planar Two {
        part left = leg(ground, -1);
        part right = leg(ground);
    }
}

fn main() {
    let params = two::Params { left_length: 1.0, right_length: 2.0 };
    println!("{}", params.left_length);
}
