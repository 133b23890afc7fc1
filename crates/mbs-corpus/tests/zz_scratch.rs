use mbs::*;
use std::cell::RefCell;
struct P<'a, M: Mechanism>(&'a M, RefCell<Projection<M>>);
impl<'a, M: Mechanism> P<'a, M> {
    fn proj(&self, t: f64, q: &[f64], v: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Error> {
        let mut w = self.1.borrow_mut();
        let (mut q, mut v) = (q.to_vec(), v.to_vec());
        project_positions(self.0, t, &mut q, &mut w)?;
        project_velocities(self.0, t, &q, &mut v, &mut w)?;
        Ok((q, v))
    }
}
impl<'a, M: Mechanism> Mechanism for P<'a, M> {
    type Coordinates = M::Coordinates; type Speeds = M::Speeds; type Multipliers = M::Multipliers;
    type Auxiliary = M::Auxiliary; type Inputs = M::Inputs; type Scratch = M::Scratch;
    fn sizes(&self) -> Sizes { self.0.sizes() }
    fn storage(&self) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch) { self.0.storage() }
    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) { self.0.guess(q, v, z) }
    fn accelerations(&self, at: StateView, a: &mut [f64], l: &mut [f64]) -> Result<(), Error> {
        let (q, v) = self.proj(at.t, at.q, at.v)?;
        self.0.accelerations(StateView { q: &q, v: &v, ..at }, a, l)
    }
    fn solve(&self, t: f64, q: &[f64], f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> { self.0.solve(t, q, f, g, x, mu) }
    fn position_residuals(&self, t: f64, q: &[f64], phi: &mut [f64]) { self.0.position_residuals(t, q, phi) }
    fn velocity_residuals(&self, t: f64, q: &[f64], v: &[f64], psi: &mut [f64]) { self.0.velocity_residuals(t, q, v, psi) }
    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], r: &mut [f64]) {
        match self.proj(t, q, v) { Ok((_, v)) => r.copy_from_slice(&v), _ => r.copy_from_slice(v) } }
    fn outputs(&self, at: StateView, a: &[f64], l: &[f64], o: &mut [f64]) { self.0.outputs(at, a, l, o) }
    fn energy(&self, at: StateView) -> Energy { self.0.energy(at) }
    fn initial_condition(&self, c: usize, at: StateView, g: &mut [f64]) -> Condition { self.0.initial_condition(c, at, g) }
}
fn run<M: Mechanism, S: Stepper<M>>(m: &M, s: &mut S) -> Result<f64, String> {
    let mut state = State::new(m);
    assemble(m, &mut state).unwrap();
    s.advance_to(m, &mut state, 10.0, &mut zero_inputs).map_err(|e| e.to_string())?;
    let sz = m.sizes(); let mut out = vec![0.0; sz.n_outputs];
    m.outputs(state.view(&[]), &vec![0.0; sz.n_v], &vec![0.0; sz.n_c], &mut out);
    Ok(out[0])
}
fn all<M: Mechanism>(n: &str, inner: &M, exact: f64) {
    let m = &P(inner, RefCell::new(Projection::new(inner)));
    let mut errs = vec![]; let mut fail = 0;
    for k in 0..60 { let tol = 10f64.powf(-5.0 - 6.0 * k as f64 / 59.0);
        let mut dp = DormandPrince::new(m).with_tolerances(tol, tol * 0.01); dp.max_steps = 5000;
        match run(m, &mut dp) { Ok(x) => errs.push(((x - exact).abs(), tol)), Err(_) => fail += 1 } }
    errs.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("{n}: dp fails {fail}, median {:.1e} worst {:?}", errs[errs.len()/2].0, &errs[errs.len()-4..]);
}
#[test]
fn t() {
    all("1 body", &mbs_corpus::body::NFourBar1::new(Default::default()).unwrap(), 0.47838505776097057);
    all("1 joint", &mbs_corpus::joint::NFourBar1::new(Default::default()).unwrap(), 0.47838505776097057);
    all("2 body", &mbs_corpus::body::NFourBar2::new(Default::default()).unwrap(), 0.3284581115408154);
    all("2 joint", &mbs_corpus::joint::NFourBar2::new(Default::default()).unwrap(), 0.3284581115408154);
}
