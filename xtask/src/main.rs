//! Every habit of the house is one verb: `cargo xtask VERB`.
fn main() {}
