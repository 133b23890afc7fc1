mod checked;
#[test]
fn probe() {
    let text = std::fs::read_to_string("/tmp/diag/probe.txt").unwrap();
    for case in text.split("\n---\n") {
        println!("### {case}\n{}\n", checked::messages(case));
    }
}
