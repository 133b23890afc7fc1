use mbs::mechanism;

mechanism! {
    pub planar Pendulum {
        param length = 1.0;
        body rod { mass: 1, inertia: 0.1, com: [length / 2, 0] }
        joint pin = revolute(ground, rod);
    }
}

fn main() {
    let mut pendulum = Pendulum::new(Default::default()).unwrap();
    let position = pendulum.at_position(0.0, &[0.3]);
    // What was computed with other parameters cannot be asked for any more.
    pendulum.set_params(pendulum::Params { length: 2.0 }).unwrap();
    let _ = position.poses();
}
