//! A body that nothing declares.

mbs::mechanism! {
    /// A pendulum.
    pub planar Pendulum {
        gravity: [0, -9.81];
        param length = 1.0;
        param offset = [0, 0];
        input torque;
        body bob { mass: 1, inertia: 0.01, com: [0, -1] * length }
        joint pin = revolute(ground at offset, bob);
        force motor = torque(ground, bob) { torque };
        output angle = pin.angle;
        output tip = position(bob at com);
        joint link = revolute(bob, bab);
    }
}

fn main() -> Result<(), mbs::Error> {
    let params = pendulum::Params { length: 2.0, offset: [0.0, 0.1], ..Default::default() };
    let mut pendulum = Pendulum::new(params)?;
    pendulum.set_params(pendulum::Params { length: 1.0, ..*pendulum.params() })?;
    let (q, v) = ([0.1; pendulum::NQ], [0.0; pendulum::NV]);
    let motion = pendulum.accelerations(0.0, &q, &v, &pendulum::Inputs { torque: 1.0 }, &[0.0; pendulum::NZ])?;
    let position = pendulum.at_position(0.0, &q);
    let velocity = position.at_velocity(&v);
    let inputs = pendulum::Inputs::default();
    let outputs = velocity.accelerate(&inputs, &[0.0; pendulum::NZ])?.outputs();
    println!("{} {} {} {:?}", motion.a[0], outputs.angle, outputs.tip[1], mbs::Mechanism::sizes(&pendulum));
    let recording = mbs::Simulation::new(&pendulum).duration(0.1).every(0.1).run();
    println!("{}", recording.is_ok());
    Ok(())
}
