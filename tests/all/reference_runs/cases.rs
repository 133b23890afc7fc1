//! The cases of `tests/reference/` that have trajectories, and their compared quantities.
//!
//! Left out: `lim_a01_simple_pendulum_2000s`, the motion of `iftomm_a01_simple_pendulum` for hours of steps of 1 ms; contacts and impacts, whose
//! events end steps (`tests/all/contacts/`, `tests/all/events.rs`); cams, whose mechanisms are texts of `tests/all/cams/`; motions that drives
//! prescribe, which nothing integrates.

/// A case, its mechanism in `mechanisms/`, and its compared quantities.
#[derive(Clone, Copy)]
pub struct Case {
    /// Stem of the file.
    pub name: &'static str,
    /// Stem of the mechanism.
    pub mechanism: &'static str,
    /// Parameters, and paths of their values in the file.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Columns of the file, and outputs.
    pub columns: &'static [(&'static str, &'static str)],
    /// Angles that count revolutions.
    pub angles: &'static [&'static str],
    /// Expressions that are positive on the declared branch, and negative or close to zero on others.
    pub branch: &'static [&'static str],
    /// Duration of the run, and the interval between rows \[s\].
    pub time: [f64; 2],
    /// Duration in natural coordinates \[s\], whose evaluations take from ten to two hundred times as long in the engine.
    pub natural: f64,
    /// Whether the motion is too fast for steps of 1 ms.
    pub is_fast: bool,
}

/// Defaults of planar cases; spatial ones have another `natural`.
const DEFAULT: Case = Case {
    name: "",
    mechanism: "",
    parameters: &[],
    columns: &[],
    angles: &[],
    branch: &[],
    time: [2.0, 0.01],
    natural: 0.7,
    is_fast: false,
};

const SPATIAL: Case = Case { natural: 0.1, ..DEFAULT };

/// Defaults of robots with a dozen bodies and more.
const ROBOT: Case = Case { natural: 0.02, ..DEFAULT };

const PENDULUM: Case = Case {
    mechanism: "physical_pendulum",
    parameters: &[
        ("mass", "parameters/mass"),
        ("com_distance", "parameters/com_distance"),
        ("g", "parameters/g"),
        ("inertia_com", "parameters/inertia_com"),
        ("start_angle", "initial_conditions/phi"),
        ("start_rate", "initial_conditions/phidot"),
    ],
    columns: &[("phi", "phi"), ("phidot", "phi_rate")],
    angles: &["pin.angle"],
    ..DEFAULT
};

const SPRING: Case = Case {
    mechanism: "spring_ball",
    parameters: &[
        ("mass", "parameters/mass"),
        ("k", "parameters/k"),
        ("c", "parameters/c"),
        ("g", "parameters/g"),
        ("start", "initial_conditions/y"),
        ("start_speed", "initial_conditions/vy"),
    ],
    columns: &[("y", "y"), ("vy", "vy")],
    ..DEFAULT
};

const SLEIGH: Case = Case {
    mechanism: "chaplygin_sleigh",
    parameters: &[
        ("mass", "parameters/mass"),
        ("inertia", "parameters/inertia_com"),
        ("reach", "parameters/a"),
        ("start_speed", "initial_conditions/v"),
        ("start_rate", "initial_conditions/omega"),
    ],
    columns: &[("v", "along"), ("omega", "turning"), ("psi", "heading"), ("x", "place.x"), ("y", "place.y")],
    angles: &["angle(sleigh)"],
    ..DEFAULT
};

const CELLS: &[(&str, &str)] =
    &[("B0x", "b0.x"), ("B0y", "b0.y"), ("B0vx", "b0_velocity.x"), ("B0vy", "b0_velocity.y")];

