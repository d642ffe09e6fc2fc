//! A small model made wrong, in its header and in its weights, is loaded and run: a typed error or an answer, within a time and
//! a memory that libFuzzer bounds, never a panic. Weights become infinities and what is no number as well.
#![no_main]

mod wrong;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pith_engine::backend::Device;
use pith_engine::formats::Precision;
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::{Error, LoadOptions, Loading, Model};
use pollster::block_on;
use wrong::{Gguf, Script};

static MODELS: LazyLock<Vec<Gguf>> =
    LazyLock::new(|| [wrong::headers("oracle/models"), wrong::headers("reference/models")].concat());

/// Larger models are left out: they would only be slower.
const MODEL_BYTES_MAX: usize = 4 << 20;
/// What scales become, as halves: infinities, no number, the largest, the smallest.
const ODD: [u16; 6] = [0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x0001, 0xffff];

/// Weights that depend on the place alone, and what the script makes of them.
struct Weights {
    seed: u8,
    odd: u16,
    every: usize,
}

impl Weights {
    fn bytes(&self, offset: usize, len: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            (offset..offset + len).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8 ^ self.seed).collect();
        // Halves of 0.01 to 0.02 in every second place keep most scales small.
        bytes.chunks_exact_mut(2).step_by(2).for_each(|two| two[1] = 0x21 | two[1] & 0x82);
        if self.every > 0 {
            for two in bytes.chunks_exact_mut(2).step_by(self.every) {
                two.copy_from_slice(&self.odd.to_le_bytes());
            }
        }
        bytes
    }
}

fuzz_target!(|input: &[u8]| {
    let mut script = Script(input);
    let (model, how) = (script.below(MODELS.len()), script.byte());
    let odd = ODD[script.below(ODD.len())];
    let weights = Weights { seed: script.byte(), odd, every: script.below(2_000) };
    let ids: Vec<u32> = (0..1 + how % 9).map(|_| u32::from(script.byte())).collect();
    let file = wrong::changed(MODELS[model].clone(), &mut script);
    let Some(header) = wrong::read(&file.header_bytes()) else { return };
    let precision = if how & 128 != 0 { Precision::Fast } else { Precision::Exact };
    let cache = CacheFormat::ALL[usize::from(how / 32) % CacheFormat::ALL.len()];
    let options = LoadOptions { context_tokens: Some(32), slice_tokens: Some(8), cache, precision };
    let size: Option<u64> = header.tensors.iter().map(|tensor| tensor.size_bytes).sum();
    if size.is_none_or(|size| size > MODEL_BYTES_MAX as u64) {
        return;
    }
    let device = Device::cpu();
    let loaded = block_on(async {
        let mut loading = Loading::start(&header, &device, &options).await?;
        while let Some(transfer) = loading.next() {
            let bytes = weights.bytes(transfer.offset_bytes as usize, transfer.len_bytes);
            loading.accept(&bytes)?;
        }
        loading.finish().await
    });
    match loaded {
        Ok(mut model) => match block_on(run(&mut model, &ids)) {
            Ok(()) => {}
            Err(error) => assert!(!error.to_string().is_empty() && !error.code().is_empty()),
        },
        Err(error) => assert!(!error.to_string().is_empty() && !error.code().is_empty()),
    }
});

/// A prompt and three tokens, and a vector.
async fn run(model: &mut Model, ids: &[u32]) -> Result<(), Error> {
    // What is no encoder refuses it.
    model.embed(ids).await.ok();
    let mut sequence = model.begin();
    for slice in ids.chunks(model.slice_tokens()) {
        model.feed(&mut sequence, slice)?;
    }
    for _ in 0..3 {
        let id = model.top().await?;
        model.feed(&mut sequence, &[id])?;
    }
    model.end(sequence);
    Ok(())
}
