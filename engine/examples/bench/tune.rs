//! Tries the shapes of product kernels on the adapter that is there, and prints the row of `shaders/tuning.rs` that is fastest.

use pith_engine::backend::Device;
use pith_engine::shaders::{Class, TILES, Tuning};

use crate::{Anyhow, Args, load, measure, report};

/// Threads that a product for one token should keep busy; none: no thread shares its rows.
const THREADS: [Option<u32>; 5] = [None, Some(2 << 10), Some(8 << 10), Some(32 << 10), Some(128 << 10)];

/// Tiles decide prefill, threads decode, so that one is tried after the other.
pub async fn run(args: &Args) -> Anyhow<()> {
    let mut best = Tuning::of(Class::Unknown);
    let mut fastest = 0.0;
    for tile in TILES {
        let tuning = Tuning { tile, ..best };
        let [prefill, _] = rates(args, tuning).await?;
        if prefill > fastest {
            (best, fastest) = (tuning, prefill);
        }
    }
    fastest = 0.0;
    for threads in THREADS {
        let tuning = Tuning { threads, ..best };
        let [_, decode] = rates(args, tuning).await?;
        if decode > fastest {
            (best, fastest) = (tuning, decode);
        }
    }
    println!("fastest: {best:?}");
    Ok(())
}

/// Tokens per second of prefill and decode, printed on the way.
async fn rates(args: &Args, tuning: Tuning) -> Anyhow<[f64; 2]> {
    let device = Device::webgpu_as(Some(tuning)).await?;
    let (mut model, load_ms) = load::load(args, &device).await?;
    let mut report = report::Report::new(args, &device, load_ms);
    measure::generate(args, &mut model, &mut report).await?;
    let [prefill, decode] = report.rates();
    println!("prefill {prefill:9.2}  decode {decode:8.2} tokens/s  {tuning:?}");
    Ok([prefill, decode])
}