/// In the plane, without loops.
pub const PLANE: &[Case] = &[
    Case {
        name: "iftomm_a01_simple_pendulum",
        mechanism: "simple_pendulum",
        columns: &[
            ("x", "position.x"),
            ("y", "position.y"),
            ("vx", "velocity.x"),
            ("vy", "velocity.y"),
            ("phi", "phi"),
            ("phidot", "rate"),
        ],
        angles: &["pin.angle"],
        ..DEFAULT
    },
    Case { name: "physical_pendulum_170deg", ..PENDULUM },
    Case { name: "physical_pendulum_libration_offset", ..PENDULUM },
    Case { name: "physical_pendulum_rotating", ..PENDULUM },
    Case {
        name: "double_pendulum_small_100s",
        mechanism: "double_pendulum",
        parameters: &[
            ("m1", "parameters/m1"),
            ("m2", "parameters/m2"),
            ("l1", "parameters/L1"),
            ("l2", "parameters/L2"),
            ("g", "parameters/g"),
        ],
        columns: &[("theta1", "theta1"), ("theta2", "theta2"), ("omega1", "omega1"), ("omega2", "omega2")],
        angles: &["shoulder.angle", "elbow.angle"],
        ..DEFAULT
    },
    Case {
        name: "cart_pendulum",
        mechanism: "cart_pendulum",
        columns: &[("x", "x"), ("theta", "theta"), ("v", "v"), ("omega", "omega")],
        angles: &["pivot.angle"],
        ..DEFAULT
    },
    Case {
        name: "bead_parabola",
        mechanism: "bead_parabola",
        columns: &[("x", "x"), ("y", "y"), ("vx", "vx"), ("vy", "vy")],
        ..DEFAULT
    },
    Case { name: "spring_undamped", ..SPRING },
    Case { name: "spring_damper_under", ..SPRING },
    Case { name: "spring_damper_critical", ..SPRING },
    Case { name: "spring_damper_over", ..SPRING },
    Case { name: "chaplygin_sleigh", ..SLEIGH },
    Case { name: "chaplygin_sleigh_reversal", ..SLEIGH },
    Case {
        name: "ivp_car_axis",
        mechanism: "car_axis",
        columns: &[
            ("xl", "left_position.x"),
            ("yl", "left_position.y"),
            ("xr", "right_position.x"),
            ("yr", "right_position.y"),
            ("vxl", "left_velocity.x"),
            ("vyl", "left_velocity.y"),
            ("vxr", "right_velocity.x"),
            ("vyr", "right_velocity.y"),
        ],
        branch: &["position(right).x - position(left).x"],
        ..DEFAULT
    },
];

/// In the plane, with loops.
pub const LOOPS: &[Case] = &[
    Case {
        name: "fourbar_forward",
        mechanism: "four_bar",
        columns: &[("theta", "crank_angle"), ("omega", "crank_rate"), ("phi", "coupler_angle")],
        angles: &["crank_bearing.angle", "crank_pin.angle", "rocker_pin.angle", "rocker_bearing.angle"],
        branch: &["sin(angle(coupler) - angle(rocker))"],
        ..DEFAULT
    },
    Case {
        name: "slider_crank_forward",
        mechanism: "slider_crank",
        columns: &[("theta", "crank_angle"), ("omega", "crank_rate"), ("x", "stroke"), ("v", "speed")],
        angles: &["main_bearing.angle", "crank_pin.angle", "wrist_pin.angle"],
        branch: &["cos(angle(rod))"],
        ..DEFAULT
    },
    // The links are in line at 0.7 s and twice more until 3 s.
    Case {
        name: "iftomm_a02_n_fourbar_N1",
        mechanism: "n_four_bar_1",
        columns: CELLS,
        angles: &["post[0].bearing.angle", "post[1].bearing.angle", "cell[0].first.angle", "cell[0].second.angle"],
        branch: &["1e-8 - (post[0].bearing.angle - post[1].bearing.angle).powi(2)"],
        time: [3.0, 0.01],
        natural: 1.0,
        ..DEFAULT
    },
    Case {
        name: "iftomm_a02_n_fourbar_N2",
        mechanism: "n_four_bar_2",
        columns: CELLS,
        angles: &["post[0].bearing.angle", "post[2].bearing.angle", "cell[0].first.angle", "cell[1].second.angle"],
        branch: &[
            "1e-8 - (post[0].bearing.angle - post[1].bearing.angle).powi(2)",
            "1e-8 - (post[0].bearing.angle - post[2].bearing.angle).powi(2)",
        ],
        time: [2.0, 0.01],
        natural: 1.0,
        ..DEFAULT
    },
    Case {
        name: "iftomm_a03_andrews",
        mechanism: "andrews",
        columns: &[
            ("beta", "beta"),
            ("theta", "theta"),
            ("gamma", "gamma"),
            ("phi", "phi"),
            ("delta", "delta"),
            ("omega", "omega"),
            ("epsilon", "epsilon"),
        ],
        angles: &["o.angle", "f.angle", "b.angle", "a5.angle", "a7.angle", "g.angle", "h.angle", "e3.angle"],
        // E stays on its side of FB, AG and AH.
        branch: &["cos(angle(k2) - angle(k3))", "cos(angle(k4) - angle(k5))", "cos(angle(k6) - angle(k7))"],
        time: [0.05, 0.001],
        natural: 0.03,
        // The crank rotates by a radian in a step.
        is_fast: true,
        ..DEFAULT
    },
];

