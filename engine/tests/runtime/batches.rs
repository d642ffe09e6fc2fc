//! Several sequences in one step, several steps in one submission, guesses checked in one slice: each must choose what
//! feeding one token after another chooses. On the CPU, and on the adapter that is there.

use crate::devices;
use crate::one_by_one::one_by_one;
use pith_engine::backend::Device;
use pith_engine::runtime::{Error, Model, Probe, Sequence};
use pith_engine::sampler::{Sampler, SamplerOptions};
use pollster::block_on;

const PROMPTS: [&[u32]; 3] = [&[1, 2, 3, 4, 5], &[40, 7], &[9, 9, 33, 61, 12, 90, 3]];

fn started(model: &mut Model, prompt: &[u32]) -> (Sequence, u32) {
    let mut sequence = model.begin();
    model.feed(&mut sequence, prompt).unwrap();
    let first = block_on(model.top()).unwrap();
    (sequence, first)
}

#[test]
fn a_frame_of_steps_chooses_what_single_steps_choose() {
    for device in devices::cpu_and_webgpu() {
        let mut model = block_on(Probe::default().load(&device)).unwrap();
        let want = one_by_one(&mut model, PROMPTS[0], 21);
        let mut sequence = model.begin();
        let first = model.feed(&mut sequence, PROMPTS[0]).unwrap();
        // Both frames are under way before anything is read.
        let frame = model.go_on(&mut [&mut sequence], 9).unwrap();
        let before = device.counters();
        let next = model.go_on(&mut [&mut sequence], 3).unwrap();
        let after = device.counters();
        assert_eq!(after.submits - before.submits, u64::from(device.info().kind == "webgpu"));
        assert_eq!(after.objects_created, before.objects_created);
        let (mut got, mut ids) = (Vec::new(), Vec::new());
        for choice in [frame, next] {
            block_on(model.chosen(choice, &mut ids)).unwrap();
            got.extend_from_slice(&ids);
        }
        assert_eq!(got, want[1..13]);
        assert!(first.len() == 1 && sequence.len_tokens() == PROMPTS[0].len() + 12);
        // What was chosen too much is taken back.
        model.rewind(&mut sequence, PROMPTS[0].len() + 4).unwrap();
        assert_eq!(model.go_on(&mut [&mut sequence], 1).unwrap_err(), Error::NothingChosen);
        model.feed(&mut sequence, &want[4..5]).unwrap();
        let rest = model.go_on(&mut [&mut sequence], 4).unwrap();
        block_on(model.chosen(rest, &mut ids)).unwrap();
        assert_eq!(ids, want[6..10]);
        model.end(sequence);
    }
}

#[test]
fn sequences_side_by_side_choose_what_each_chooses_alone() {
    // Single steps (0), then frames. The probe has three pages: with two sequences, the table of one grows on the way.
    for (prompts, frames) in [(&PROMPTS[..], [0, 0, 8, 1, 10]), (&PROMPTS[..2], [0, 0, 8, 1, 18])] {
        for device in devices::cpu_and_webgpu() {
            let mut model = block_on(Probe::default().load(&device)).unwrap();
            let want: Vec<Vec<u32>> = prompts.iter().map(|p| one_by_one(&mut model, p, 30)).collect();
            let (mut sequences, mut ids): (Vec<Sequence>, Vec<u32>) =
                prompts.iter().map(|p| started(&mut model, p)).unzip();
            let mut all: Vec<&mut Sequence> = sequences.iter_mut().collect();
            let mut got: Vec<Vec<u32>> = ids.iter().map(|&id| vec![id]).collect();
            for steps in frames {
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
                assert_eq!(got, &want[..got.len()]);
            }
            for sequence in sequences {
                model.end(sequence);
            }
        }
    }
}

#[test]
fn a_guess_is_checked_in_one_slice() {
    for device in devices::cpu_and_webgpu() {
        let mut model = block_on(Probe::default().load(&device)).unwrap();
        let want = one_by_one(&mut model, PROMPTS[2], 10);
        let (mut sequence, first) = started(&mut model, PROMPTS[2]);
        let wrong = (want[3] + 1) % 90;
        let guess = [first, want[1], want[2], wrong, want[4]];
        let choice = model.verify(&mut sequence, &guess).unwrap();
        let mut ids = Vec::new();
        block_on(model.chosen(choice, &mut ids)).unwrap();
        // The third choice contradicts the guess: everything up to it stands.
        assert_eq!(ids[..3], want[1..4]);
        model.rewind(&mut sequence, PROMPTS[2].len() + 3).unwrap();
        let choice = model.verify(&mut sequence, &want[3..9]).unwrap();
        block_on(model.chosen(choice, &mut ids)).unwrap();
        assert_eq!(ids[..5], want[4..9]);
        model.end(sequence);
    }
}

