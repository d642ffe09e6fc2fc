//! Where the GPU's time goes: every kernel's share of a prompt and of a decode step, and how fast it reads weights.

use std::collections::BTreeMap;
use std::time::Instant;

use pith_engine::backend::KernelTime;
use pith_engine::runtime::Model;
use serde_json::json;

use crate::measure::{feed_prompt, prompt};
use crate::{Anyhow, Args};

/// Bytes that the copy bandwidth is measured with; the adapter may allow less.
const COPY_BYTES: u64 = 256 << 20;
const COPIES: u32 = 8;

/// Prints the shares of a prompt, then those of decode steps one by one.
pub async fn run(args: &Args, model: &mut Model) -> Anyhow<()> {
    let copy_gbps = copy_gbps().await?;
    if !args.json {
        println!("copying: {copy_gbps:.1} GB/s, bytes read and written counted each");
    }
    let mut ids = Vec::new();
    for run in 0..2 {
        let mut sequence = model.begin();
        let all = prompt(args.depth + args.prefill, model.info().vocab, run);
        let (before, measured) = all.split_at(args.depth);
        if !before.is_empty() {
            let choice = feed_prompt(model, &mut sequence, before)?;
            model.chosen(choice, &mut ids).await?;
        }
        model.device().kernel_times().await?;
        let mut prefill = Shares::default();
        for slice in measured.chunks(model.slice_tokens()) {
            let choice = model.feed(&mut sequence, slice)?;
            model.chosen(choice, &mut ids).await?;
            prefill.add(model.device().kernel_times().await?);
        }
        let mut decode = Shares::default();
        for _ in 1..args.decode {
            let choice = model.feed(&mut sequence, &ids.clone())?;
            model.chosen(choice, &mut ids).await?;
            decode.add(model.device().kernel_times().await?);
        }
        model.end(sequence);
        // The first run warms up.
        if run == 1 {
            prefill.print(args, "prefill", measured.len(), copy_gbps);
            decode.print(args, "decode", args.decode - 1, copy_gbps);
        }
    }
    Ok(())
}

#[derive(Default, Clone)]
struct Share {
    count: usize,
    time_ns: f64,
    weight_bytes: u64,
}

#[derive(Default)]
struct Shares(BTreeMap<String, Share>);

impl Shares {
    fn add(&mut self, times: Vec<KernelTime>) {
        for KernelTime { kernel, time_ns, weight_bytes } in times {
            let share = self.0.entry(kernel).or_default();
            share.count += 1;
            share.time_ns += time_ns;
            share.weight_bytes += weight_bytes;
        }
    }

    fn print(&self, args: &Args, phase: &str, tokens: usize, copy_gbps: f64) {
        let total_ns: f64 = self.0.values().map(|share| share.time_ns).sum();
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by(|(_, a), (_, b)| b.time_ns.total_cmp(&a.time_ns));
        if rows.is_empty() {
            println!("{phase}: this adapter has no timestamps");
            return;
        }
        let per_token = |value: f64| value / tokens as f64;
        if !args.json {
            println!("\n{phase}: {:.1} us of kernels per token", per_token(total_ns) / 1e3);
            println!("{:>6} {:>12} {:>9} {:>9}  kernel", "share", "us/token", "calls", "GB/s");
        }
        for (kernel, share) in rows {
            let gbps = share.weight_bytes as f64 / share.time_ns;
            let (us, calls) = (per_token(share.time_ns) / 1e3, per_token(share.count as f64));
            if args.json {
                let line = json!({
                    "phase": phase, "kernel": kernel, "us_per_token": us, "calls_per_token": calls,
                    "share": share.time_ns / total_ns, "weight_gbps": gbps, "copy_gbps": copy_gbps,
                });
                println!("{line}");
            } else {
                let gbps = if share.weight_bytes > 0 { format!("{gbps:.2}") } else { String::new() };
                let percent = 100.0 * share.time_ns / total_ns;
                println!("{percent:>5.1}% {us:>12.1} {calls:>9.2} {gbps:>9}  {kernel}");
            }
        }
    }
}

/// How fast the adapter copies between two large buffers: what memory can give at best.
async fn copy_gbps() -> Anyhow<f64> {
    use wgpu::BufferUsages as Usage;
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN;
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    let adapter = wgpu::Instance::new(descriptor).request_adapter(&options).await?;
    let limits = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
    let (device, queue) = adapter.request_device(&limits).await?;
    let size = COPY_BYTES.min(adapter.limits().max_buffer_size);
    let buffer = || {
        let usage = Usage::COPY_SRC | Usage::COPY_DST;
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let (from, to) = (buffer(), buffer());
    let mut best = 0.0_f64;
    // The first time touches the memory.
    for _ in 0..4 {
        let started = Instant::now();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for _ in 0..COPIES {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, size);
        }
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let bytes = 2.0 * f64::from(COPIES) * size as f64;
        best = best.max(bytes / started.elapsed().as_nanos() as f64);
    }
    Ok(best)
}