const TOP: Case = Case {
    mechanism: "free_top",
    parameters: &[
        ("moments", "parameters/I"),
        ("spin", "initial_conditions/omega"),
        ("start_attitude", "initial_conditions/quat"),
    ],
    columns: &[
        ("wx", "omega.x"),
        ("wy", "omega.y"),
        ("wz", "omega.z"),
        ("qw", "attitude[0]"),
        ("qx", "attitude[1]"),
        ("qy", "attitude[2]"),
        ("qz", "attitude[3]"),
    ],
    ..SPATIAL
};

const CYLINDER: Case = Case {
    mechanism: "inclined_cylinder",
    parameters: &[
        ("mass", "parameters/mass"),
        ("moments", "parameters/inertia_com_axes"),
        ("offset", "parameters/com_offset"),
        ("inclination", "parameters/axis_inclination"),
        ("start_position", "initial_conditions/s"),
        ("start_speed", "initial_conditions/sdot"),
        ("start_angle", "initial_conditions/phi"),
        ("start_rate", "initial_conditions/phidot"),
    ],
    columns: &[("s", "s"), ("sdot", "s_rate"), ("phi", "phi"), ("phidot", "phi_rate")],
    angles: &["bearing.angle"],
    ..SPATIAL
};

const HOOP: Case = Case {
    mechanism: "spinning_hoop",
    parameters: &[
        ("radius", "parameters/R"),
        ("omega", "parameters/Omega"),
        ("mass", "parameters/mass"),
        ("start_angle", "initial_conditions/theta"),
        ("start_rate", "initial_conditions/thetadot"),
    ],
    columns: &[("theta", "angle"), ("thetadot", "angle_rate"), ("x", "place.x"), ("y", "place.y"), ("z", "place.z")],
    angles: &["axle.angle"],
    ..SPATIAL
};

const STRING: Case = Case {
    mechanism: "swinging_spring",
    parameters: &[
        ("mass", "parameters/mass"),
        ("stiffness", "parameters/k"),
        ("free_length", "parameters/L0"),
        ("damping", "parameters/c"),
        ("start", "initial_conditions/r"),
        ("start_velocity", "initial_conditions/v"),
    ],
    columns: &[
        ("x", "place.x"),
        ("y", "place.y"),
        ("z", "place.z"),
        ("vx", "speed.x"),
        ("vy", "speed.y"),
        ("vz", "speed.z"),
    ],
    ..SPATIAL
};

