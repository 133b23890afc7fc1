//! The item `import`: its grammar, and the files that each source may import.

use expect_test::{Expect, expect};
use mbs_definition::Item;
use mbs_syntax::{Imported, from_folder, parse_text, parse_text_with, parse_tokens_with, to_compile_error};

use crate::urdf::{errors_of, parse, two_links};

const ONE: &str = r#"<robot name="r"><link name="trunk"/></robot>"#;

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&errors_of(&parse(items, ONE)));
}

#[test]
fn imports_have_few_notations() {
    let forms = [
        "import \"r.urdf\";",
        "import r\"r.urdf\";",
        "import \"r.urdf\" {};",
        "import \"r.urdf\" { }",
        "import \"r.urdf\" { trunk: { velocity: body }, };",
        "import \"r.urdf\" { trunk: {} } body other { }",
    ];
    for form in forms {
        let parsed = parse(form, ONE);
        assert!(parsed.errors.is_empty(), "{form}: {}", errors_of(&parsed));
        assert!(matches!(&parsed.definitions[0].items[0], Item::Declaration(d) if d.name.ident.text == "trunk"));
    }
}

#[test]
fn mistakes_of_grammar_are_reported_and_the_file_is_not_read() {
    check(
        "import;",
        &expect![[r#"
        error: [MBS001] expected a file after `import`, found `;`
         --> m.mbs:1:19
          |
        1 | spatial M { import; }
          |                   ^
          |
          = help: write `import "arm.urdf";`"#]],
    );
    check(
        "import arm;",
        &expect![[r#"
        error: [MBS001] expected a file after `import`, found `arm`
         --> m.mbs:1:20
          |
        1 | spatial M { import arm; }
          |                    ^^^
          |
          = help: write `import "arm.urdf";`"#]],
    );
    check(
        "import \"wrong.urdf\" input u;",
        &expect![[r#"
        error: [MBS001] expected `;` after `import`
         --> m.mbs:1:32
          |
        1 | spatial M { import "wrong.urdf" input u; }
          |                                ^"#]],
    );
    check(
        "import \"wrong.urdf\" { trunk };",
        &expect![[r#"
        error: [MBS001] expected `:` after `trunk`, found `}`
         --> m.mbs:1:41
          |
        1 | spatial M { import "wrong.urdf" { trunk }; }
          |                                         ^
          |
          = help: write `trunk: { velocity: body }`"#]],
    );
    check(
        "import \"wrong.urdf\" { trunk: 1, 2 };",
        &expect![[r#"
        error: [MBS001] expected `{` after `trunk:`, found `1`
         --> m.mbs:1:42
          |
        1 | spatial M { import "wrong.urdf" { trunk: 1, 2 }; }
          |                                          ^
          |
          = help: write `trunk: { velocity: body }`

        error: [MBS001] expected the name of a link, found `2`
         --> m.mbs:1:45
          |
        1 | spatial M { import "wrong.urdf" { trunk: 1, 2 }; }
          |                                             ^"#]],
    );
    check(
        "for i in 0..2 { import \"wrong.urdf\"; }",
        &expect![[r#"
        error: [MBS027] `import` inside `for`
         --> m.mbs:1:29
          |
        1 | spatial M { for i in 0..2 { import "wrong.urdf"; } }
          |                             ^^^^^^
          |
          = help: write it outside the loop"#]],
    );
}

#[test]
fn mbs070_files_that_cannot_be_imported() {
    check(
        "import \"wrong.urdf\";",
        &expect![[r#"
            error: [MBS070] this file cannot be imported: `wrong.urdf`: no such file
             --> m.mbs:1:20
              |
            1 | spatial M { import "wrong.urdf"; }
              |                    ^^^^^^^^^^^^
              |
              = help: names of files are relative to the file that imports them"#]],
    );
    check(
        "import \"model.sdf\";",
        &expect![[r#"
            error: [MBS070] a file that is called neither `….mbs` nor `….urdf` cannot be imported
             --> m.mbs:1:20
              |
            1 | spatial M { import "model.sdf"; }
              |                    ^^^^^^^^^^^
              |
              = help: import parts in the language, or a robot in URDF"#]],
    );
    let planar = parse_text("m.mbs", "planar M { import \"r.urdf\"; }");
    expect![[r#"
        error: [MBS070] a robot in space cannot be imported into a planar mechanism
         --> m.mbs:1:19
          |
        1 | planar M { import "r.urdf"; }
          |                   ^^^^^^^^
          |
          = help: write `spatial` for `planar`"#]]
    .assert_eq(&errors_of(&planar));
    let nowhere = parse_text("m.mbs", "spatial M { import \"r.urdf\"; }");
    expect![[r#"
        error: [MBS070] this file cannot be imported: it is not known which folder it lies in
         --> m.mbs:1:20
          |
        1 | spatial M { import "r.urdf"; }
          |                    ^^^^^^^^
          |
          = help: names of files are relative to the file that imports them"#]]
    .assert_eq(&errors_of(&nowhere));
}

#[test]
fn arguments_of_links_that_are_not_are_mistakes() {
    check(
        "import \"r.urdf\" { trnk: { velocity: body } };",
        &expect![[r#"
        error: [MBS010] the robot has no link `trnk`
         --> m.mbs:1:31
          |
        1 | spatial M { import "r.urdf" { trnk: { velocity: body } }; }
          |                               ^^^^
          |
          = help: did you mean `trunk`?"#]],
    );
    check(
        "import \"r.urdf\" { trunk: {}, trunk: {} };",
        &expect![[r#"
        error: [MBS019] the arguments of `trunk` are given twice
         --> m.mbs:1:42
          |
        1 | spatial M { import "r.urdf" { trunk: {}, trunk: {} }; }
          |                                          ^^^^^
          |
          = help: write them together"#]],
    );
    let world = ONE.replace("trunk", "world");
    expect![[r#"
        error: [MBS017] the link `world` has no mass and is ground, which has no arguments
         --> m.mbs:1:31
          |
        1 | spatial M { import "r.urdf" { world: {} }; }
          |                               ^^^^^
          |
          = help: leave them out"#]]
    .assert_eq(&errors_of(&parse("import \"r.urdf\" { world: {} };", &world)));
}

#[test]
fn files_are_read_relative_to_a_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mechanisms");
    let read = |name: &str| from_folder(&folder, name);
    assert!(read("urdf/robot_arm7.urdf").is_ok_and(|file| file.text.starts_with("<robot")));
    assert!(read("./urdf/../urdf/robot_arm7.urdf").is_ok());
    let reason = |name: &str| read(name).expect_err(name).replace(&folder.display().to_string(), "…");
    assert_eq!(reason("absent.urdf"), "`…/absent.urdf`: no such file");
    assert_eq!(reason("urdf"), "`…/urdf`: not a file");
    assert_eq!(reason("/etc/hostname"), "its name is not relative to the file that imports it");
    assert!(reason("a\0b.urdf").starts_with('`'));
}

#[test]
fn each_imported_file_is_listed_once() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mechanisms/urdf");
    let text = "spatial A { import \"robot_arm7.urdf\"; } spatial B { import \"robot_arm7.urdf\"; }";
    let parsed = parse_text_with("m.mbs", text, &mut |name| from_folder(&folder, name));
    assert!(parsed.errors.is_empty());
    assert_eq!(parsed.sources.imported_paths(), [folder.join("robot_arm7.urdf").display().to_string()]);
}

#[test]
fn a_macro_shows_the_position_in_the_file() {
    let urdf = two_links("hinge", "", "");
    let mut loader = |_: &str| Ok(Imported { path: "robots/r.urdf".to_owned(), text: urdf.clone() });
    let parsed = parse_tokens_with("spatial M { import \"r.urdf\"; }".parse().unwrap(), &mut loader);
    let errors = to_compile_error(parsed.errors.list(), &parsed.sources);
    expect![[r#":: core :: compile_error ! { "[MBS013] the joint `j` has the unknown type `hinge`\n --> robots/r.urdf:3:23\n  = help: there are `revolute`, `continuous`, `prismatic`, `fixed`, `floating` and `planar`" }"#]].assert_eq(&errors.to_string());
}

#[test]
fn mistakes_found_by_resolve_are_shown_in_the_file() {
    let parsed = parse("body trunk { mass: 1 } import \"r.urdf\";", ONE);
    let name = parsed.definitions[0].items.iter().find_map(|item| match item {
        Item::Declaration(d) if d.docs.starts_with("Link") => Some(d.name.ident.origin),
        _ => None,
    });
    let excerpt = parsed.sources.excerpt(name.expect("the link is declared")).expect("it has a place");
    assert_eq!(
        (excerpt.path, &excerpt.text[excerpt.bytes.clone()], excerpt.line_and_column()),
        ("r.urdf", "trunk", (1, 29))
    );
}

/// Bodies and joints of the model of a declaration that imports from `mechanisms/urdf`, or `urdf` as `r.urdf`.
fn resolved(text: &str, urdf: &str) -> (usize, usize) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mechanisms/urdf");
    let mut loader = |name: &str| match name {
        "r.urdf" => Ok(Imported { path: name.to_owned(), text: urdf.to_owned() }),
        _ => from_folder(&folder, name),
    };
    let parsed = parse_text_with("m.mbs", text, &mut loader);
    assert!(parsed.errors.is_empty(), "{}", errors_of(&parsed));
    match mbs_resolve::resolve(&parsed.definitions[0]) {
        Ok(model) => (model.bodies.len(), model.joints.len()),
        Err(errors) => panic!("{}", parsed.sources.render(errors.list())),
    }
}

#[test]
fn robots_resolve() {
    let arm = "spatial Arm { gravity: [0, 0, -9.81]; import \"robot_arm7.urdf\"; joint stand = fixed(ground, base); }";
    assert_eq!(resolved(arm, ""), (8, 8));
    let dog = "spatial Dog { import \"robot_quadruped18.urdf\"; joint float = free(ground, trunk); }";
    assert_eq!(resolved(dog, ""), (13, 13));
}

#[test]
fn joints_of_all_types_resolve() {
    for kind in ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"] {
        let urdf = two_links(kind, "<origin xyz=\"1 0 0\" rpy=\"0.1 0.2 0.3\"/> <limit effort=\"5\"/>", "");
        let text = "spatial M { import \"r.urdf\"; joint stand = fixed(ground, a); }";
        assert_eq!(resolved(text, &urdf), (2, 2), "{kind}");
    }
}

#[test]
fn mimics_and_limits_resolve_and_are_of_use() {
    let more =
        "<link name=\"c\"/> <joint name=\"k\" type=\"prismatic\"> <parent link=\"a\"/> <child link=\"c\"/> </joint>";
    let urdf = two_links("revolute", "<mimic joint=\"k\" multiplier=\"2\"/> <dynamics damping=\"0.1\"/>", more);
    let text = "spatial M { import \"r.urdf\"; joint stand = fixed(ground, a);
        force loss = mobility(j) { value: -j_damping * j.rate }; }";
    assert_eq!(resolved(text, &urdf), (3, 3));
}
