//! Files that declarations import: where they are searched, how they are watched, and mistakes in them.

use std::path::Path;

use mbs_codegen::{compile_text, expand, expand_in, expand_robots_in, tokens};
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::{Describe, Item, Mechanism, StateView};
use mbs_interp::Interpreted;

use crate::mechanisms::root;

/// The folder of the mechanisms, from that of this crate.
const MECHANISMS: &str = "../../mechanisms";

#[test]
fn a_macro_watches_files_in_the_folder_of_its_source_file() {
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
fn a_macro_watches_files_in_its_package() {
    for source in [None, Some(Path::new("src/lib.rs"))] {
        let call = format!("spatial Arm {{ import \"{MECHANISMS}/urdf/robot_arm7.urdf\"; }}");
        let output = expand_in(call.parse().unwrap(), source).to_string();
        let path = format!(
            "concat ! (:: core :: env ! (\"CARGO_MANIFEST_DIR\") , \"/\" , \"{MECHANISMS}/urdf/robot_arm7.urdf\")"
        );
        assert!(output.contains(&path), "{output}");
        assert!(!output.contains(&root().display().to_string()), "an absolute path: {output}");
    }
}

#[test]
fn a_macro_reports_a_missing_file() {
    let output = expand("spatial Arm { import \"absent.urdf\"; }".parse().unwrap()).to_string();
    assert!(output.contains("[MBS070] this file cannot be imported") && output.contains("no such file"), "{output}");
    assert!(output.contains("mod arm") && !output.contains("include_bytes"), "{output}");
}

#[test]
fn mistakes_are_shown_in_the_file() {
    let text = "spatial Arm { import \"urdf/not_xml.urdf\"; }";
    let failure = compile_text("../../docs/m.mbs", text, Options::default()).err().expect("it is refused").to_string();
    let file = Path::new("../../docs").join("urdf/not_xml.urdf").display().to_string();
    assert!(failure.contains(&format!("--> {file}:3:1")), "{failure}");
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

/// State 0 of the reference case `robot_arm7`: forward dynamics of the file by Pinocchio 4.1.0, relative accuracy 1e-11.
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
fn an_imported_arm_moves_as_pinocchio_computes() {
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

#[test]
fn a_robot_file_compiles_by_macro_and_by_name() {
    let call = format!("/// An arm.\npub Arm = \"{MECHANISMS}/urdf/robot_arm7.urdf\" {{ kernels: [forward]; }}");
    let output = expand_robots_in(call.parse().unwrap(), None).to_string();
    assert!(output.contains("include_bytes") && !output.contains("compile_error"), "{output}");
    for part in ["pub mod arm", "pub effort : [f64 ; 7]", "pub const LIMITS", "fn visual"] {
        assert!(output.contains(part), "{part}");
    }
    let path = format!("{MECHANISMS}/urdf/robot_arm7.urdf");
    let text = std::fs::read_to_string(&path).expect("it is a mechanism of ours");
    let (compiled, _) = compile_text(&path, &text, Options::default()).expect("it is sound").remove(0);
    assert_eq!((&*compiled.model.header.name, compiled.tree.n_q(), compiled.tree.n()), ("RobotArm7", 7, 7));
}

#[test]
fn a_mistake_in_a_robot_file_is_located_and_leaves_the_module() {
    let call = "pub Broken = \"../../docs/urdf/not_xml.urdf\";";
    let output = expand_robots_in(call.parse().unwrap(), None).to_string();
    assert_eq!(output.matches("compile_error").count(), 1, "{output}");
    assert!(output.contains("urdf/not_xml.urdf:3:1") && output.contains("mod broken"), "{output}");
    // A change of the file compiles the call again.
    assert!(output.contains("include_bytes"), "{output}");
}

/// State 0 of the reference case, without anything declared: the efforts are in the order of its torques.
#[test]
fn a_robot_file_moves_as_pinocchio_computes() {
    let path = format!("{MECHANISMS}/urdf/robot_arm7.urdf");
    let text = std::fs::read_to_string(&path).expect("it is a mechanism of ours");
    let (compiled, _) = compile_text(&path, &text, Options::default()).expect("it is sound").remove(0);
    let mechanism = Interpreted::new(compiled, Fma::Plain).expect("there are no parameters");
    let mut a = [0.0; 7];
    let at = StateView { t: 0.0, q: &arm::Q, v: &arm::V, z: &[], u: &arm::TAU };
    mechanism.accelerations(at, &mut a, &mut []).expect("a regular state");
    let largest = arm::A.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (found, expected) in a.iter().zip(arm::A) {
        // 1e-10: the accuracy of the reference, and a solution with a condition number of 1e3.
        assert!((found - expected).abs() <= 1e-10 * largest, "{a:?}");
    }
    let solid = mechanism.visual(0).expect("the base has a visual");
    assert_eq!((solid.body, solid.pose.position), (Some(0), [0.0, 0.0, 0.07]));
    let limits = mechanism.limits(0).expect("the first joint is a hinge");
    assert_eq!((limits.upper, limits.damping), (f64::INFINITY, 0.0));
}

/// Two adjacent arms, which nothing couples, move like single arms.
#[test]
fn two_arms_of_one_file_move_like_single_arms() {
    let text = "spatial Bench { gravity: [0, 0, -9.81]; input left_torque; input right_torque;
        import \"urdf/robot_arm7.urdf\" as left; import \"urdf/robot_arm7.urdf\" as right;
        joint left_stand = fixed(ground at [0, 0.4, 0], left.base);
        joint right_stand = fixed(ground at [0, -0.4, 0], right.base);
        force left_motor = mobility(left.j1) { value: left_torque };
        force right_motor = mobility(right.j1) { value: right_torque };
        output reach = distance(left.l7, right.l7); kernels: [forward, outputs]; freedoms: 14; }";
    let compiled = compile_text(&format!("{MECHANISMS}/m.mbs"), text, Options::default());
    let (compiled, _) = compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0);
    let bench = Interpreted::new(compiled, Fma::Plain).expect("there are no parameters");
    let one = "spatial One { gravity: [0, 0, -9.81]; input torque; import \"urdf/robot_arm7.urdf\";
        joint stand = fixed(ground, base); force motor = mobility(j1) { value: torque }; kernels: [forward]; }";
    let (compiled, _) = compile_text(&format!("{MECHANISMS}/m.mbs"), one, Options::default()).expect("sound").remove(0);
    let one = Interpreted::new(compiled, Fma::Plain).expect("there are no parameters");

    let names: Vec<&str> = (0..14).map(|i| bench.name(Item::Speed(i))).collect();
    let (mut q, mut v, mut accelerations) = ([0.0; 14], [0.0; 14], [0.0; 14]);
    let index = |side: &str, k: usize| {
        let speed = format!("{side}.j{}.rate", k + 1);
        names.iter().position(|name| *name == speed).unwrap_or_else(|| panic!("{speed}: {names:?}"))
    };
    for k in 0..7 {
        (q[index("left", k)], v[index("left", k)]) = (arm::Q[k], arm::V[k]);
        (q[index("right", k)], v[index("right", k)]) = (-arm::Q[k], 0.5 * arm::V[k]);
    }
    bench
        .accelerations(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[2.0, -3.0] }, &mut accelerations, &mut [])
        .expect("regular");
    for (side, torque, sign, share) in [("left", 2.0, 1.0, 1.0), ("right", -3.0, -1.0, 0.5)] {
        let (q, v, mut a) = (arm::Q.map(|x| sign * x), arm::V.map(|x| share * x), [0.0; 7]);
        one.accelerations(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[torque] }, &mut a, &mut []).expect("regular");
        let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for k in 0..7 {
            // 1e-11: a thousand operations in another order, with a condition number of 1e3.
            let difference = accelerations[index(side, k)] - a[k];
            assert!(difference.abs() <= 1e-11 * largest, "{side} {k}: {accelerations:?} {a:?}");
        }
    }
}

