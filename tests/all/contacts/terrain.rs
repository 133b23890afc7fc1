//! Balls on terrain: against planes, springs that pull from the centre of a bowl, and positions whose nearest point is known.

use mbs::engine::Engine;
use mbs_compiler::compile::{Compiled, Options};
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;

use super::{
    BLOW, FINE, assert_conserved, assert_equal, assert_same, conserved_in_space, conserved_in_the_plane,
    contact_outputs, run, run_everywhere, run_everywhere_with,
};
use crate::tier::by_tier;

/// A slope as a height function agrees with a plane contact on an inclined marker, to 1e-10 after two bounces, whose stiffness magnifies roundings.
#[test]
fn slopes_are_planes() {
    let rest = "radius: 0.3, stiffness: 1e5, dissipation: 0.3, friction: 0.6, creep: 0.02";
    let planar = |contact: &str| {
        format!(
            "planar Slope {{
                gravity: [0, -9.81];
                const slope = 0.4;
                function hill(x) = 0.1 - slope * x;
                marker tilted = ground at [0, 0.1] {{ angle: -atan(slope) }};
                body wheel {{ mass: 2, inertia: 0.05, position: [0.2, 0.36], velocity: [1, 0], angle: 0, rate: 3 }}
                force tyre = {contact};
                {}
                output x = position(wheel);
                output spin = rate(wheel);
            }}",
            contact_outputs("tyre")
        )
    };
    let texts = [
        planar(&format!("terrain_contact(ground, wheel) {{ height: hill, {rest} }}")),
        planar(&format!("plane_contact(tilted, wheel) {{ {rest} }}")),
    ];
    assert_same("slope", [&texts[0], &texts[1]], &[0.0, 0.2, 0.5], 1e-10);
    let spatial = |contact: &str| {
        format!(
            "spatial Slope {{
                gravity: [0, 0, -9.81];
                const a = -0.4;
                const b = 0.3;
                function hill(x, y) = a * x + b * y;
                marker tilted = ground {{ z: [-a, -b, 1] }};
                body ball {{
                    mass: 2, inertia: [0.05, 0.05, 0.05], position: [0.2, 0.1, 0.26], velocity: [1, 0.5, 0], angular_velocity: [1, 3, -2]
                }}
                force tyre = {contact};
                {}
                output x = position(ball);
                output spin = angular_velocity(ball);
            }}",
            contact_outputs("tyre")
        )
    };
    let texts = [
        spatial(&format!("terrain_contact(ground, ball) {{ height: hill, {rest} }}")),
        spatial(&format!("plane_contact(tilted, ball) {{ {rest} }}")),
    ];
    assert_same("slope of space", [&texts[0], &texts[1]], &[0.0, 0.2, 0.5], 1e-10);
}

/// In a bowl of radius R a ball is pushed towards its centre as by a cable of the length R − r that is fixed there, in the plane and in space. It
/// bounces: forces are accurate to the stiffness times the error of positions.
#[test]
fn bowls_pull_like_cables_from_their_centres() {
    let planar = |force: &str| {
        format!(
            "planar Bowl {{
                gravity: [0, -9.81];
                param radius = 1;
                function bowl(x) = -sqrt(radius * radius - x * x);
                particle ball {{ mass: 2, position: [0.5, -0.6], velocity: [0.2, 0] }}
                force wall = {force};
                output x = position(ball);
                output energy = kinetic_energy + potential_energy;
                output pushed = load(wall).force;
            }}"
        )
    };
    let texts = [
        planar("terrain_contact(ground, ball) { height: bowl, radius: 0.2, stiffness: 1e4, exponent: 1 }"),
        planar("cable(ground, ball) { free_length: 0.8, stiffness: 1e4 }"),
    ];
    assert_same("bowl", [&texts[0], &texts[1]], &[0.0, 0.3, 1.0], 1e-6);
    let spatial = |force: &str| {
        format!(
            "spatial Bowl {{
                gravity: [0, 0, -9.81];
                param radius = 1;
                function bowl(x, y) = -sqrt(radius * radius - x * x - y * y);
                body ball {{
                    mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.4, 0.3, -0.6], velocity: [0.2, -0.6, 0], angular_velocity: [0, 0, 0]
                }}
                force wall = {force};
                output x = position(ball);
                output energy = kinetic_energy + potential_energy;
                output pushed = load(wall).force;
            }}"
        )
    };
    let texts = [
        spatial("terrain_contact(ground, ball) { height: bowl, radius: 0.2, stiffness: 1e4, exponent: 1 }"),
        spatial("cable(ground, ball) { free_length: 0.8, stiffness: 1e4 }"),
    ];
    assert_same("bowl of space", [&texts[0], &texts[1]], &[0.0, 0.3, 0.6], 1e-6);
}

