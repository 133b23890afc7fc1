//! What holds generated code, interpreter and engine together on `mechanisms/`, and the reference cases.

mod costs;
mod mechanisms;
mod no_std;
mod reference;
