use mbs::*;
fn go<M: Mechanism>(name: &str, m: &M, mut s: impl Stepper<M>) {
    let mut state = State::new(m);
    assemble(m, &mut state).unwrap();
    let mut emax = 0.0f64; let mut last = 0.0;
    let e0 = m.energy(state.view(&[])); let e0 = e0.kinetic + e0.potential;
    for i in 0..=100 {
        let t = 0.1 * i as f64;
        if let Err(e) = s.advance_to(m, &mut state, t, &mut zero_inputs) { println!("{name}: {e} {:?}", s.statistics()); return; }
        let e = m.energy(state.view(&[])); emax = emax.max((e.kinetic + e.potential - e0).abs());
        let sz = m.sizes(); let mut out = vec![0.0; sz.n_outputs];
        m.outputs(state.view(&[]), &vec![0.0; sz.n_v], &vec![0.0; sz.n_c], &mut out);
        last = out[0];
    }
    println!("{name}: energy {emax:.1e} b0x {last} {:?}", s.statistics());
}
fn all<M: Mechanism>(n: &str, m: &M) {
    for k in 3..11 { let tol = 10f64.powi(-k); go(&format!("{n} dp 1e-{k}"), m, DormandPrince::new(m).with_tolerances(tol, tol * 0.1)); }
    for h in [1e-2, 5e-3, 2e-3, 1e-3] { go(&format!("{n} rk4 {h}"), m, Rk4::new(m, h)); }
}
#[test]
fn t() {
    println!("expect 0.47838505776097057 0.3284581115408154");
    all("1 body", &mbs_corpus::body::NFourBar1::new(Default::default()).unwrap());
    all("1 joint", &mbs_corpus::joint::NFourBar1::new(Default::default()).unwrap());
    all("2 body", &mbs_corpus::body::NFourBar2::new(Default::default()).unwrap());
    all("2 joint", &mbs_corpus::joint::NFourBar2::new(Default::default()).unwrap());
}
