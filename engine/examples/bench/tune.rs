//! Tries the shapes of kernels on a model, prints what each took, and how fast the model is with the fastest and without.

use std::time::Instant;

use pith_engine::backend::Device;
use pith_engine::runtime::{Tried, Tuner};
use pith_engine::shaders::{Batch, Tuning};

use crate::{Anyhow, Args, load, measure, report};

pub async fn run(args: &Args) -> Anyhow<()> {
    let device = Device::webgpu_as(args.class.map(Tuning::of)).await?;
    let (mut model, _) = load::load(args, &device).await?;
    let Some(mut tuner) = Tuner::new(&model) else { return Err("kernels have one shape here".into()) };
    let begun = Instant::now();
    let now_ms = || begun.elapsed().as_secs_f64() * 1e3;
    println!("{}", device.info().name);
    if let Some(speed) = Tuner::copy_speed(&mut model, &now_ms).await? {
        println!("copies {:.1} GB/s", speed / 1e9);
    }
    while tuner.step(&mut model, &now_ms).await? {}
    tuner.results().iter().for_each(print);
    println!("tried in {:.1} s", begun.elapsed().as_secs_f64());
    drop(model);
    let mut all = device.tuning().into_iter().collect::<Vec<_>>();
    if !all.contains(&tuner.tuning()) {
        all.push(tuner.tuning());
    }
    for tuning in all {
        rates(args, &device.with_tuning(tuning), &tuning).await?;
    }
    Ok(())
}

fn print(tried: &Tried) {
    for (at, shape) in tried.shapes.iter().enumerate() {
        let times = shape.times.iter().map(|time| {
            let per_s = |count: u64| count as f64 / (time.ms / 1e3) / 1e9;
            let speed = match time.batch {
                _ if time.products == 0 => String::new(),
                Batch::One => format!(", {:.1} GB/s", per_s(time.weight_bytes)),
                _ => format!(", {:.1} GFLOP/s", per_s(2 * time.products)),
            };
            let tokens =
                if time.tokens == 1 { "1 token".to_owned() } else { format!("{} tokens", time.tokens) };
            format!("{tokens}: {:.3} ms{speed}", time.ms)
        });
        let mark = if at == tried.fastest { "*" } else { " " };
        println!(
            "{mark} {:<8} {:<16} {}",
            tried.step,
            shape.tuning.name(),
            times.collect::<Vec<_>>().join("; ")
        );
    }
}

/// Tokens per second of prefill and decode with these shapes.
async fn rates(args: &Args, device: &Device, tuning: &Tuning) -> Anyhow<()> {
    let (mut model, load_ms) = load::load(args, device).await?;
    let mut report = report::Report::new(args, device, load_ms);
    measure::generate(args, &mut model, &mut report).await?;
    let [prefill, decode] = report.rates();
    println!("{:<16} prefill {prefill:9.2}  decode {decode:8.2} tokens/s", tuning.name());
    Ok(())
}
