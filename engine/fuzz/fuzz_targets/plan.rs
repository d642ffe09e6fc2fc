//! A real model's header made wrong: reading and laying it out never panics and takes bounded memory, and a plan that comes of
//! it reads only what is in the file.
#![no_main]

mod laid_out;
mod wrong;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wrong::{Gguf, Script};

static MODELS: LazyLock<Vec<Gguf>> =
    LazyLock::new(|| [wrong::headers("oracle/models"), wrong::headers("reference/models")].concat());

fuzz_target!(|input: &[u8]| {
    let mut script = Script(input);
    let (model, how) = (script.below(MODELS.len()), script.byte());
    let file = wrong::changed(MODELS[model].clone(), &mut script);
    let Some(header) = wrong::read(&file.header_bytes()) else { return };
    laid_out::plan_of(&header, how);
});