/// A small disc slides to and fro at the bottom of a bowl: T = 2π √(ℓ/g) (1 + φ²/16), ℓ = R − r + δ, to fourth order in φ and to the compliance of
/// the wall.
#[test]
fn a_disc_swings_in_a_bowl() {
    let (swing, mass): (f64, f64) = (0.05, 0.5);
    let length = 0.95 + mass * 9.81 / 1e5;
    let period = std::f64::consts::TAU * (length / 9.81).sqrt() * (1.0 + swing * swing / 16.0);
    let text = format!(
        "planar Swing {{
            gravity: [0, -9.81];
            function bowl(x) = 1 - sqrt(1 - x * x);
            body disc {{
                mass: {mass}, inertia: 1e-3, position: [{}, {}], velocity: [0, 0], angle: 0, rate: 0
            }}
            force wall = terrain_contact(ground, disc) {{ height: bowl, radius: 0.05, stiffness: 1e5, exponent: 1, damping: 200 }};
            output x = position(disc).x;
            event bottom = when position(disc).x crosses {{ report; }}
        }}",
        length * swing.sin(),
        1.0 - length * swing.cos()
    );
    for (label, recording) in run_everywhere(&text, &[0.0, 2.0 * period]) {
        let passed: Vec<f64> =
            recording.events().of("bottom").expect("it is declared").map(|occasion| occasion.t).collect();
        let found = passed[2] - passed[0];
        println!("{label}: {:.1e}", found / period - 1.0);
        assert!((found / period - 1.0).abs() < 1e-6, "{label}: {found} {period}");
    }
}

/// For a centre over a point of terrain at a distance along the normal of that point, depth and direction of the force are known.
#[test]
fn nearest_points_are_found() {
    let f = |x: f64| 0.3 * (2.0 * x + 0.3).sin() + 0.1 * x * x;
    let derivative = |x: f64| 0.6 * (2.0 * x + 0.3).cos() + 0.2 * x;
    for (s, distance) in [(-0.7, 0.19), (0.1, 0.195), (0.6, 0.17), (1.4, 0.199), (0.3, 0.35)] {
        let (n, z) = ([-derivative(s), 1.0].map(|c| c / derivative(s).hypot(1.0)), f(s));
        let text = format!(
            "planar Hill {{
                function hill(x) = 0.3 * sin(2 * x + 0.3) + 0.1 * x * x;
                body wheel {{ mass: 2, inertia: 0.05, position: [{}, {}] }}
                force tyre = terrain_contact(ground, wheel) {{ height: hill, radius: 0.2, stiffness: 1e3, exponent: 1 }};
                output depth = tyre.depth;
                output residual = tyre.residual;
                output pushed = load(tyre).force;
            }}",
            s + distance * n[0],
            z + distance * n[1]
        );
        assert_found(&text, 0.2 - distance, [n[0], n[1], 0.0]);
    }
    let f = |x: f64, y: f64| 0.15 * (2.0 * x).sin() * (1.5 * y).cos() + 0.2 * x * y;
    let gradient = |x: f64, y: f64| {
        let ((sx, cx), (sy, cy)) = ((2.0 * x).sin_cos(), (1.5 * y).sin_cos());
        [0.3 * cx * cy + 0.2 * y, -0.225 * sx * sy + 0.2 * x]
    };
    for (x, y, distance) in
        [(-0.7, 0.2, 0.19), (0.1, 0.9, 0.195), (0.8, -0.5, 0.17), (-1.0, -0.4, 0.199), (0.3, 0.3, 0.3)]
    {
        let [gx, gy] = gradient(x, y);
        let length = (1.0 + gx * gx + gy * gy).sqrt();
        let n = [-gx, -gy, 1.0].map(|c| c / length);
        let p = [x + distance * n[0], y + distance * n[1], f(x, y) + distance * n[2]];
        let text = format!(
            "spatial Hill {{
                function hill(x, y) = 0.15 * sin(2 * x) * cos(1.5 * y) + 0.2 * x * y;
                body ball {{ mass: 2, inertia: [0.05, 0.05, 0.05], position: {p:?} }}
                force tyre = terrain_contact(ground, ball) {{ height: hill, radius: 0.2, stiffness: 1e3, exponent: 1 }};
                output depth = tyre.depth;
                output residual = tyre.residual;
                output pushed = load(tyre).force;
            }}"
        );
        assert_found(&text, 0.2 - distance, n);
    }
}

