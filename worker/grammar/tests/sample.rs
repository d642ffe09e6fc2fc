//! A sample of JSON schemas, one in each file of the folder `PITH_SCHEMAS`: how many are accepted, whether random texts meet them,
//! and what masks cost. Skipped where the folder is not named.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{Random, reference, smollm2, tokenizer, vocabulary, walk};
use pith_grammar::Format;
use serde_json::Value;

#[test]
fn random_texts_meet_a_sample_of_schemas() {
    let Some(folder) = std::env::var_os("PITH_SCHEMAS").map(PathBuf::from) else {
        println!("skipped: PITH_SCHEMAS names no folder");
        return;
    };
    let tokenizer = tokenizer(&smollm2().unwrap_or_else(|| reference("smollm2.Q8_0.gguf")));
    let start = Instant::now();
    let vocabulary = vocabulary(&tokenizer);
    println!("vocabulary of {} tokens: {:?}", tokenizer.vocab_len(), start.elapsed());
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut accepted, mut complete, mut unchecked) = (0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut masks, mut compiles, mut wrong, mut failed) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for file in &files {
        let schema = std::fs::read_to_string(file).unwrap();
        let start = Instant::now();
        let result = vocabulary.compile(Format::JsonSchema, &schema).map(|_| ());
        compiles.push(start.elapsed());
        if let Err(fault) = result {
            println!("refused {}: {fault}", file.display());
            *refused.entry(fault.to_string().chars().take(400).collect()).or_default() += 1;
            continue;
        }
        accepted += 1;
        let value: Value = serde_json::from_str(&schema).unwrap();
        let validator = jsonschema::options().should_validate_formats(true).build(&value).ok();
        for seed in 1..=2 {
            let mut matcher = vocabulary.compile(Format::JsonSchema, &schema).unwrap();
            let walk = match walk(&mut matcher, &tokenizer, &mut Random(seed * 7919), 150) {
                Ok(walk) => walk,
                Err(fault) => {
                    failed += 1;
                    println!("{}: {fault}", file.display());
                    continue;
                }
            };
            masks.extend(walk.masks);
            if !walk.is_complete {
                continue;
            }
            complete += 1;
            // A number beyond those that the reader takes.
            let Ok(text) = serde_json::from_str::<Value>(&walk.text) else {
                unchecked += 1;
                continue;
            };
            match &validator {
                Some(validator) if !validator.is_valid(&text) => wrong.push((file.clone(), walk.text)),
                Some(_) => {}
                None => unchecked += 1,
            }
        }
    }
    let cost = |mut all: Vec<Duration>| {
        all.sort();
        let mean = all.iter().sum::<Duration>() / all.len().max(1) as u32;
        (all.len(), mean, all[all.len() * 99 / 100], *all.last().unwrap())
    };
    println!("{} schemas, {accepted} accepted", files.len());
    println!(
        "complete texts: {complete}, {unchecked} of them not checked: no validator, or a number that it cannot read; walks that failed: {failed}"
    );
    println!("masks (count, mean, p99, most): {:?}", cost(masks));
    println!("compilation (count, mean, p99, most): {:?}", cost(compiles));
    let mut refused: Vec<_> = refused.into_iter().collect();
    refused.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (why, count) in refused.iter().take(400) {
        println!("refused {count}: {why}");
    }
    for (file, text) in &wrong {
        println!("does not meet {}: {text}", file.display());
    }
    println!("texts that do not meet their schemas: {}", wrong.len());
}