/// In space, without loops.
pub const SPACE: &[Case] = &[
    Case {
        name: "spatial_double_pendulum_spherical",
        mechanism: "ball_chain",
        columns: &[
            ("r1x", "place_1.x"),
            ("r2y", "place_2.y"),
            ("w1x", "spin_1.x"),
            ("w2z", "spin_2.z"),
            ("q1w", "quaternion_1[0]"),
            ("q2x", "quaternion_2[1]"),
        ],
        time: [1.5, 0.01],
        ..SPATIAL
    },
    Case {
        name: "heavy_top_nutation",
        mechanism: "heavy_top",
        columns: &[("ax_x", "axis.x"), ("ax_y", "axis.y"), ("ax_z", "axis.z")],
        time: [0.2, 0.01],
        ..SPATIAL
    },
    Case { name: "euler_top", ..TOP },
    Case { name: "euler_top_major", ..TOP },
    Case { name: "cylindrical_joint_body", ..CYLINDER },
    Case { name: "cylindrical_joint_body_b", ..CYLINDER },
    Case { name: "elastic_pendulum_3d", ..STRING },
    Case { name: "elastic_pendulum_3d_damped", ..STRING },
    Case { name: "bead_rotating_hoop", ..HOOP },
    Case { name: "bead_rotating_hoop_slow", ..HOOP },
    Case {
        name: "dumbbell_distance_constraint",
        mechanism: "dumbbell",
        columns: &[("x1", "first.x"), ("y1", "first.y"), ("z1", "first.z"), ("x2", "second.x"), ("z2", "second.z")],
        time: [1.0, 0.01],
        ..SPATIAL
    },
    Case {
        name: "rolling_coin",
        mechanism: "rolling_coin",
        parameters: &[
            ("mass", "parameters/mass"),
            ("radius", "parameters/radius"),
            ("across", "parameters/I_diameter"),
            ("axial", "parameters/I_axis"),
            ("start_turning", "initial_conditions/psidot"),
            ("start_spin", "initial_conditions/phidot"),
        ],
        columns: &[("x", "place.x"), ("y", "place.y"), ("vx", "speed.x"), ("vy", "speed.y")],
        time: [1.0, 0.01],
        ..SPATIAL
    },
    Case {
        name: "robot_arm7_swing",
        mechanism: "robots/robot_arm7",
        parameters: &[("friction", "parameters/joint_viscous_damping")],
        columns: &[("q0", "q[0]"), ("q1", "q[1]"), ("q2", "q[2]"), ("q6", "q[6]"), ("v0", "v[0]"), ("v6", "v[6]")],
        angles: &["j1.angle", "j2.angle", "j3.angle", "j4.angle", "j5.angle", "j6.angle", "j7.angle"],
        time: [0.5, 0.01],
        ..ROBOT
    },
    Case {
        name: "robot_quadruped18_flight",
        mechanism: "robots/quadruped18",
        columns: &[
            ("q0", "place.x"),
            ("q2", "place.z"),
            ("q6", "attitude[0]"),
            ("q7", "angles[0]"),
            ("v17", "rates[11]"),
        ],
        angles: &["FL_hip_j.angle", "RR_calf_j.angle"],
        time: [0.2, 0.01],
        ..ROBOT
    },
];

const SLIDER_CRANK: Case = Case {
    mechanism: "spatial_slider_crank",
    parameters: &[("rod_moments", "parameters/I_rod")],
    columns: &[
        ("theta", "theta"),
        ("thetadot", "theta_rate"),
        ("x_slider", "x"),
        ("v_slider", "x_rate"),
        ("rod_omega_body_x", "rod_spin.x"),
    ],
    angles: &["bearing.angle"],
    branch: &["position(slider).x"],
    ..SPATIAL
};

/// In space, with loops.
pub const SPATIAL_LOOPS: &[Case] = &[
    Case { name: "iftomm_spatial_slider_crank", ..SLIDER_CRANK },
    Case { name: "iftomm_spatial_slider_crank_published", ..SLIDER_CRANK },
    Case {
        name: "universal_joint_dynamics",
        mechanism: "crossed_shafts",
        parameters: &[("inertia_1", "parameters/I1"), ("inertia_2", "parameters/I2"), ("start_rate", "parameters/w0")],
        columns: &[("theta1", "theta_1"), ("theta2", "theta_2"), ("omega1", "rate_1"), ("omega2", "rate_2")],
        angles: &["first.angle", "second.angle"],
        ..SPATIAL
    },
    Case {
        name: "iftomm_a04_bricard",
        mechanism: "bricard",
        columns: &[("P2x", "p2.x"), ("P2y", "p2.y"), ("P3x", "p3.x"), ("P3y", "p3.y"), ("P3vz", "p3_rate.z")],
        angles: &["p0.angle", "p1.angle", "p2.angle", "p3.angle", "p4.angle", "p5.angle"],
        ..SPATIAL
    },
    Case {
        name: "iftomm_a05_flyball",
        mechanism: "flyball",
        parameters: &[("stiffness", "parameters/k"), ("damping", "parameters/c"), ("start_rate", "parameters/omega0")],
        columns: &[("phi", "phi"), ("z_slider", "height"), ("beta", "opening.x"), ("phidot", "phi_rate")],
        angles: &["bearing.angle", "right_hinge.angle", "left_hinge.angle"],
        time: [0.3, 0.01],
        // Damped springs with rates of 1e4 1/s.
        is_fast: true,
        ..SPATIAL
    },
];