/// Asserts depth and normal to 1e-14 m: the rounding of the squares of a few numbers of order one.
fn assert_found(text: &str, depth: f64, normal: [f64; 3]) {
    for (label, recording) in run_everywhere(text, &[0.0, 1e-3]) {
        let first = |name: &str| recording.output(name).map_or(0.0, |column| column[0]);
        let wrong = (first("depth") - depth).abs();
        let force = ["pushed.x", "pushed.y", "pushed.z"].map(first);
        let off = (0..3).fold(0.0_f64, |most, c| most.max((force[c] - 1e3 * depth.max(0.0) * normal[c]).abs()));
        println!("{label}: {wrong:.1e} m, {:.1e} m, {off:.1e} N", first("residual"));
        assert!(wrong < 1e-14 && first("residual") < 1e-12 && off < 1e-10, "{label}: {wrong:e} {off:e}\n{text}");
    }
}

/// For terrain on a body, with friction, momentum is conserved and energy is lost to damping and friction alone.
#[test]
fn terrain_on_bodies_keeps_momentum_and_accounts_for_energy() {
    assert_conserved(&format!(
        "planar Sledge {{
            function back(x) = 0.1 - 0.4 * x * x;
            body a {{ mass: 1, inertia: 0.1, position: [0, 0], velocity: [0, 1], angle: 0.1, rate: 0 }}
            body b {{ mass: 2, inertia: 0.02, position: [0.05, 0.4], velocity: [0.5, -2], angle: 0.4, rate: 5 }}
            force blow = terrain_contact(a, b) {{ height: back, radius: 0.15, {BLOW} }};
            {}
        }}",
        conserved_in_the_plane([0.1, 0.02])
    ));
    assert_conserved(&format!(
        "spatial Sledge {{
            function back(x, y) = 0.1 - 0.4 * x * x + 0.2 * x * y + 0.1 * sin(2 * y);
            body a {{ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], velocity: [0, 0, 1], angular_velocity: [0.3, 0.5, 0] }}
            body b {{ mass: 2, inertia: [0.02, 0.02, 0.02], position: [0.1, 0.05, 0.4], velocity: [0.5, 0, -2], angular_velocity: [5, 0, 20] }}
            force blow = terrain_contact(a, b) {{ height: back, radius: 0.15, {BLOW} }};
            {}
        }}",
        conserved_in_space([0.1, 0.02])
    ));
}

/// A falling ball touches terrain of known height at the time of free fall through that height.
#[test]
fn touching_is_located() {
    let text = "planar Fall {
        gravity: [0, -9.81];
        function hill(x) = 0.2 * cos(3 * x);
        body ball { mass: 1, inertia: 0.01, position: [0, 0.8], velocity: [0, 0], angle: 0, rate: 0 }
        force touch = terrain_contact(ground, ball) { height: hill, radius: 0.1, stiffness: 1e6 };
        output depth = touch.depth;
    }";
    for (label, recording) in run_everywhere(text, &[0.0, 0.6]) {
        let times: Vec<f64> = recording.events().of("touch").expect("it is an event").map(|o| o.t).collect();
        let (expected, back): (f64, f64) = ((2.0 * 0.5_f64 / 9.81).sqrt(), times[1] - times[0]);
        println!("{label}: {:.1e} s, touching for {back:.4} s", times[0] - expected);
        assert!((times[0] - expected).abs() < 2e-9 && times.len() == 2, "{label}: {times:?}");
    }
}

