//! What a text may import.

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
fn a_text_imports_from_the_folder_it_is_given() {
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
