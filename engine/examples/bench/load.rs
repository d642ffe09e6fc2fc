//! A model from a file, transfer by transfer as the worker reads it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::time::Instant;

use pith_engine::backend::Device;
use pith_engine::gguf::{Header, HeaderReader, Progress};
use pith_engine::runtime::{LoadOptions, Loading, Model};

use crate::{Anyhow, Args};

/// The model, and how long it took from opening the file until it could run.
pub async fn load(args: &Args, device: &Device) -> Anyhow<(Model, f64)> {
    let started = Instant::now();
    let mut file = File::open(&args.model).map_err(|e| format!("{}: {e}", args.model.display()))?;
    let header = header(&mut file)?;
    let tokens = args.embed.map_or(args.depth + args.prefill + args.decode, |(_, tokens)| tokens);
    let options = LoadOptions {
        context_tokens: Some((args.batch * (tokens + 32)).next_multiple_of(256)),
        slice_tokens: args.slice,
        cache: args.cache,
        precision: args.precision,
    };
    let mut loading = Loading::start(&header, device, &options).await?;
    let mut buffer = Vec::new();
    while let Some(transfer) = loading.next() {
        buffer.resize(transfer.len_bytes, 0);
        file.seek(SeekFrom::Start(transfer.offset_bytes))?;
        file.read_exact(&mut buffer)?;
        loading.accept(&buffer)?;
        loading.throttle(buffer.len() as u64).await?;
    }
    let model = loading.finish().await?;
    Ok((model, started.elapsed().as_secs_f64() * 1e3))
}

fn header(file: &mut File) -> Anyhow<Header> {
    let mut reader = HeaderReader::new(Some(file.metadata()?.len()));
    let mut chunk = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Err("the header does not end".into());
        }
        if let Progress::Done(header) = reader.push(&chunk[..read])? {
            return Ok(*header);
        }
    }
}
