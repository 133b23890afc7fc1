use mbs::mechanism;

mechanism! {
    pub planar Pendulum {
        gravity: [0, -9.81];
        body rod { mass: 1, inertia: 0.1, com: [0.5, 0] }
        joint pin = revolute(ground, rod);
        output height = position(rod at com).y;
    }
}

fn main() {
    let pendulum = Pendulum::new(Default::default()).unwrap();
    let position = pendulum.at_position(0.0, &[0.3]);
    // Of the stages after it.
    let _ = position.gamma();
    let _ = position.momentum();
    let velocity = position.at_velocity(&[0.1]);
    let _ = velocity.outputs();
    let _ = velocity.energy();
}
