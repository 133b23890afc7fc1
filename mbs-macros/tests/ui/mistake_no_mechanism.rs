//! Something else in place of a mechanism.

fn look<M: mbs::Mechanism>(_: &M) {}

fn main() {
    look(&1.0_f64);
}
