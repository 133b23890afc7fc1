// The mechanism of "Analyses", for the snippets of that chapter: they include this file.
mbs::mechanism! {
    /// One cylinder at 3,000 turns a minute.
    pub planar Engine {
        gravity: [0, -9.81];
        const crank_length = 0.04;              // m
        const rod_length = 0.14;
        const speed = 100 * PI;                 // rad/s
        const piston_area = 0.005;              // m²

        body crank  { mass: 1.2, inertia: 8e-4, com: [0.01, 0] }
        body rod    { mass: 0.5, inertia: 1.3e-3, com: [0.045, 0] }
        body piston { mass: 0.45, position: [0.18, 0] }
        marker oil_hole = rod at [0.07, 0.01];

        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [crank_length, 0], rod);
        joint wrist_pin    = revolute(rod at [rod_length, 0], piston);
        joint cylinder     = prismatic(ground, piston) { axis: [1, 0] };

        drive motor = main_bearing.angle == speed * t;
        // Gas compressed without loss of heat, from 1 bar at the lower dead point.
        let volume = 1.1 * (crank_length + rod_length) - position(piston).x;
        force gas = point_force(piston) { force: [-1e5 * piston_area * ((0.098 / volume).powf(1.3) - 1), 0] };

        output stroke = position(piston).x;
        output piston_acceleration = acceleration(piston).x;
    }
}
