//! Compiles `mechanisms/andrews.mbs` to `$OUT_DIR/andrews.rs`.

fn main() {
    mbs_codegen::Build::new().compile("../../mechanisms/andrews.mbs");
}
