//! One mechanism with all features, built and written as text.

use mbs_builder::{
    Beyond, Body, Ends, Event, JointKind, Marker, Planar, Scalar, State, Vector, acceleration, angle,
    angular_acceleration, angular_momentum, angular_velocity, distance, momentum, position, velocity,
};
use mbs_model::{Formulation, Kernels};

/// Every kind of joint and force, every category, every option, in the order of [`WRITTEN`].
pub fn built() -> Planar {
    let m = Planar::new("Everything");
    m.describe("All of it.");
    m.visibility("pub(crate)");
    let down = m.tunable_gravity((0.0, -9.81));
    m.coordinates(Formulation::Joint);
    m.kernels(Kernels { energies: false, ..Kernels::default() });
    m.budget(100_000);
    m.resolve_redundant();

    let ground = m.ground();
    let length = m.docs("Length [m]").param("length", 0.4);
    m.rotating_frame(length * 2.0, (0.5, 0.0)).argument("alpha", 0.25);
    let shape = m.param_vector("shape", [1.0, 0.5, 0.25]);
    let table = m.param_matrix("table", [[1.0, 0.25], [0.5, 2.0]]);
    let width = m.constant("width", 0.125);
    let offset = m.constant_vector("offset", (width, 0.5));
    let turn = m.constant_matrix("turn", [[0.0, -1.0], [1.0, 0.0]]);
    let command = m.input("command");
    let grid = m.input_matrix("grid", 2, 2);
    let gas = m.docs("Pressure").opaque("gas", 2);
    let field = m.opaque("field", 1).arguments(2).size(2);
    let drag = m.opaque("drag", 2).arguments(2);
    let flat = m.constant_function("flat", 2.5);
    let mix = m.linear("mix", [length, table.element(0, 1)], -1.0);
    let bend = m.polynomial("bend", [1.0, 0.0, 0.5]);
    let wave = m.sinusoid("wave", length, 3.0, 0.25);
    let soft = m.step("soft", [0.0, 1.0], [0.0, 5.0]);
    m.harmonic("rise", [0.0, 2.0], [0.0, 0.01]);
    m.cycloidal("fall", [length, width], [0.01, 0.0]);
    m.polynomial_345("quick", [0.0, 2.0], [0.25, 0.5]);
    m.polynomial_4567("slow", [-1.0, 2.0], [0.25, -0.5]);
    let cam = m.spline("cam", [0.0, 0.5, 1.0, 2.0], [0.0, 0.25, 1.0, 0.0]).ends(Ends::Periodic);
    let clamp = m.spline("clamp", [0.0, 1.0], [0.0, 1.0]).ends(Ends::Clamped([0.5, -0.5])).beyond(Beyond::Linear);
    let fitted = m.spline("fitted", [0.0, 1.0, 2.0], [0.0, 1.0, 1.5]).smoothing(0.125);
    let path = m
        .vector_spline("path", [0.0, 1.0, 2.0, 3.0], [[0.0, 1.0, 2.0, 0.5], [1.0, 0.0, 0.5, 0.25]])
        .ends(Ends::NotAKnot);
    let relief = m
        .bicubic("relief", [0.0, 1.0], [0.0, 1.0, 3.0], [[0.0, 0.5, 1.0], [1.0, 0.5, 0.25]])
        .ends([Ends::Clamped([0.5, -0.5]), Ends::Natural])
        .beyond([Beyond::Linear, Beyond::Cubic]);
    let road =
        m.docs("Road").settable_spline("road", 3).default_points([0.0, 1.0, 2.0], [0.0, 0.5, 0.0]).ends(Ends::Natural);
    let bump = m.settable_spline("bump", 4);

    let arm = m.body("arm").mass(2.0).inertia(shape.component(1)).com((length / 2.0, 0.0)).angle(0.3);
    let tool = m.body("tool").mass(1.0).inertia(0.1).velocity((0.0, 0.5)).rate(0.25);
    let cart = m.body("cart").mass(3.0).inertia(0.2).position((1.0, 0.0));
    let puck = m.body("puck").mass(1.0).inertia(0.1).coordinates(Formulation::Body);
    let wheel = m.body("wheel").inertia(0.5);
    let disc = m.body("disc").mass(1.0).inertia(0.1);
    let rim = m.marker("rim", disc.at((width, 0.0)));
    disc.basic_points([rim.into(), disc.at_com()]).basic_vectors([(0.0, length)]);
    let plate = m.body("plate").mass(1.0).inertia(0.1).basic_vectors([(1.0, 0.5), (0.0, 1.0)]);
    plate.basic_points([(0.25, width)]);
    let bob = m.particle("bob").mass(0.5).position((0.6, -0.8)).velocity((0.25, 0.0));
    let bead = m.particle("bead").mass(0.25).basic_point((0.0, 0.0));
    let pin = m.particle("pin").mass(0.125).coordinates(Formulation::Body);
    let links = [0, 1].map(|i| m.body(("link", i)).mass(1.0).inertia(0.1).com((0.5, 0.0)));
    let tip = m.marker("tip", arm.at((length, 0.0)));
    let tool_tip = m.marker("tool_tip", tip.at((0.125, 0.0))).angle(0.25);
    let aim = m.marker("aim", cart).x_along((1.0, 1.0));
    let pad = m.marker("pad", cart.at((0.0, -0.5))).normal_along((0.0, -1.0)).friction(0.4).restitution(width);
    let up = m.marker("up", puck).y_along((-1.0, 1.0));

    let push = m.input_vector("push", 2).in_frame(cart);
    let charge = m.state("charge", 0.0);
    let lag = m.state_vector("lag", (0.0, 0.0));
    let s = m.coordinate("s", 0.25);
    let pair = m.coordinate_vector("pair", (0.5, 0.75));

    let shoulder = m.revolute("shoulder", ground.at((0.0, 1.0)), arm);
    m.fixed("flange", tip, tool).angle(0.5);
    let rail = m.prismatic("rail", ground, cart, (1.0, 0.0));
    let air = m.free("air", ground, puck);
    let shaft = m.revolute("shaft", cart, wheel);
    m.point_on_line("slot", arm.at((0.0, 0.125)), pin, (3.0, 4.0));
    m.distance("rope", tool.at_com(), bob, length * 2.0).argument("cut", false);
    let mesh = m.gear("mesh", shaft, shoulder, -0.4).offset(0.125);
    let base = m.revolute("base", ground.at((2.0, 0.0)), links[0]);
    m.gear("teeth", shoulder, base, -1.5).carrier(ground);
    m.revolute("rolling", ground, rim);
    m.revolute("tilting", ground, plate);
    m.revolute("sitting", bead, plate);
    m.revolute("knee", links[0].at((1.0, 0.0)), links[1]).cut();
    m.joint("ankle", "prismatic", [links[1].at((1.0, 0.0)), ground]).argument("axis", (0.0, 1.0));
    let (rolling, slotted) = (knee_kind(&m, length), slot_kind(&m, width));
    let toes = [0, 1].map(|i| m.body(("toe", i)).mass(1.0).inertia(0.1));
    let rolls = m.joint_of("rolls", rolling, links[1].at((1.0, 0.0)), toes[0]);
    rolls.argument("width", length).argument("foot", (0.0, 0.25)).argument("foot_to", (1.0, 2.0));
    let slides = m.joint_of("slides", rolling, toes[0], toes[1]).argument("width", 0.5);
    slides.argument("foot_to", (1.0, 2.0)).cut();
    m.joint_of("slot_of", slotted, toes[1], ground);

    let lobe = m.curve("lobe", disc, |s| (length * s.cos(), s.sin() * 0.25)).closed(std::f64::consts::TAU);
    let face = m.line("face", cart, (1.0, 0.5));
    let wheel_rim = m.circle("wheel_rim", rim, width);
    let oval = m.ellipse("oval", wheel, length, 0.25);
    let flank = m.involute("flank", tip, 0.1);
    let road_line = m.polynomial_curve("road_line", ground.at((0.0, -2.0)), [0.0, 0.1, -0.5]).range([-1.0, 2.0]);
    let scrape = m.curve_contact("scrape", road_line, oval, 1e4).damping(width);
    m.output("scraped", scrape.normal_force() + scrape.residual());
    let touch = m.cam("touch", lobe, face).starts(0.5, -0.25);
    m.cam("roll", oval, road_line).argument("first", 4.5);
    m.cam("bite", flank, wheel_rim);
    m.output("contact_place", touch.first() + touch.second());
    m.output("contact_angle", touch.pressure_angle() + touch.radius() * touch.relative_curvature());
    m.output("contact_force", touch.force());
    m.output_vector("at_lobe", lobe.point(touch.first()));
    m.output_vector("along_lobe", lobe.tangent(0.5) - face.normal(touch.second()));
    m.output("oval_bend", oval.curvature(length));

    let spring = m.spring_damper("spring", ground, bob, 500.0).damping(5.0).free_length(0.1);
    let tether = m.cable("tether", ground, bob, 300.0, 0.8).damping(2.0);
    let landing = m.plane_contact("landing", ground, cart, 0.2, 1e5).exponent(1.0).dissipation(0.1).damping(30.0);
    let landing = landing.friction(0.5, 0.02).stiction(0.1, 0.25);
    let hill = m.inlined("hill", |x| length * (1.5 * x).sin());
    let rough =
        m.terrain_contact("rough", cart, bob, hill, 0.2, 1e5).friction(0.5, 0.02).magic_formula(10.0, 1.9, width);
    m.terrain_contact("potholes", ground, puck, cam, width, 2e5).damping(10.0);
    m.output("missed", rough.residual() + rough.slip_ratio());
    m.ball_contact("knock", puck, bob, [0.1, 0.2], 2e4);
    m.output("landed", landing.depth() * landing.normal_force() - landing.slip());
    m.output_vector("borne", landing.load().force());
    let torsion = m.torsion_spring("torsion", ground, arm, 2.0).damping(0.5).free_angle(0.1);
    let friction = m.torsion_damper("friction", cart, wheel, 0.02);
    let motor = m.torque("motor", wheel, 0.3 * command - 1e-4 * shaft.rate() + charge).against(cart);
    let shove = m.point_force("shove", cart, push);
    let pull = m.point_force("pull", pin, (0.0, 1.0)).against(tool);
    let thrust = m.wrench("thrust", puck.at_com(), (command, 0.0), grid.element(0, 1));
    let along = m.mobility("along", rail, -50.0 * rail.position() - 1.5 * rail.speed());
    m.mobility("lift", air.position().y(), m.t().sin());
    m.mobility("curve", s, -gas.of(s));
    m.potential("well", -1.0 / distance(ground, bob));
    m.force("brake", "torsion_damper", [ground, links[0].into()]).argument("damping", 0.5);

    let drive = m.drive("spin", shoulder.angle().equals(2.0 * m.t() + 0.1 * (5.0 * m.t()).sin()));
    let wind = m.prescribe("wind", shaft.angle().equals(0.5 * m.t()));
    let wire = m.constraint("wire", position(bob).equals((s, s * s)));
    let motion = m.constraint("motion", velocity(puck).equals((1.0, 0.0)).in_frame(puck));
    let ties = m.coupling("ties", pair.equals([rail.position(), shaft.angle()]));

    charge.rate((command - charge) / 0.02);
    lag.rate(5.0 * (push - lag));
    let elongation = m.define("elongation", rail.position() - length);
    let bent = m.define_vector("bent", turn * offset + (table * offset) / 2.0);

    m.initial(shoulder.angle(), 0.5);
    m.initial_vector(position(cart), (1.0, length));
    m.guess(shoulder.rate(), 10.0);
    m.guess_vector(air.velocity(), (1.0, 2.0));

    let x = elongation;
    let busy = x.gt(1.0) & shoulder.rate().lt(10.0) | !x.le(2.0);
    m.output("limited", busy.select(1.0, x));
    m.output_vector("chosen", x.ge(0.0).select_vector(bent, (0.0, 0.0)));
    m.output("equal", (x.eq(0.0) | x.ne(1.0) & m.truth(true)).select(1.0, 0.0));
    m.output("trigonometry", x.sin() + x.cos() + x.tan() + x.asin() + x.acos() + x.atan() + x.atan2(2.0));
    m.output("hyperbolic", x.sinh() + x.cosh() + x.tanh() + x.exp() + x.ln() + x.sqrt());
    m.output("steps", x.abs() + x.signum() + x.floor() + x.min(1.0) + x.max(length));
    m.output("made", flat.of(x) + mix.at([x, length]) + bend.of(x) + wave.of(x) + soft.of(x));
    m.output("splines", cam.of(x) + clamp.of(x) + fitted.of(x) + path.vector(x).norm() + road.of(x) + bump.of(x));
    m.output("relief_here", relief.of(x, length));
    m.output_vector("given", field.vector([x, length]) * drag.at([x, m.t()]));
    m.output("powers", x.powi(3) * x.powf(0.5) / x.hypot(2.0) - 2.0 / x);
    m.output("terms", m.sum((0..3).map(|i| shape.component(i) * (i as f64 * shoulder.angle()).cos())));
    m.output("product", bent.dot(offset) + bent.cross(offset) + bent.norm() + shape.slice(1..3).norm());
    m.output("square", (shape.diagonal().transpose() * shape).norm());
    m.output_vector("diagonal", (table * table + turn - 2.0 * table * 0.5 / 4.0).diagonal());
    m.output_vector("row", -table.row(1) - (-turn).row(0));
    m.output_vector("velocity", velocity(tip).in_frame(tool_tip));
    m.output_vector("accelerations", acceleration(cart) + aim.x() - pad.normal() - up.y() * 2.0 + length * arm.x());
    m.output("angles", angle(tip) + angular_velocity(arm) + angular_acceleration(tool) + shoulder.acceleration());
    m.output_vector("center", position(m.bodies().at_com()) + position(m.family("link").at((0.5, 0.0))));
    m.output_vector("impulse", momentum(m.family("link")) + momentum(bob));
    m.output("spins", angular_momentum(m.bodies(), ground) + angular_momentum(arm, tip));
    m.output("power", m.kinetic_energy().rate() + (m.potential_energy() + 1.0).rate());
    m.output_vector("rates", position(bob).rate() + air.acceleration());
    m.output("free", air.angle() + air.rate() + air.angular_acceleration() + rail.acceleration());
    m.output_vector("q", air.q());
    m.output_vector("u", air.u());
    m.output_vector("spring", spring.load().force() + tether.load().force());
    m.output("loads", spring.load().torque() + torsion.load() + friction.load() + motor.load() + along.load());
    m.output_vector("forces", shove.load().force() + pull.load().force() + thrust.load().force());
    m.output("rows", drive.load() + wind.load() + mesh.load() + thrust.load().torque());
    m.output_vector("multipliers", wire.load() + ties.load());
    m.output_vector("held", motion.load());
    m.output_vector("bearing", shoulder.reaction().force());
    m.output("driven", drive.reaction(arm).torque() + mesh.reaction().torque());
    m.output("bend", rolls.coordinate("bend") + rolls.coordinate_vector("both").rate().x());
    let events = Events { count: m.discrete("count", 0.0), goal: m.discrete_vector("goal", (0.5, 0.5)) };
    let touchdown = events.declare(&m, x, (cart, pad), charge);
    m.event(("kick", 0), m.at([m.number(0.25), length]))
        .set_vector(air.velocity(), (0.0, 1.0))
        .set(shoulder.rate(), 0.0);
    let kick = m.event(("kick", 1), m.at(2.0)).set_vector(lag, (0.0, 1.0)).set(position(cart).x(), 2.0);
    m.report_every(0.125);
    m.report_on([touchdown, kick]);
    m.stop_when(x.gt(5.0));
    m.output(("strange", 3), m.call("atan2", [down.x(), m.number(2.0)]).scalar());
    m
}

