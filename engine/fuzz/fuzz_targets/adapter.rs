//! A LoRA adapter's header made wrong, for a model that stays as it is: refused by a typed error, or laid out within its file.
#![no_main]

mod laid_out;
mod wrong;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pith_engine::models::Lora;
use pith_engine::planner;
use wrong::{Gguf, Script};

static ADAPTERS: LazyLock<Vec<Gguf>> = LazyLock::new(|| wrong::headers("oracle/lora"));
static MODELS: LazyLock<Vec<Gguf>> = LazyLock::new(|| {
    let mut models = wrong::headers("oracle/models");
    models.retain(|model| model.tensors.len() < 32);
    models
});

fuzz_target!(|input: &[u8]| {
    let mut script = Script(input);
    let (lora, model, how) = (script.below(ADAPTERS.len()), script.below(MODELS.len()), script.byte());
    let Some(base) = wrong::read(&MODELS[model].header_bytes()) else { return };
    let Some(plan) = laid_out::plan_of(&base, how) else { return };
    let file = wrong::changed(ADAPTERS[lora].clone(), &mut script);
    let Some(header) = wrong::read(&file.header_bytes()) else { return };
    let Ok(lora) = Lora::read(&header, &plan.spec) else { return };
    if let Ok(extended) = planner::extend(&plan, lora, &header) {
        laid_out::check_transfers(&header, &extended.transfers);
    }
});