/// Terrain as an expression, as a spline and by a function of the program.
#[test]
fn terrain_is_any_function() {
    let text = |function: &str| {
        format!(
            "planar Road {{
                gravity: [0, -9.81];
                param bump = 0.25;
                {function}
                body wheel {{ mass: 2, inertia: 0.05, position: [0.2, 0.5], velocity: [1, 0], angle: 0, rate: 0 }}
                force tyre = terrain_contact(ground, wheel) {{ height: road, radius: 0.3, stiffness: 1e4, damping: 20, friction: 0.5 }};
                output x = position(wheel);
                output spin = rate(wheel);
            }}"
        )
    };
    // The natural cubic spline through three points has a known, piecewise linear second derivative, m = −6/(2 h²) times the height of the middle
    // one.
    let times = &[0.0, 0.3, 0.8][..by_tier(2, 3)];
    let spline = "function road = spline([-1, 0.5, 2], [0, 0.25, 0]);";
    let expression = &text(
        "function road(x) = if x < 0.5 { rise(x + 1) } else { rise(2 - x) };
        function rise(d) = bump * (d - 0.5 * powi(d / 1.5, 3));",
    );
    let spline = text(spline);
    let text = text("function road: opaque(3);");
    let road = |x: f64, y: &mut [f64]| y.copy_from_slice(&ridge(x));
    let engine = Engine::options().function("road", road).text(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut compiled = mbs_codegen::compile_text("road.mbs", &text, Options::default()).expect("valid").remove(0).0;
    compiled.model.bind("road", road).expect("declared");
    assert_any_function(&spline, expression, (&engine, compiled), times);
}

/// The ridge of [`terrain_is_any_function`] and [`terrain_of_space_is_any_function`] along x: height and its first three derivatives.
fn ridge(x: f64) -> [f64; 4] {
    let (d, along) = if x < 0.5 { (x + 1.0, 1.0) } else { (2.0 - x, -1.0) };
    [0.25 * d - d.powi(3) / 27.0, along * (0.25 - d * d / 9.0), -2.0 * d / 9.0, -2.0 * along / 9.0]
}

/// Asserts that the motion of splines, and that with functions of the program, is that of the expression.
fn assert_any_function(splines: &str, expression: &str, (engine, compiled): (&Engine, Compiled), times: &[f64]) {
    let compiled = Interpreted::new(compiled, Fma::Fused).expect("bound");
    let [by_engine, interpreted] = [run(FINE, engine, times), run(FINE, &compiled, times)];
    for ((label, known), (_, found)) in
        run_everywhere_with(FINE, expression, times).iter().zip(run_everywhere_with(FINE, splines, times))
    {
        assert_equal(&format!("splines, {label}"), &found, known, 1e-8);
        assert_equal(&format!("opaque engine, {label}"), &by_engine, known, 1e-8);
        assert_equal(&format!("opaque, {label}"), &interpreted, known, 1e-8);
    }
}

