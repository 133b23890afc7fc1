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

fn run<M: Mechanism, S: Stepper<M>>(m: &M, s: &mut S) -> Result<f64, String> {
    let mut state = State::new(m);
    assemble(m, &mut state).unwrap();
    s.advance_to(m, &mut state, 10.0, &mut zero_inputs).map_err(|e| e.to_string())?;
    let sz = m.sizes(); let mut out = vec![0.0; sz.n_outputs];
    m.outputs(state.view(&[]), &vec![0.0; sz.n_v], &vec![0.0; sz.n_c], &mut out);
    Ok(out[0])
}
fn all<M: Mechanism>(n: &str, m: &M, exact: f64) {
    let mut errs = vec![]; let mut fail = 0;
    for k in 0..150 { let h = 2e-3 + 8e-3 * k as f64 / 149.0;
        match run(m, &mut Rk4::new(m, h)) { Ok(x) => errs.push(((x - exact).abs(), h)), Err(_) => fail += 1 } }
    errs.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("{n}: rk4 fails {fail}, median {:.1e} worst {:?}", errs[errs.len()/2].0, &errs[errs.len()-4..]);
    let mut errs = vec![]; let mut fail = 0;
    for k in 0..60 { let tol = 10f64.powf(-5.0 - 4.0 * k as f64 / 59.0);
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
