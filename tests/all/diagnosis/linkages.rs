//! Linkages, and their poses by names of coordinates.

use mbs::{Describe, Engine, Item, State};
use mbs_model::Formulation;

/// Calls `check` with the engine of a text in both formulations.
pub fn for_each_formulation(text: &str, check: impl Fn(&Engine)) {
    for formulation in [Formulation::Body, Formulation::Joint] {
        println!("{formulation:?}");
        check(&Engine::options().formulation(formulation).text(text).unwrap_or_else(|e| panic!("{e}")));
    }
}

/// As [`in_both`], for items of a planar mechanism `M`.
pub fn planar(items: &str, check: impl Fn(&Engine)) {
    for_each_formulation(&format!("planar M {{ {items} }}"), check);
}

/// A state at rest with coordinates set by name; names of the other formulation are left out.
pub fn posed(engine: &Engine, coordinates: &[(&str, f64)]) -> State<Engine> {
    let mut state = State::new(engine);
    state.v.fill(0.0);
    for (i, q) in state.q.iter_mut().enumerate() {
        let known = coordinates.iter().find(|(name, _)| *name == engine.name(Item::Coordinate(i)));
        *q = known.unwrap_or_else(|| panic!("{} is not given", engine.name(Item::Coordinate(i)))).1;
    }
    state
}

/// Lengths of a four-bar with its pivots on the x axis.
#[derive(Clone, Copy)]
pub struct FourBar {
    pub ground: f64,
    pub crank: f64,
    pub coupler: f64,
    pub rocker: f64,
}

impl FourBar {
    pub const PARALLELOGRAM: FourBar = FourBar { ground: 1.5, crank: 1.0, coupler: 1.5, rocker: 1.0 };

    pub fn text(&self, items: &str) -> String {
        let FourBar { ground, crank, coupler, rocker } = self;
        let [b, c] = self.angles(1.0);
        format!(
            "planar FourBar {{
    body a {{ mass: 1, inertia: 1, angle: 1 }} body b {{ mass: 1, inertia: 1, angle: {b:?} }}
    body c {{ mass: 1, inertia: 1, angle: {c:?} }}
    joint p = revolute(ground, a);
    joint q = revolute(a at [{crank:?}, 0], b);
    joint r = revolute(b at [{coupler:?}, 0], c at [{rocker:?}, 0]);
    joint s = revolute(ground at [{ground:?}, 0], c);
    {items}
}}"
        )
    }

    /// Angles of coupler and rocker in the pose with the rocker's pin left of the diagonal seen from the crank's pin, by the law of
    /// cosines in the triangle of coupler, rocker and diagonal.
    pub fn angles(&self, crank: f64) -> [f64; 2] {
        let (x, y) = (self.ground - self.crank * crank.cos(), -self.crank * crank.sin());
        let d = x.hypot(y);
        let cos = (self.coupler.powi(2) + d * d - self.rocker.powi(2)) / (2.0 * self.coupler * d);
        let coupler = y.atan2(x) + cos.min(1.0).acos();
        let end = [self.coupler * coupler.cos() - x, self.coupler * coupler.sin() - y];
        [coupler, end[1].atan2(end[0])]
    }

    /// The state with the given angles of crank, coupler and rocker.
    pub fn posed(&self, engine: &Engine, [a, b, c]: [f64; 3]) -> State<Engine> {
        let body = [
            [("a.x", 0.0), ("a.y", 0.0), ("a.angle", a)],
            [("b.x", self.crank * a.cos()), ("b.y", self.crank * a.sin()), ("b.angle", b)],
            [("c.x", self.ground), ("c.y", 0.0), ("c.angle", c)],
        ];
        let joint = [[("p.angle", a), ("q.angle", b - a), ("s.angle", c)]];
        posed(engine, &[body.concat(), joint.concat()].concat())
    }
}

/// A slider-crank, r = 1 and ℓ = 3, driven at its slider, whose position is the parameter `x`.
pub const SLIDER_CRANK: &str = "planar SliderCrank {
    param x = 3.4;
    body c { mass: 1, inertia: 1, angle: 1 } body r { mass: 1, inertia: 1 } body s { mass: 1, inertia: 1, position: [3.4, 0] }
    joint a = revolute(ground, c);
    joint p = revolute(c at [1, 0], r);
    joint w = revolute(r at [3, 0], s);
    joint g = prismatic(ground, s) { axis: [1, 0] };
    drive d = g.position == x;
}";

/// The slider-crank in a pose with its crank at an angle.
pub fn slider_crank(engine: &Engine, angle: f64) -> (Engine, State<Engine>) {
    let (sin, cos) = angle.sin_cos();
    let (x, rod) = (cos + (9.0 - sin * sin).sqrt(), -(sin / 3.0).asin());
    let mut engine = engine.clone();
    engine.set_parameters(&[x]).unwrap();
    let crank = [("c.x", 0.0), ("c.y", 0.0), ("c.angle", angle), ("a.angle", angle)];
    let coupler = [("r.x", cos), ("r.y", sin), ("r.angle", rod), ("p.angle", rod - angle)];
    let slider = [("s.x", x), ("s.y", 0.0), ("s.angle", 0.0), ("g.position", x)];
    let state = posed(&engine, &[crank, coupler, slider].concat());
    (engine, state)
}