/// A kind given by its pose.
fn knee_kind<'m>(m: &'m Planar, length: Scalar<'m>) -> JointKind<'m> {
    let kind = m.docs("Rolls as it bends").joint_kind("Knee", ["femur", "tibia"]);
    let (width, scale) = (kind.parameter("width"), kind.parameter_or("scale", 1.0));
    let (foot, shift) = (kind.parameter_vector("foot_to"), kind.parameter_vector_or("foot", (0.0, 0.5)));
    let bend = kind.angle("bend", -0.125);
    let slip = kind.coordinate("slip", scale);
    let both = kind.coordinate_vector("both", [m.number(0.25), width]);
    let place = shift.x() + foot.y() * scale + both.x() * length * bend.sin();
    kind.rotation(bend + slip).translation((place, both.component(1) - slip * place))
}

/// A kind given by equations.
fn slot_kind<'m>(m: &'m Planar, width: Scalar<'m>) -> JointKind<'m> {
    let kind = m.joint_kind("Slot", ["a", "b"]);
    let [a, b] = kind.ends();
    kind.coincident(a, b.at((width, 0.0))).perpendicular(a.x(), b.y()).parallel(a.x(), b.x());
    kind.equation(distance(a, b.at((1.0, 0.0))).equals(width)).constraint("tilt", a.x().dot(b.y()).equals(0.0))
}

