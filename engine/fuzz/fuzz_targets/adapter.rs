//! A LoRA adapter's header made wrong, for a model that stays as it is: refused by a typed error, or laid out within its file.
#![no_main]

mod laid_out;
mod wrong;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pith_engine::models::Lora;
use pith_engine::planner::{self, Plan};
use wrong::{Gguf, Script};

static ADAPTERS: LazyLock<Vec<Gguf>> = LazyLock::new(|| wrong::headers("oracle/lora"));
static MODELS: LazyLock<Vec<Gguf>> = LazyLock::new(|| {
    let mut models = wrong::headers("oracle/models");
    models.retain(|model| model.tensors.len() < 32);
    models
});

thread_local! {
    /// By model and by how it is laid out: they do not depend on the adapter.
    static PLANS: RefCell<HashMap<(usize, u8), Option<Rc<Plan>>>> = RefCell::default();
}

fn plan_of(model: usize, how: u8) -> Option<Rc<Plan>> {
    let make = || laid_out::plan_of(&wrong::read(&MODELS[model].header_bytes())?, how).map(Rc::new);
    PLANS.with_borrow_mut(|plans| plans.entry((model, how)).or_insert_with(make).clone())
}

fuzz_target!(|input: &[u8]| {
    let mut script = Script(input);
    let (lora, model, how) = (script.below(ADAPTERS.len()), script.below(MODELS.len()), script.byte());
    let Some(plan) = plan_of(model, how) else { return };
    let file = wrong::changed(ADAPTERS[lora].clone(), &mut script);
    let Some(header) = wrong::read(&file.header_bytes()) else { return };
    let Ok(lora) = Lora::read(&header, &plan.spec) else { return };
    if let Ok(extended) = planner::extend(&plan, lora, &header) {
        laid_out::check_transfers(&header, &extended.transfers);
    }
});
