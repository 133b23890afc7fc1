//! Files that declarations import: found, watched, and their mistakes shown in them.

use std::path::Path;

use mbs_codegen::compile::Options;
use mbs_codegen::interp::Fma;
use mbs_codegen::{Interpreted, compile_text, expand, expand_in};
use mbs_core::{Mechanism, StateView};

/// The folder of the mechanisms, from that of this crate.
const MECHANISMS: &str = "../../mechanisms";

#[test]
fn a_macro_watches_what_it_reads_beside_its_source_file() {
    let call = "spatial Arm { import \"urdf/robot_arm7.urdf\"; } spatial Same { import \"urdf/robot_arm7.urdf\"; }";
    let source = Path::new(MECHANISMS).join("m.rs");
    let output = expand_in(call.parse().unwrap(), Some(&source)).to_string();
    assert!(
        output.starts_with("const _ : & [u8] = :: core :: include_bytes ! (\"urdf/robot_arm7.urdf\") ;"),
        "{output}"
    );
    assert_eq!(output.matches("include_bytes").count(), 1);
    assert!(!output.contains("MBS070"), "{output}");
}

#[test]
fn a_macro_watches_what_it_reads_in_its_package() {
    for source in [None, Some(Path::new("src/lib.rs"))] {
        let call = format!("spatial Arm {{ import \"{MECHANISMS}/urdf/robot_arm7.urdf\"; }}");
        let output = expand_in(call.parse().unwrap(), source).to_string();
        let path = format!(
            "concat ! (:: core :: env ! (\"CARGO_MANIFEST_DIR\") , \"/\" , \"{MECHANISMS}/urdf/robot_arm7.urdf\")"
        );
        assert!(output.contains(&path), "{output}");
        assert!(!output.contains(env!("CARGO_MANIFEST_DIR")), "an absolute path: {output}");
    }
}

#[test]
fn a_macro_says_that_a_file_is_missing() {
    let output = expand("spatial Arm { import \"absent.urdf\"; }".parse().unwrap()).to_string();
    assert!(output.contains("[MBS070] this file cannot be imported") && output.contains("no such file"), "{output}");
    assert!(output.contains("mod arm") && !output.contains("include_bytes"), "{output}");
}

#[test]
fn mistakes_are_shown_in_the_file() {
    let text = "spatial Arm { import \"urdf/not_xml.urdf\"; }";
    let failure = compile_text("../../docs/m.mbs", text, Options::default()).err().expect("it is refused").to_string();
    let place = Path::new("../../docs").join("urdf/not_xml.urdf").display().to_string();
    assert!(failure.contains(&format!("--> {place}:3:1")), "{failure}");
}

#[test]
fn a_robot_compiles() {
    let text =
        "spatial Arm { gravity: [0, 0, -9.81]; import \"urdf/robot_arm7.urdf\"; joint stand = fixed(ground, base); }";
    let compiled = compile_text(&format!("{MECHANISMS}/m.mbs"), text, Options::default());
    let (_, sources) = compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0);
    let path = Path::new(MECHANISMS).join("urdf/robot_arm7.urdf").display().to_string();
    assert_eq!(sources.imported_paths(), [path]);
}

/// State 0 of the reference case `robot_arm7`: Pinocchio 4.1.0, forward dynamics of the same file, relative accuracy 1e-11.
mod arm {
    pub const Q: [f64; 7] = [
        -0.8690054878289563,
        1.3996397200553838,
        0.24265051670110727,
        0.9382814616690189,
        -0.6560058647107572,
        -1.0850525347124798,
        0.8008705391026547,
    ];
    pub const V: [f64; 7] = [
        0.05982634110066343,
        1.3087923363974276,
        0.4334608467942054,
        -0.9128388956154572,
        0.02495138749118464,
        0.532013595288336,
        0.8466274869931176,
    ];
    pub const TAU: [f64; 7] = [
        1.7559623892759246,
        -4.462744219494718,
        5.066286914517571,
        4.775487297108381,
        -1.8521639678743913,
        4.625805346259181,
        -2.6592607932245733,
    ];
    pub const A: [f64; 7] = [
        23.291175606511807,
        39.172070013789764,
        15.671754656276347,
        104.58981152719838,
        -263.7107262133901,
        600.2894063231133,
        -3633.874262110454,
    ];
}

#[test]
fn an_imported_arm_moves_as_another_program_says() {
    let motors: String = (0..7).map(|k| format!("force m{k} = mobility(j{}) {{ value: tau[{k}] }}; ", k + 1)).collect();
    let text = format!(
        "spatial Arm {{ gravity: [0, 0, -9.81]; input tau: [7]; {motors}
        import \"urdf/robot_arm7.urdf\"; joint stand = fixed(ground, base); }}"
    );
    let compiled = compile_text(&format!("{MECHANISMS}/m.mbs"), &text, Options::default());
    let (compiled, _) = compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0);
    let mechanism = Interpreted::new(compiled, Fma::Plain).expect("there are no parameters");
    let mut a = [0.0; 7];
    let at = StateView { t: 0.0, q: &arm::Q, v: &arm::V, z: &[], u: &arm::TAU };
    mechanism.accelerations(at, &mut a, &mut []).expect("a regular state");
    let largest = arm::A.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (found, expected) in a.iter().zip(arm::A) {
        // 1e-10: the accuracy of the reference, and a solution with a condition number of 1e3.
        assert!((found - expected).abs() <= 1e-10 * largest, "{a:?}");
    }
}