/// Discrete variables that events change.
struct Events<'m> {
    count: Scalar<'m>,
    goal: Vector<'m>,
}

impl<'m> Events<'m> {
    fn declare(
        self,
        m: &'m Planar,
        x: Scalar<'m>,
        (cart, pad): (Body<'m>, Marker<'m>),
        charge: State<'m, Scalar<'m>>,
    ) -> Event<'m> {
        let Events { count, goal } = self;
        let gear = m.choice("gear", &["low", "high"], "low");
        let (engaged, spare) = (m.switch("engaged", true), m.switch("spare", false));
        let touchdown = m.docs("Hits").event("touchdown", position(cart).y().falls());
        touchdown.enabled(engaged & gear.is_not("high")).impulse(m.ground(), cart, (0.0, 1.0)).restitution(0.5);
        touchdown.set(count, count + 1.0).report();
        touchdown.impact(pad, m.ground());
        m.event("rise", x.rises()).turn(engaged, x.gt(2.0)).stop();
        m.event("cross", (x - 1.0).crosses());
        m.event("far", x.gt(1.0).holds());
        let worn = count.gt(10.0) & !x.le(2.0) | gear.is("high");
        m.event("worn", worn).turn_off(engaged).turn_on(spare).choose(gear, "high").set_vector(goal, (count, 2.0));
        m.event("tick", m.every(0.25)).set(charge, 0.0).assign(engaged, true);
        touchdown
    }
}

