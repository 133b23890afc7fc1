mod planar;
use mbs_codegen::graph::*;
use mbs_codegen::optimize::*;
use mbs_codegen::schedule::*;
use mbs_codegen::program::*;
use mbs_codegen::print::{self,Paths};
use std::time::Instant;
use std::collections::BTreeMap;
use mbs_codegen::solve::{Factor,Saddle};
#[test]
fn show() {
    let graph = Graph::new();
    let (x, factor) = planar::four_bar(&graph).solve();
    let checks = factor.pivots.iter().zip(&factor.order).map(|((pivot, magnitude), row)| Check { pivot: *pivot, magnitude: *magnitude, row: *row }).collect();
    let e = Entry{name:"accelerations".into(),docs:"M a + Gᵀ λ = Q.".into(),stage:Stage::Acceleration,keeps:false,outputs:vec![OutputArray{name:"a".into(),nodes:x[..3].to_vec()},OutputArray{name:"lambda".into(),nodes:x[3..].to_vec()}],checks};
    let p = lower(&graph,&[Group{entries:vec![e]}],&InputSizes{parameters:13,coordinates:3,speeds:3,rows:2,..Default::default()});
    println!("{:?}", p.functions[0].counts);
    let ts = print::program(&p,&Paths::default());
    let f: syn::File = syn::parse2(ts.clone()).unwrap();
    println!("{}", prettyplease::unparse(&f));
    let t=ts.to_string(); let i=t.find("pub fn accelerations").unwrap();
    let f: syn::File = syn::parse_str(&t[t.find("select_fma").map(|k| t[k..].find('{').unwrap()+k+1).unwrap()..].trim_start_matches(' ')).unwrap_or(syn::parse_str("").unwrap());
    let _=(f,i);
    for (k,it) in syn::parse2::<syn::File>(ts).unwrap().items.into_iter().enumerate() {
        if let syn::Item::Macro(m)=it { let mut g=m.mac.tokens.into_iter(); if let Some(proc_macro2::TokenTree::Group(g))=g.next(){ println!("{k}\n{}", prettyplease::unparse(&syn::parse2(g.stream()).unwrap())); } }
    }
}
/// n-link chain with loops in natural-like dense saddle
fn chain(graph:&Graph,n:usize)->(Vec<NodeId>,Factor){
    let mut mass=BTreeMap::new(); let mut jac=BTreeMap::new(); let mut right=vec![];
    let p=|i:usize| graph.symbol(Symbol::Parameter(i as u32));
    let q=|i:usize| graph.symbol(Symbol::Coordinate(i as u32));
    let v=|i:usize| graph.symbol(Symbol::Speed(i as u32));
    use mbs_model::Function as F;
    for i in 0..n { for j in 0..=i { let d=graph.sub(q(i),q(j)); let c=graph.unary(F::Cos,d); mass.insert((i,j), if i==j {p(i)} else {graph.mul(graph.mul(p(i),p(j)),c)}); } }
    for i in 0..n { jac.insert((0,i),graph.mul(p(i),graph.unary(F::Cos,q(i)))); jac.insert((1,i),graph.mul(p(i),graph.unary(F::Sin,q(i)))); }
    for i in 0..n { let mut s=graph.mul(p(n),graph.unary(F::Sin,q(i))); for j in 0..n { if j!=i { let d=graph.sub(q(i),q(j)); s=graph.add(s,graph.mul(graph.mul(graph.mul(p(i),p(j)),graph.unary(F::Sin,d)),graph.mul(v(j),v(j)))); } } right.push(s); }
    for r in 0..2 { let mut s=graph.number(0.0); for i in 0..n { let g=jac[&(1-r,i)]; s=graph.add(s,graph.mul(graph.mul(v(i),v(i)),g)); } right.push(s); }
    let s=Saddle::new(n,2,&mass,&jac);
    let f=Factor::new(graph,&s,(0..n+2).collect()).unwrap();
    (f.solve(graph,&right),f)
}
#[test]
fn time() {
  for n in [10usize,20,28,40] {
    let graph=Graph::new();
    let (x,f)=chain(&graph,n);
    let nodes=graph.reachable(&x).len();
    let t=Instant::now(); let c=count(&graph,&x); let tc=t.elapsed();
    let along:Vec<_>=f.pivots.iter().flat_map(|(a,b)|[*a,*b]).collect();
    let t=Instant::now(); let o=optimize(&graph,&x,&along); let to=t.elapsed();
    let c2=count(&graph,&o.roots);
    let checks = f.pivots.iter().zip(&f.order).map(|((pivot, magnitude), row)| Check { pivot: *pivot, magnitude: *magnitude, row: *row }).collect();
    let e = Entry{name:"accelerations".into(),docs:"M a + Gᵀ λ = Q.".into(),stage:Stage::Acceleration,keeps:false,outputs:vec![OutputArray{name:"a".into(),nodes:x.clone()}],checks};
    let t=Instant::now();
    let p = lower(&graph,&[Group{entries:vec![e]}],&InputSizes{parameters:100,coordinates:100,speeds:100,rows:2,..Default::default()});
    let tl=t.elapsed();
    let t=Instant::now(); let ts=print::program(&p,&Paths::default()); let tp=t.elapsed();
    println!("n {n}: nodes {nodes} {c:?} -> {c2:?}; count {tc:?} optimize {to:?} lower(with optimize) {tl:?} print {tp:?} {:?}", p.functions[0].counts);
    if n==40 || n==20 { std::fs::write(format!("/tmp/gen_{n}.rs"), ts.to_string()).unwrap(); }
  }
}
