// The mechanism of "Getting started", for the snippets of the book: they include this file.
mbs::mechanism! {
    /// Four-bar linkage of uniform bars, driven by a motor.
    pub planar FourBar {
        gravity: [0, -9.81];

        param crank_length = 0.1;               // m
        param coupler_length = 0.35;
        param rocker_length = 0.25;
        param ground_length = 0.3;
        const density = 2.0;                    // kg/m
        input torque;                           // N m, on the crank

        body crank   { mass: density * crank_length, inertia: density * crank_length.powi(3) / 12,
                       com: [crank_length / 2, 0], angle: 1.0 }
        body coupler { mass: density * coupler_length, inertia: density * coupler_length.powi(3) / 12,
                       com: [coupler_length / 2, 0], angle: -1.12 }
        body rocker  { mass: density * rocker_length, inertia: density * rocker_length.powi(3) / 12,
                       com: [rocker_length / 2, 0], angle: 4.32 }
        marker tracer = coupler at [0.2, 0.08];

        joint crank_bearing  = revolute(ground, crank);
        joint crank_pin      = revolute(crank at [crank_length, 0], coupler);
        joint rocker_pin     = revolute(coupler at [coupler_length, 0], rocker at [rocker_length, 0]);
        joint rocker_bearing = revolute(ground at [ground_length, 0], rocker);

        force motor = torque(ground, crank) { torque };

        initial crank_bearing.angle = 1.0, crank_bearing.rate = 10;
        freedoms: 1;

        output rocker_angle = rocker_bearing.angle;
        output tracer = position(tracer);
        output energy = kinetic_energy + potential_energy;
    }
}