/// The mechanism as text.
pub const WRITTEN: &str = "
/// All of it.
pub(crate) planar Everything {
    gravity: param [0, -9.81];
    frame: rotating { omega: length * 2, center: [0.5, 0], alpha: 0.25 };
    coordinates: joint;
    kernels: [forward, kinematics, outputs, reactions];
    budget: { operations: 100000 };
    redundant: resolve;

    /// Length [m]
    param length = 0.4;
    param shape = [1, 0.5, 0.25];
    param table: [2, 2] = [[1, 0.25], [0.5, 2]];
    const width = 0.125;
    const offset = [width, 0.5];
    const turn = [[0, -1], [1, 0]];
    input command;
    input grid: [2, 2];
    /// Pressure
    function gas: opaque(2);
    function field(x, y): [2] opaque(1);
    function drag(x, y): opaque(2);
    function flat = constant(2.5);
    function mix = linear([length, table[0][1]], -1);
    function bend = polynomial([1, 0, 0.5]);
    function wave = sinusoid(length, 3, 0.25);
    function soft = step([0, 1], [0, 5]);
    function rise = harmonic([0, 2], [0, 0.01]);
    function fall = cycloidal([length, width], [0.01, 0]);
    function quick = polynomial_345([0, 2], [0.25, 0.5]);
    function slow = polynomial_4567([-1, 2], [0.25, -0.5]);
    function cam = spline([0, 0.5, 1, 2], [0, 0.25, 1, 0]) { ends: periodic };
    function clamp = spline([0, 1], [0, 1]) { ends: clamped(0.5, -0.5), beyond: linear };
    function fitted = spline([0, 1, 2], [0, 1, 1.5]) { smoothing: 0.125 };
    function path = spline([0, 1, 2, 3], [[0, 1, 2, 0.5], [1, 0, 0.5, 0.25]]) { ends: not_a_knot };
    function relief = bicubic([0, 1], [0, 1, 3], [[0, 0.5, 1], [1, 0.5, 0.25]]) { ends: [clamped(0.5, -0.5), natural], beyond: [linear, cubic] };
    /// Road
    function road: CubicSpline<3> = spline([0, 1, 2], [0, 0.5, 0]) { ends: natural };
    function bump: CubicSpline<4>;

    body arm { mass: 2, inertia: shape[1], com: [length / 2, 0], angle: 0.3 }
    body tool { mass: 1, inertia: 0.1, velocity: [0, 0.5], rate: 0.25 }
    body cart { mass: 3, inertia: 0.2, position: [1, 0] }
    body puck { mass: 1, inertia: 0.1, coordinates: body }
    body wheel { inertia: 0.5 }
    body disc { mass: 1, inertia: 0.1, coordinates: natural { points: [rim, disc at com], vectors: [[0, length]] } }
    marker rim = disc at [width, 0];
    body plate {
        mass: 1,
        inertia: 0.1,
        coordinates: natural { vectors: [[1, 0.5], [0, 1]], points: [[0.25, width]] },
    }
    particle bob { mass: 0.5, position: [0.6, -0.8], velocity: [0.25, 0] }
    particle bead { mass: 0.25, coordinates: natural { points: [[0, 0]] } }
    particle pin { mass: 0.125, coordinates: body }
    for i in 0..2 { body link[i] { mass: 1, inertia: 0.1, com: [0.5, 0] } }
    marker tip = arm at [length, 0];
    marker tool_tip = tip at [0.125, 0] { angle: 0.25 };
    marker aim = cart { x: [1, 1] };
    marker pad = cart at [0, -0.5] { normal: [0, -1], friction: 0.4, restitution: width };
    marker up = puck { y: [-1, 1] };

    input push: [2] in cart;
    state charge = 0 { rate: (command - charge) / 0.02 };
    state lag = [0, 0] { rate: 5 * (push - lag) };
    coordinate s = 0.25;
    coordinate pair = [0.5, 0.75];

    joint shoulder = revolute(ground at [0, 1], arm);
    joint flange = fixed(tip, tool) { angle: 0.5 };
    joint rail = prismatic(ground, cart) { axis: [1, 0] };
    joint air = free(ground, puck);
    joint shaft = revolute(cart, wheel);
    joint slot = point_on_line(arm at [0, 0.125], pin) { axis: [3, 4] };
    joint rope = distance(tool at com, bob) { length: length * 2, cut: false };
    joint mesh = gear(shaft, shoulder) { ratio: -0.4, offset: 0.125 };
    joint base = revolute(ground at [2, 0], link[0]);
    joint teeth = gear(shoulder, base) { ratio: -1.5, carrier: ground };
    joint rolling = revolute(ground, rim);
    joint tilting = revolute(ground, plate);
    joint sitting = revolute(bead, plate);
    joint knee = revolute(link[0] at [1, 0], link[1]) { cut: true };
    joint ankle = prismatic(link[1] at [1, 0], ground) { axis: [0, 1] };
    /// Rolls as it bends
    joint kind Knee(femur, tibia, width, scale = 1, foot_to, foot = [0, 0.5]) {
        coordinate bend: angle = -0.125;
        coordinate slip = scale;
        coordinate both: [2] = [0.25, width];
        pose {
            rotation: bend + slip,
            translation: [
                foot.x + foot_to.y * scale + both.x * length * sin(bend),
                both[1] - slip * (foot.x + foot_to.y * scale + both.x * length * sin(bend)),
            ],
        }
    }
    joint kind Slot(a, b) {
        coincident(a, b at [width, 0]);
        perpendicular(a.x, b.y);
        parallel(a.x, b.x);
        distance(a, b at [1, 0]) == width;
        constraint tilt = dot(a.x, b.y) == 0;
    }
    for i in 0..2 { body toe[i] { mass: 1, inertia: 0.1 } }
    joint rolls = Knee(link[1] at [1, 0], toe[0]) { width: length, foot: [0, 0.25], foot_to: [1, 2] };
    joint slides = Knee(toe[0], toe[1]) { width: 0.5, foot_to: [1, 2], cut: true };
    joint slot_of = Slot(toe[1], ground);

    curve lobe(r) on disc = [length * cos(r), sin(r) * 0.25] { closed: TAU };
    curve face on cart = line([1, 0.5]);
    curve wheel_rim on rim = circle(width);
    curve oval on wheel = ellipse(length, 0.25);
    curve flank on tip = involute(0.1);
    curve road_line on ground at [0, -2] = polynomial([0, 0.1, -0.5]) { range: [-1, 2] };
    force scrape = curve_contact(road_line, oval) { stiffness: 1e4, damping: width };
    output scraped = scrape.normal_force + scrape.residual;
    joint touch = cam(lobe, face) { first: 0.5, second: -0.25 };
    joint roll = cam(oval, road_line) { first: 4.5 };
    joint bite = cam(flank, wheel_rim);
    output contact_place = touch.first + touch.second;
    output contact_angle = touch.pressure_angle + touch.radius * touch.relative_curvature;
    output contact_force = touch.force;
    output at_lobe = lobe.point(touch.first);
    output along_lobe = lobe.tangent(0.5) - face.normal(touch.second);
    output oval_bend = oval.curvature(length);

    force spring = spring_damper(ground, bob) { stiffness: 500, damping: 5, free_length: 0.1 };
    force tether = cable(ground, bob) { stiffness: 300, free_length: 0.8, damping: 2 };
    force landing = plane_contact(ground, cart) {
        radius: 0.2, stiffness: 1e5, exponent: 1, dissipation: 0.1, damping: 30, friction: 0.5, creep: 0.02, stiction: 0.1, stribeck: 0.25
    };
    function hill(x) = length * sin(1.5 * x);
    force rough = terrain_contact(cart, bob) { height: hill, radius: 0.2, stiffness: 1e5, friction: 0.5, creep: 0.02, slip_stiffness: 10, slip_shape: 1.9, slip_curvature: width };
    force potholes = terrain_contact(ground, puck) { height: cam, radius: width, stiffness: 2e5, damping: 10 };
    output missed = rough.residual + rough.slip_ratio;
    force knock = ball_contact(puck, bob) { first: 0.1, second: 0.2, stiffness: 2e4 };
    output landed = landing.depth * landing.normal_force - landing.slip;
    output borne = load(landing).force;
    force torsion = torsion_spring(ground, arm) { stiffness: 2, damping: 0.5, free_angle: 0.1 };
    force friction = torsion_damper(cart, wheel) { damping: 0.02 };
    force motor = torque(cart, wheel) { torque: 0.3 * command - 1e-4 * shaft.rate + charge };
    force shove = point_force(cart) { force: push };
    force pull = point_force(tool, pin) { force: [0, 1] };
    force thrust = wrench(puck at com) { force: [command, 0], moment: grid[0][1] };
    force along = mobility(rail) { value: -50 * rail.position - 1.5 * rail.speed };
    force lift = mobility(air.position.y) { value: sin(t) };
    force curve = mobility(s) { value: -gas(s) };
    potential well = -1 / distance(ground, bob);
    force brake = torsion_damper(ground, link[0]) { damping: 0.5 };

    drive spin = shoulder.angle == 2 * t + 0.1 * sin(5 * t);
    prescribe wind = shaft.angle == 0.5 * t;
    constraint wire = position(bob) == [s, s * s];
    constraint motion = velocity(puck) == [1, 0] in puck;
    coupling ties = pair == [rail.position, shaft.angle];

    let elongation = rail.position - length;
    let bent = turn * offset + table * offset / 2;

    initial shoulder.angle = 0.5, position(cart) = [1, length], shoulder.rate ~ 10, air.velocity ~ [1, 2];

    let x = elongation;
    output limited = if x > 1 && shoulder.rate < 10 || !(x <= 2) { 1 } else { x };
    output chosen = if x >= 0 { bent } else { [0, 0] };
    output equal = if x == 0 || x != 1 && true { 1 } else { 0 };
    output trigonometry = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(x, 2);
    output hyperbolic = sinh(x) + cosh(x) + tanh(x) + exp(x) + ln(x) + sqrt(x);
    output steps = abs(x) + signum(x) + floor(x) + min(x, 1) + max(x, length);
    output made = flat(x) + mix(x, length) + bend(x) + wave(x) + soft(x);
    output splines = cam(x) + clamp(x) + fitted(x) + norm(path(x)) + road(x) + bump(x);
    output relief_here = relief(x, length);
    output given = field(x, length) * drag(x, t);
    output powers = x.powi(3) * x.powf(0.5) / hypot(x, 2) - 2 / x;
    output terms = sum(shape[i] * cos(i * shoulder.angle) for i in 0..3);
    output product = dot(bent, offset) + cross(bent, offset) + norm(bent) + norm(shape[1..3]);
    output square = norm(transpose(diag(shape)) * shape);
    output diagonal = diag(table * table + turn - 2 * table * 0.5 / 4);
    output row = -table[1] - (-turn)[0];
    output velocity = velocity(tip) in tool_tip;
    output accelerations = acceleration(cart) + aim.x - pad.normal - up.y * 2 + length * arm.x;
    output angles = angle(tip) + rate(arm) + angular_acceleration(tool) + shoulder.acceleration;
    output center = position(bodies at com) + position(link at [0.5, 0]);
    output impulse = momentum(link) + momentum(bob);
    output spins = angular_momentum(bodies, ground) + angular_momentum(arm, tip);
    output power = rate(kinetic_energy) + rate(potential_energy + 1);
    output rates = rate(position(bob)) + air.acceleration;
    output free = air.angle + air.rate + air.angular_acceleration + rail.acceleration;
    output q = air.q;
    output u = air.u;
    output spring = load(spring).force + load(tether).force;
    output loads = load(spring).torque + load(torsion) + load(friction) + load(motor) + load(along);
    output forces = load(shove).force + load(pull).force + load(thrust).force;
    output rows = load(spin) + load(wind) + load(mesh) + load(thrust).torque;
    output multipliers = load(wire) + load(ties);
    output held = load(motion);
    output bearing = reaction(shoulder).force;
    output driven = reaction(spin, arm).torque + reaction(mesh).torque;
    output bend = rolls.bend + rate(rolls.both).x;
    discrete count = 0;
    discrete goal = [0.5, 0.5];
    discrete gear: enum { low, high } = low;
    switch engaged = on;
    switch spare = off;
    /// Hits
    event touchdown = when position(cart).y falls {
        enabled: engaged && gear != high;
        impulse(ground, cart) { direction: [0, 1], restitution: 0.5 };
        count = count + 1;
        report;
        impulse(pad, ground);
    }
    event rise = when x rises { engaged = x > 2; stop; }
    event cross = when x - 1 crosses;
    event far = when x > 1 holds;
    event worn = when count > 10 && !(x <= 2) || gear == high {
        engaged = off; spare = on; gear = high; goal = [count, 2];
    }
    event tick = every 0.25 { charge = 0; engaged = true; }
    event kick[0] = at [0.25, length] { air.velocity = [0, 1]; shoulder.rate = 0; }
    event kick[1] = at 2 { lag = [0, 1]; position(cart).x = 2; }
    report every 0.125;
    report on touchdown, kick[1];
    stop when x > 5;
    output strange[3] = atan2(gravity.x, 2);
}
";