/// Terrain z(x, y) as an expression, with splines in one coordinate, and by a function of the program.
#[test]
fn terrain_of_space_is_any_function() {
    let text = |function: &str| {
        format!(
            "spatial Road {{
                gravity: [0, 0, -9.81];
                param bump = 0.25;
                {function}
                body ball {{ mass: 2, inertia: [0.05, 0.05, 0.05], position: [0.2, 0.1, 0.55], velocity: [1, 0.4, 0] }}
                force tyre = terrain_contact(ground, ball) {{ height: road, radius: 0.3, stiffness: 1e4, damping: 20, friction: 0.5 }};
                output x = position(ball);
                output spin = angular_velocity(ball);
            }}"
        )
    };
    let times = &[0.0, 0.3, 0.8][..by_tier(2, 3)];
    let expression = &text(
        "function road(x, y) = (if x < 0.5 { rise(x + 1) } else { rise(2 - x) }) + 0.05 * sin(2 * y);
        function rise(d) = bump * (d - 0.5 * powi(d / 1.5, 3));",
    );
    let splines = text(
        "function along = spline([-1, 0.5, 2], [0, 0.25, 0]); function road(x, y) = along(x) + 0.05 * sin(2 * y);",
    );
    let text = text("function road(x, y): opaque(3);");
    // The order of derivatives: by ascending total order, within it derivatives with respect to x first.
    let road = |p: &[f64], z: &mut [f64]| {
        let rise = ridge(p[0]);
        let (s, c) = (2.0 * p[1]).sin_cos();
        let wave = [0.05 * s, 0.1 * c, -0.2 * s, -0.4 * c];
        let orders = (0..=3).flat_map(|k| (0..=k).map(move |b| (k - b, b)));
        z.iter_mut().zip(orders).for_each(|(z, (a, b))| {
            *z = if b == 0 { rise[a] } else { 0.0 } + if a == 0 { wave[b] } else { 0.0 };
        });
    };
    let engine = Engine::options().function_of_many("road", road).text(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut compiled = mbs_codegen::compile_text("road.mbs", &text, Options::default()).expect("valid").remove(0).0;
    compiled.model.bind_many("road", road).expect("declared");
    assert_any_function(&splines, expression, (&engine, compiled), times);
}

/// A spline over a grid of points of a bicubic polynomial is that polynomial; a ball rolls and bounces over it, and leaves the grid.
#[test]
fn terrain_of_space_is_a_spline_over_a_grid() {
    let text = |function: &str| {
        format!(
            "spatial Dunes {{
                gravity: [0, 0, -9.81];
                {function}
                body ball {{ mass: 2, inertia: [0.05, 0.05, 0.05], position: [0.2, 0.1, 0.55], velocity: [1, 0.8, 0] }}
                force tyre = terrain_contact(ground, ball) {{ height: dunes, radius: 0.3, stiffness: 1e4, damping: 20, friction: 0.5 }};
                output place = position(ball);
                output spin = angular_velocity(ball);
            }}"
        )
    };
    let z = |x: f64, y: f64| (0.2 + 0.1 * x - 0.05 * x.powi(3)) * (1.0 + 0.2 * y - 0.3 * y.powi(2) + 0.1 * y.powi(3));
    let (x, y) = ([-0.5, 0.0, 0.25, 0.6, 0.8], [-0.25, 0.125, 0.25, 0.5]);
    let z = x.map(|x| y.map(|y| z(x, y)));
    let expression = "function dunes(x, y) = (0.2 + 0.1 * x - 0.05 * powi(x, 3)) * (1 + 0.2 * y - 0.3 * powi(y, 2) + 0.1 * powi(y, 3));";
    let grid = format!("function dunes = bicubic({x:?}, {y:?}, {z:?}) {{ ends: not_a_knot }};");
    assert_same("grid", [&text(&grid), &text(expression)], &[0.0, 0.3, 0.8][..by_tier(2, 3)], 1e-8);
}

/// A ball touches both flanks of a valley narrower than it: the run reports this and stops.
#[test]
fn narrow_valleys_stop_runs() {
    for (steep, position, end) in [(5.0, [0.2, 0.9], 1.0), (5.0, [0.02, 0.25], 0.0), (1.0, [0.2, 0.9], f64::INFINITY)] {
        let text = format!(
            "planar Valley {{
                gravity: [0, -9.81];
                function valley(x) = {steep} * x * x;
                body ball {{ mass: 1, inertia: 0.01, position: {position:?}, velocity: [0, 0], angle: 0, rate: 0 }}
                force touch = terrain_contact(ground, ball) {{ height: valley, radius: 0.3, stiffness: 1e5, exponent: 1, damping: 200 }};
                output residual = touch.residual;
            }}"
        );
        for (label, recording) in run_everywhere(&text, &[0.0, 1.0]) {
            let lost = recording.events().of("touch.lost").expect("it is an event").count();
            let last = *recording.times().last().expect("one");
            println!("{label}: {lost} at {last}");
            assert_eq!((lost, last < 1.0), (usize::from(end < 2.0), end < 2.0), "{label}");
            // A run that begins in such a position ends at once.
            assert_eq!(last == 0.0, end == 0.0, "{label}: {last}");
        }
    }
}
