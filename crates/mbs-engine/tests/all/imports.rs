//! Imports of texts and files.

use mbs_core::{Describe, Item, Mechanism};
use mbs_engine::{Engine, Failure};

const TEXT: &str = "spatial Arm { import \"not_xml.urdf\"; }";

fn mistakes(result: Result<Engine, Failure>) -> String {
    match result {
        Err(Failure::Mistakes(text)) => text,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is read"),
    }
}

#[test]
fn a_text_without_a_folder_imports_nothing() {
    let shown = mistakes(Engine::text(TEXT));
    assert!(shown.starts_with("error: [MBS070] this file cannot be imported: it is not known which folder"), "{shown}");
}

#[test]
fn a_text_imports_from_its_given_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/urdf");
    let shown = mistakes(Engine::options().folder(folder).text(TEXT));
    assert!(shown.contains("[MBS071]") && shown.contains("not_xml.urdf:3:1"), "{shown}");
}

#[test]
fn a_file_imports_from_its_own_folder() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("imports");
    std::fs::create_dir_all(&folder).expect("a writable target directory");
    std::fs::write(folder.join("arm.mbs"), TEXT).expect("a writable target directory");
    std::fs::write(folder.join("not_xml.urdf"), "<robot>").expect("a writable target directory");
    let shown = mistakes(Engine::options().file(folder.join("arm.mbs")));
    assert!(shown.contains("[MBS071]") && shown.contains("not_xml.urdf:1:8"), "{shown}");
}

#[test]
fn parts_of_a_file_move_in_the_engine() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../mechanisms");
    let walker = Engine::options().file(format!("{folder}/robots/walker.mbs")).unwrap_or_else(|e| panic!("{e}"));
    let sizes = walker.sizes();
    assert_eq!((sizes.n_v, sizes.n_bodies, sizes.n_u), (18, 13, 18));
    let names: Vec<&str> = (0..sizes.n_v).map(|i| walker.name(Item::Speed(i))).collect();
    assert!(names.contains(&"rear_left.swing.rate"), "{names:?}");
    let text = "import \"parts/leg.mbs\"; planar M { part a = leg(ground, 1, 1); }";
    let shown = mistakes(Engine::options().folder(folder).text(text));
    assert!(shown.contains("parts/leg.mbs:") && shown.contains("in `a`"), "{shown}");
}
