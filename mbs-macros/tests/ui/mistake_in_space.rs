//! A body that nothing declares, in space: vectors have three components, coordinates are more than speeds.

mbs::mechanism! {
    /// A satellite.
    pub spatial Satellite {
        gravity: param [0, 0, -9.81];
        param arm = [0, 0, 1];
        input moment: [3];
        body bus { mass: 1, inertia: [1, 2, 3] }
        joint base = free(ground, bus);
        force wheels = torque(bus) { torque: moment in bus };
        output tip = position(bus at arm);
        output spin = angular_velocity(bus);
        joint hinge = revolute(bus, panel);
    }
}

fn main() -> Result<(), mbs::Error> {
    let params = satellite::Params { gravity: [0.0, 0.0, -1.0], ..Default::default() };
    let satellite = Satellite::new(params)?;
    let (mut q, v) = ([0.0; 7], [0.0; 6]);
    q[3] = 1.0;
    let inputs = satellite::Inputs { moment: [0.0, 0.0, 1.0] };
    let motion = satellite.accelerations(0.0, &q, &v, &inputs, &[])?;
    let position = satellite.at_position(0.0, &q);
    let velocity = position.at_velocity(&v);
    let outputs = velocity.accelerate(&inputs, &[])?.outputs();
    let length = outputs.tip[2] + outputs.spin[2] + satellite.params().arm[2];
    println!("{} {length} {:?}", motion.a[5], mbs::Mechanism::sizes(&satellite));
    Ok(())
}
