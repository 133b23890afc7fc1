// A type that gives fewer derivatives than are declared.

use mbs::Opaque;

#[derive(Clone, Debug, Default)]
pub struct GasTable([f64; 2]);

impl Opaque<1, 2> for GasTable {
    fn evaluate(&self, [x]: [f64; 1]) -> [[f64; 2]; 1] {
        [[self.0[0] + self.0[1] * x, self.0[1]]]
    }
}

mbs::mechanism! {
    pub planar Cylinder {
        function gas: opaque(2, GasTable);
        body piston { mass: 0.4, inertia: 1e-4 }
        joint guide = prismatic(ground, piston) { axis: [1, 0] };
        force pressure = mobility(guide) { value: -gas(guide.position) };
    }
}

fn main() {
    let gas = GasTable([1.0, 2.0]);
    let _ = Cylinder::new(cylinder::Params { gas }).unwrap();
}
