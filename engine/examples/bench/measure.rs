//! The runs whose times are taken.

use std::time::Instant;

use pith_engine::runtime::{Choice, Model, Sequence};

use crate::report::Report;
use crate::{Anyhow, Args};

/// Ids that are the same every time; control tokens, which stand at the end of vocabularies, are kept clear of.
pub fn prompt(tokens: usize, vocab: usize, seed: u32) -> Vec<u32> {
    let mut state = seed.wrapping_mul(2_654_435_769) | 1;
    let usable = vocab.saturating_sub(1024).max(1) as u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % usable
    };
    (0..tokens).map(|_| next()).collect()
}

/// A prompt in slices; what follows the last of its tokens is chosen.
pub fn feed_prompt(model: &mut Model, sequence: &mut Sequence, ids: &[u32]) -> Anyhow<Choice> {
    let slice_tokens = model.slice_tokens();
    let (first, last) = ids.split_at((ids.len() - 1) / slice_tokens * slice_tokens);
    for slice in first.chunks(slice_tokens) {
        model.prefill(sequence, slice)?;
    }
    Ok(model.feed(sequence, last)?)
}

/// Prefill and decode, so many times; the first run is not counted.
pub async fn generate(args: &Args, model: &mut Model, report: &mut Report) -> Anyhow<()> {
    if args.batch > model.sequences_max() {
        return Err(format!("--batch {}: this model takes {}", args.batch, model.sequences_max()).into());
    }
    let mut ids = Vec::new();
    for run in 0..=args.runs {
        let (mut sequences, mut first, mut prefill_ms) = (Vec::new(), Vec::new(), 0.0);
        for one in 0..args.batch {
            let mut sequence = model.begin();
            let seed = (run * args.batch + one) as u32;
            let all = prompt(args.depth + args.prefill, model.info().vocab, seed);
            let (before, measured) = all.split_at(args.depth);
            if !before.is_empty() {
                let choice = feed_prompt(model, &mut sequence, before)?;
                model.chosen(choice, &mut ids).await?;
            }
            let started = Instant::now();
            let choice = feed_prompt(model, &mut sequence, measured)?;
            model.chosen(choice, &mut ids).await?;
            prefill_ms += started.elapsed().as_secs_f64() * 1e3;
            first.extend(ids.last());
            sequences.push(sequence);
        }
        let before = model.device().counters();
        let started = Instant::now();
        let mut refs: Vec<&mut Sequence> = sequences.iter_mut().collect();
        decode(args, model, &mut refs, &first).await?;
        let decode_ms = started.elapsed().as_secs_f64() * 1e3;
        for sequence in sequences {
            model.end(sequence);
        }
        if run > 0 {
            report.generated(prefill_ms / args.batch as f64, decode_ms, before, model.device().counters());
        }
    }
    Ok(())
}

/// All tokens but the first, which the prompt gave: frames of several steps, the next on its way before one is read.
async fn decode(
    args: &Args,
    model: &mut Model,
    sequences: &mut [&mut Sequence],
    first: &[u32],
) -> Anyhow<()> {
    let mut ids = Vec::new();
    let mut left = args.decode - 1;
    let mut under_way = Some(model.feed_each(sequences, first)?);
    left -= 1;
    while let Some(choice) = under_way.take() {
        let steps = left.min(args.frame).min(Model::STEPS_MAX);
        if steps > 0 {
            under_way = Some(model.go_on(sequences, steps)?);
            left -= steps;
        }
        model.chosen(choice, &mut ids).await?;
    }
    Ok(())
}

/// Vectors of texts, so many times; the first run is not counted.
pub async fn embed(
    args: &Args,
    model: &mut Model,
    texts: usize,
    tokens: usize,
    report: &mut Report,
) -> Anyhow<()> {
    let all: Vec<Vec<u32>> = (0..texts).map(|seed| prompt(tokens, model.info().vocab, seed as u32)).collect();
    let all: Vec<&[u32]> = all.iter().map(Vec::as_slice).collect();
    for run in 0..=args.runs {
        let started = Instant::now();
        model.embed_many(&all).await?;
        if run > 0 {
            report.embedded(texts, started.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok(())
}