/// A leg of `mechanisms/parts/`, in a mechanism with another file of parts.
const STAND: &str = "import \"parts/leg.mbs\" as dog; pub spatial Stand { gravity: [0, 0, -9.81];
    part leg = dog.leg(ground at [0, 0, 0.4], 1, 1); output foot = position(leg.foot); }";

#[test]
fn parts_of_a_file_are_watched_and_give_equal_code_in_macro_and_build_script() {
    let source = Path::new(MECHANISMS).join("m.rs");
    let by_macro = expand_in(STAND.parse().unwrap(), Some(&source)).to_string();
    let watch = "const _ : & [u8] = :: core :: include_bytes ! (\"parts/leg.mbs\") ;";
    let code = by_macro.strip_prefix(watch).unwrap_or_else(|| panic!("{by_macro}"));
    let path = format!("{MECHANISMS}/m.mbs");
    let by_text = tokens(&path, STAND, Options::default()).unwrap_or_else(|failure| panic!("{failure}")).to_string();
    assert!(code.trim() == by_text.trim(), "the routes differ");
    for part in ["pub leg_torque : [f64 ; 3]", "pub leg_foot", "\"leg.swing.angle\""] {
        assert!(by_text.contains(part), "{part}");
    }
    let (_, sources) = compile_text(&path, STAND, Options::default()).expect("it compiled").remove(0);
    assert_eq!(sources.imported_paths(), [Path::new(MECHANISMS).join("parts/leg.mbs").display().to_string()]);
}

#[test]
fn mistakes_in_parts_of_a_file_are_located_there_by_macro_and_build_script() {
    let text = "import \"parts/leg.mbs\"; spatial Stand { part leg1 = leg(1, ground, 1); }";
    let path = format!("{MECHANISMS}/m.mbs");
    let failure = compile_text(&path, text, Options::default()).err().expect("it is refused").to_string();
    let file = Path::new(MECHANISMS).join("parts/leg.mbs").display().to_string();
    assert!(failure.contains(&format!("--> {file}:")), "{failure}");
    assert!(failure.contains("`shoulder` is given as `1`"), "{failure}");
    let source = Path::new(MECHANISMS).join("m.rs");
    let output = expand_in(text.parse().unwrap(), Some(&source)).to_string();
    assert!(output.contains(&format!("--> {file}:")) && output.contains("in `leg1`"), "{output}");
    // The module nevertheless has the fields of the instance.
    assert!(output.contains("pub leg1_torque : [f64 ; 3usize]"), "{output}");
}
