//! Models whose mixers keep states: several sequences in one step, each with a state of its own, must choose what each chooses
//! alone. On the CPU, and on the adapter that is there.

use crate::architectures::models;
use crate::common::gguf_builder::Gguf;
use crate::devices;
use crate::files;
use crate::one_by_one::one_by_one;
use pith_engine::backend::Device;
use pith_engine::runtime::{
    Error, Generation, GenerationEvent, GenerationOptions, LoadOptions, Model, Sequence, Turn,
};
use pollster::block_on;

const ARCHS: [&str; 3] = ["granitehybrid", "lfm2", "qwen35"];
const PROMPTS: [&[u32]; 3] = [&[1, 2, 3, 4, 5], &[40], &[9, 9, 33, 61, 12, 90, 3]];

fn each_model(mut check: impl FnMut(&str, &Device, &mut Model)) {
    let all = models();
    for arch in ARCHS {
        let (fixtures, record) = &all[arch];
        let files = fixtures.files(record).unwrap();
        let header = files::read_headers(&files).unwrap();
        for device in devices::cpu_and_webgpu() {
            let options = LoadOptions { context_tokens: Some(128), ..LoadOptions::default() };
            check(arch, &device, &mut block_on(files::load(&files, &header, &device, &options)).unwrap());
        }
    }
}

#[test]
fn sequences_with_states_go_on_together_as_each_does_alone() {
    each_model(|arch, device, model| {
        let most = model.sequences_max();
        assert!(most == 2 || device.works_by_itself() && most >= 3, "{arch}: {most}");
        let prompts = &PROMPTS[..most.min(PROMPTS.len())];
        let want: Vec<Vec<u32>> = prompts.iter().map(|prompt| one_by_one(model, prompt, 30)).collect();
        // One of them begins within the first step of all; what lies in its slot is of another.
        let mut sequences: Vec<Sequence> = prompts.iter().map(|_| model.begin()).collect();
        let mut ids = Vec::new();
        for (sequence, prompt) in sequences.iter_mut().zip(prompts) {
            let (last, before) = prompt.split_last().unwrap();
            if !before.is_empty() {
                model.prefill(sequence, before).unwrap();
            }
            ids.push(*last);
        }
        let mut all: Vec<&mut Sequence> = sequences.iter_mut().collect();
        let mut got: Vec<Vec<u32>> = vec![Vec::new(); prompts.len()];
        // Single steps (0), then frames.
        for steps in [0, 0, 8, 1, 10] {
            let choice = match steps {
                0 => model.feed_each(&mut all, &ids).unwrap(),
                n => model.go_on(&mut all, n).unwrap(),
            };
            block_on(model.chosen(choice, &mut ids)).unwrap();
            for row in ids.chunks(prompts.len()) {
                got.iter_mut().zip(row).for_each(|(got, id)| got.push(*id));
            }
            ids = ids.split_off(ids.len() - prompts.len());
        }
        for (got, want) in got.iter().zip(&want) {
            assert_eq!(got, &want[..got.len()], "{arch} on {}", device.info().kind);
        }
        // Another begins in a slot that one has left, while the others keep theirs.
        model.end(sequences.remove(0));
        let mut sequence = model.begin();
        model.feed(&mut sequence, prompts[0]).unwrap();
        assert_eq!(block_on(model.top()).unwrap(), want[0][0], "{arch} on {}", device.info().kind);
        sequences.push(sequence);
        for sequence in sequences {
            model.end(sequence);
        }
    });
}

#[test]
fn more_sequences_than_states_are_refused_until_one_ends() {
    each_model(|arch, _, model| {
        let mut sequences = Vec::new();
        let refused = loop {
            assert!(sequences.len() <= 8, "{arch}");
            let mut sequence = model.begin();
            match model.feed(&mut sequence, &[1, 2]) {
                Ok(_) => sequences.push(sequence),
                Err(error) => break error,
            }
        };
        assert!(matches!(refused, Error::CacheFull { .. }) && sequences.len() >= 2, "{arch}: {refused}");
        model.end(sequences.remove(0));
        let mut sequence = model.begin();
        model.feed(&mut sequence, &[1, 2]).unwrap();
    });
}

#[test]
fn texts_with_states_share_steps_on_a_gpu() {
    each_model(|arch, device, model| {
        let want: Vec<Vec<u32>> = PROMPTS.iter().map(|prompt| one_by_one(model, prompt, 12)).collect();
        let options = || GenerationOptions { tokens_max: 12, ..GenerationOptions::default() };
        let mut going: Vec<(usize, Generation)> = (0..)
            .zip(PROMPTS)
            .map(|(at, prompt)| (at, Generation::begin(model, prompt, options()).unwrap()))
            .collect();
        let mut got = vec![Vec::new(); PROMPTS.len()];
        let (mut shared, mut turns) = (0, Vec::<Turn>::new());
        while !going.is_empty() {
            let mut all: Vec<&mut Generation> = going.iter_mut().map(|(_, generation)| generation).collect();
            block_on(Generation::step_all(model, &mut all, &|| 0.0, &mut turns));
            let mut left = Vec::new();
            for ((at, generation), turn) in going.into_iter().zip(&turns) {
                got[at].extend_from_slice(&turn.chosen);
                match &turn.event {
                    Some(Ok(GenerationEvent::End | GenerationEvent::Complete)) => {
                        shared += generation.counts().shared;
                        generation.end(model);
                    }
                    Some(Err(error)) => panic!("{arch}: {error}"),
                    _ => left.push((at, generation)),
                }
            }
            going = left;
        }
        for (got, want) in got.iter().zip(&want) {
            assert_eq!(got, &want[..got.len()], "{arch} on {}", device.info().kind);
        }
        assert_eq!(shared > 0, device.works_by_itself(), "{arch}: {shared}");
    });
}

/// A file may ask for vectors of such a model: the texts of a slice would share a state.
#[test]
fn texts_have_the_vectors_that_each_has_alone() {
    let all = models();
    for arch in ARCHS {
        let (fixtures, record) = &all[arch];
        let file = fixtures.files(record).unwrap().swap_remove(0);
        let header = files::read_header(&file).unwrap();
        let mut pooled = Gguf::of(&header);
        pooled.set(&format!("{arch}.pooling_type"), 4, 3_u32.to_le_bytes());
        pooled.tensors.iter_mut().for_each(|tensor| tensor.offset -= header.data_offset_bytes);
        let mut bytes = pooled.header_bytes();
        bytes.resize(bytes.len().next_multiple_of(32), 0);
        bytes.extend_from_slice(&file[header.data_offset_bytes as usize..]);
        let files = [bytes];
        let header = files::read_headers(&files).unwrap();
        for device in devices::cpu_and_webgpu() {
            let options = LoadOptions { context_tokens: Some(128), ..LoadOptions::default() };
            let mut model = block_on(files::load(&files, &header, &device, &options)).unwrap();
            let together = block_on(model.embed_many(&PROMPTS)).unwrap();
            for (text, vector) in PROMPTS.iter().zip(&together) {
                let alone = block_on(model.embed(text)).unwrap();
                let energy: f32 = alone.iter().map(|v| v * v).sum();
                let error: f32 = alone.iter().zip(vector).map(|(a, b)| (a - b).powi(2)).sum();
                assert!(error <= 1e-9 * energy, "{arch}: {} tokens: {error} of {energy}", text.len());
            }
        }
    }
}