#[test]
fn texts_side_by_side_have_the_vectors_that_each_has_alone() {
    for arch in ["bert", "nomic-bert"] {
        let probe = Probe { arch, encoder: true, rms: false, biases: arch == "bert", ..Probe::default() };
        let probe = Probe { gated: arch != "bert", ..probe };
        for device in devices::cpu_and_webgpu() {
            let mut model = block_on(probe.load(&device)).unwrap();
            let texts: Vec<Vec<u32>> =
                (1..60u32).map(|n| (0..n % 40 + 1).map(|i| i * n % 90).collect()).collect();
            let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
            let together = block_on(model.embed_many(&texts)).unwrap();
            assert_eq!(together.len(), texts.len());
            for (text, vector) in texts.iter().zip(&together) {
                let alone = block_on(model.embed(text)).unwrap();
                let energy: f32 = alone.iter().map(|v| v * v).sum();
                let error: f32 = alone.iter().zip(vector).map(|(a, b)| (a - b).powi(2)).sum();
                assert!(error <= 1e-9 * energy, "{arch}: {} tokens: {error} of {energy}", text.len());
            }
            assert_eq!(block_on(model.embed_many(&[])).unwrap().len(), 0);
        }
    }
}

/// What the host's own sampler makes of the logits of every step.
fn drawn_by_the_host(model: &mut Model, options: &SamplerOptions, prompt: &[u32], count: usize) -> Vec<u32> {
    let mut sampler = Sampler::new(options.clone()).unwrap();
    let mut sequence = model.begin();
    let (mut history, mut logits) = (prompt.to_vec(), Vec::new());
    model.feed(&mut sequence, prompt).unwrap();
    for _ in 0..count {
        block_on(model.logits(&mut logits)).unwrap();
        let id = sampler.sample(&mut logits, &history).unwrap();
        history.push(id);
        model.feed(&mut sequence, &[id]).unwrap();
    }
    model.end(sequence);
    history.split_off(prompt.len())
}

#[test]
fn the_device_draws_what_the_host_draws() {
    let base = SamplerOptions { temperature: 1.5, top_k: 40, seed: 11, ..SamplerOptions::default() };
    let all = [
        base.clone(),
        SamplerOptions { top_k: 64, top_p: 0.8, seed: 3, ..base.clone() },
        SamplerOptions { top_k: 7, min_p: 0.3, ..base.clone() },
        SamplerOptions { temperature: 0.0, top_k: 0, repetition_penalty: 1.7, ..base.clone() },
        SamplerOptions {
            top_p: 0.9,
            min_p: 0.02,
            repetition_penalty: 1.2,
            repetition_window: 9,
            ..base.clone()
        },
    ];
    // Fewer ids than a short list, and several chunks of them.
    for (vocab, all) in [(50, &all[1..2]), (5003, &all[..])] {
        let probe = Probe { vocab, layers: 1, ..Probe::default() };
        for (device, options) in
            devices::cpu_and_webgpu().iter().flat_map(|d| all.iter().map(move |o| (d, o)))
        {
            let mut model = block_on(probe.load(device)).unwrap();
            let want = drawn_by_the_host(&mut model, options, PROMPTS[0], 12);
            let mut sequence = model.begin();
            model.draw_with(&mut sequence, Some(options.clone())).unwrap();
            let mut choices = vec![model.feed(&mut sequence, PROMPTS[0]).unwrap()];
            let (mut got, mut ids) = (Vec::new(), Vec::new());
            for steps in [2, 6, 3] {
                choices.push(model.go_on(&mut [&mut sequence], steps).unwrap());
                if choices.len() == Model::CHOICES_MAX {
                    block_on(model.chosen(choices.remove(0), &mut ids)).unwrap();
                    got.extend_from_slice(&ids);
                }
            }
            for choice in choices {
                block_on(model.chosen(choice, &mut ids)).unwrap();
                got.extend_from_slice(&ids);
            }
            assert_eq!(got, want, "{vocab} ids, {}, {options:?}", device.info().kind);
            model.end(sequence);
        }
    }
    let many = SamplerOptions { top_k: 0, ..base };
    let model = block_on(Probe::default().load(&Device::cpu())).unwrap();
    assert!(!model.can_draw(&many));
}
