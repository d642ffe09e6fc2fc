//! A generation chooses the ids that single steps choose, however its work is cut: into slices and frames, with guesses
//! and without, on pages of its own and on another's, and past the end of its context. On the CPU, and on the adapter
//! that is there.

use std::cell::Cell;

use crate::devices;
use pith_engine::backend::Device;
use pith_engine::constraint::Constraint;
use pith_engine::formats::FORMATS;
use pith_engine::runtime::{
    Generation, GenerationCounts, GenerationEvent, GenerationOptions, Model, Overflow, Probe, Sequence,
};
use pith_engine::sampler::{Sampler, SamplerOptions};
use pollster::block_on;

fn load(device: &Device) -> Model {
    block_on(Probe::default().load(device)).unwrap()
}

fn prompt(seed: u32, len: u32) -> Vec<u32> {
    (0..len).map(|i| (i * 37 + seed) % 96).collect()
}

/// Ids that follow a prompt, one step at a time, sampled where there is a sampler.
fn one_by_one(model: &mut Model, prompt: &[u32], count: usize, mut sampler: Option<Sampler>) -> Vec<u32> {
    let mut sequence = model.begin();
    let mut ids = prompt.to_vec();
    feed(model, &mut sequence, prompt);
    while ids.len() < prompt.len() + count {
        let id = match &mut sampler {
            None => block_on(model.top()).unwrap(),
            Some(sampler) => {
                let mut logits = Vec::new();
                block_on(model.logits(&mut logits)).unwrap();
                sampler.sample(&mut logits, &ids).unwrap()
            }
        };
        ids.push(id);
        if sequence.len_tokens() < model.info().context_tokens {
            model.feed(&mut sequence, &[id]).unwrap();
        }
    }
    model.end(sequence);
    ids.split_off(prompt.len())
}

fn feed(model: &mut Model, sequence: &mut Sequence, ids: &[u32]) {
    for slice in ids.chunks(model.slice_tokens()) {
        model.feed(sequence, slice).unwrap();
    }
}

/// Runs a generation to its end, on a clock on which a token takes `ms_each`.
fn generate(
    model: &mut Model,
    prompt: &[u32],
    options: GenerationOptions,
    ms_each: f64,
) -> (Vec<u32>, GenerationCounts) {
    let clock = Cell::new(0.0);
    let now_ms = || {
        clock.set(clock.get() + ms_each);
        clock.get()
    };
    let mut generation = Generation::begin(model, prompt, options).unwrap();
    let (mut ids, mut chosen) = (Vec::new(), Vec::new());
    let mut read = 0;
    loop {
        match block_on(generation.step(model, &now_ms, &mut chosen)).unwrap() {
            GenerationEvent::Read { done, total } => {
                assert!(done <= total && chosen.is_empty());
                read = done;
            }
            GenerationEvent::Chosen => {
                assert!(read >= 1 && !chosen.is_empty());
                ids.extend_from_slice(&chosen);
            }
            GenerationEvent::Complete | GenerationEvent::End => break,
        }
    }
    let counts = generation.counts();
    generation.end(model);
    (ids, counts)
}

fn greedy(tokens_max: usize, prompt_lookup: bool) -> GenerationOptions {
    GenerationOptions { tokens_max, prompt_lookup, ..GenerationOptions::default() }
}

#[test]
fn frames_and_guesses_choose_what_single_steps_choose() {
    for device in devices::cpu_and_webgpu() {
        // With few ids a text repeats itself, and some guesses are right.
        let formats = FORMATS.iter().copied().step_by(5).collect();
        let probe = Probe { vocab: 7, formats, ..Probe::default() };
        let mut model = block_on(probe.load(&device)).unwrap();
        let (mut submissions, mut accepted) = (0, 0);
        for (seed, len) in [(3, 5), (11, 40), (50, 70), (7, 17)] {
            let prompt: Vec<u32> = prompt(seed, len).iter().map(|id| id % 7).collect();
            for tokens_max in [0, 1, 2, 20] {
                let want = one_by_one(&mut model, &prompt, tokens_max, None);
                for prompt_lookup in [false, true] {
                    let before = device.counters();
                    let (got, counts) = generate(&mut model, &prompt, greedy(tokens_max, prompt_lookup), 0.7);
                    assert_eq!(got, want, "{len} tokens, then {tokens_max}, prompt_lookup: {prompt_lookup}");
                    assert_eq!(device.counters().objects_created, before.objects_created);
                    assert!(counts.prompt_lookup.accepted <= counts.prompt_lookup.drafted);
                    submissions += counts.submissions;
                    accepted += counts.prompt_lookup.accepted;
                }
            }
        }
        // Eight times twenty ids and a few: frames have several steps, and this model repeats itself.
        assert!((20..120).contains(&submissions), "{submissions}");
        // By this test's clock the steps of a GPU's frames cost next to nothing, and so no guess is worth its while there.
        assert!(accepted > 10 || device.works_by_itself(), "{accepted}");
    }
}

#[test]
fn a_slow_device_works_in_small_pieces() {
    for device in devices::cpu_and_webgpu() {
        let mut model = load(&device);
        let prompt = prompt(3, 84);
        let (_, fast) = generate(&mut model, &prompt, greedy(12, false), 0.1);
        let mut model = load(&device);
        let (_, slow) = generate(&mut model, &prompt, greedy(12, false), 5000.0);
        // A slice is not cut below a tile, and a GPU's are larger than the slices of this model.
        let slow_slices = if device.info().kind == "webgpu" { 3 } else { 5 };
        assert_eq!((fast.slices, slow.slices), (3, slow_slices));
        assert!(fast.submissions < slow.submissions && slow.submissions >= 9, "{fast:?} {slow:?}");
    }
}

#[test]
fn what_was_read_before_is_not_read_again() {
    for device in devices::cpu_and_webgpu() {
        let mut model = load(&device);
        let first = prompt(3, 70);
        let next = [&first[..60], &prompt(8, 9)[..]].concat();
        // Single steps settle nothing: no page is there for what follows.
        let want = one_by_one(&mut model, &next, 9, None);
        let (answer, counts) = generate(&mut model, &first, greedy(10, true), 1.0);
        assert_eq!((counts.reused, answer.len()), (0, 10));
        let (again, counts) = generate(&mut model, &first, greedy(10, true), 1.0);
        assert_eq!((counts.reused, &again), (64, &answer));
        // What another question has in common with it is there too.
        let (got, counts) = generate(&mut model, &next, greedy(9, true), 1.0);
        assert_eq!((got, counts.reused), (want, 32));
    }
}

#[test]
fn a_full_context_ends_or_slides() {
    for device in devices::cpu_and_webgpu() {
        let mut model = load(&device);
        let context_tokens = model.info().context_tokens;
        let prompt = prompt(3, 40);
        let (got, counts) = generate(&mut model, &prompt, greedy(500, true), 1.0);
        assert_eq!((got.len(), counts.slides), (context_tokens + 1 - 40, 0));

        for keep_tokens in [0, 34] {
            let overflow = Overflow::Slide { keep_tokens };
            let mut want = Vec::new();
            let mut context = prompt.clone();
            while want.len() < 200 {
                let room = (context_tokens + 1 - context.len()).min(200 - want.len());
                let more = one_by_one(&mut model, &context, room, None);
                want.extend_from_slice(&more);
                context.extend_from_slice(&more);
                context = overflow.remaining(&context, context_tokens).unwrap();
            }
            for prompt_lookup in [false, true] {
                let options = GenerationOptions { overflow, ..greedy(200, prompt_lookup) };
                let (got, counts) = generate(&mut model, &prompt, options, 1.0);
                assert_eq!(got, want, "{keep_tokens} kept, prompt_lookup: {prompt_lookup}");
                assert!(counts.slides >= 3, "{counts:?}");
            }
        }
    }
}

#[test]
fn a_sampler_sees_the_logits_of_every_step() {
    for device in devices::cpu_and_webgpu() {
        let mut model = load(&device);
        let prompt = prompt(5, 20);
        for seed in [1, 2] {
            let options = SamplerOptions {
                temperature: 1.0,
                repetition_penalty: 1.3,
                seed,
                ..SamplerOptions::default()
            };
            let sampler = Some(Sampler::new(options.clone()).unwrap());
            let room = model.info().context_tokens + 1 - prompt.len();
            let want = one_by_one(&mut model, &prompt, room, sampler);
            let options = GenerationOptions { sampling: Some(options), ..greedy(500, true) };
            let (got, counts) = generate(&mut model, &prompt, options, 1.0);
            assert_eq!(got, want);
            assert_eq!((counts.submissions, counts.prompt_lookup.drafted), (room - 1, 0));
        }
    }
}

#[test]
fn draws_on_the_device_do_not_depend_on_how_the_work_is_cut() {
    for device in devices::cpu_and_webgpu() {
        let prompt = prompt(5, 50);
        let mut texts = Vec::new();
        for seed in [1, 1, 1, 2] {
            // Another speed, other slices and frames.
            let ms_each = [0.1, 5.0, 900.0, 0.1][texts.len()];
            let mut model = load(&device);
            let sampling =
                SamplerOptions { temperature: 1.0, top_k: 20, top_p: 0.9, seed, ..SamplerOptions::default() };
            let options = GenerationOptions { sampling: Some(sampling), ..greedy(30, true) };
            let (got, counts) = generate(&mut model, &prompt, options, ms_each);
            assert!(got.len() == 30 && counts.submissions <= 30, "{counts:?}");
            texts.push(got);
        }
        assert_eq!((&texts[1], &texts[2]), (&texts[0], &texts[0]));
        assert_ne!(texts[3], texts[0]);
    }
}

/// Runs a generation that changes to another model of the same file after every so many steps.
fn generate_with_losses(
    device: &Device,
    prompt: &[u32],
    options: GenerationOptions,
    every_steps: usize,
) -> (Vec<u32>, GenerationCounts) {
    let mut model = load(device);
    let mut generation = Generation::begin(&mut model, prompt, options).unwrap();
    let (mut ids, mut chosen) = (Vec::new(), Vec::new());
    for step in 1.. {
        match block_on(generation.step(&mut model, &|| 0.0, &mut chosen)).unwrap() {
            GenerationEvent::Read { .. } => {}
            GenerationEvent::Chosen => ids.extend_from_slice(&chosen),
            GenerationEvent::End | GenerationEvent::Complete => break,
        }
        // Reading again takes steps too.
        if step % every_steps == 0 && generation.counts().resumed < 3 {
            model = load(device);
            generation.resume(&mut model).unwrap();
        }
    }
    let counts = generation.counts();
    generation.end(&mut model);
    (ids, counts)
}

#[test]
fn after_a_lost_device_a_generation_goes_on_where_it_was() {
    for device in devices::cpu_and_webgpu() {
        for (seed, len, prompt_lookup) in [(5, 50, false), (11, 40, true)] {
            let prompt = prompt(seed, len);
            for every_steps in [1, 3] {
                let options = || greedy(30, prompt_lookup);
                let (want, _) = generate(&mut load(&device), &prompt, options(), 0.0);
                let (got, counts) = generate_with_losses(&device, &prompt, options(), every_steps);
                assert_eq!(got, want, "every {every_steps} steps");
                assert!(counts.resumed >= 1, "{counts:?}");
                // Drawn here, with the same random numbers as without a loss, and under a constraint.
                let options = || GenerationOptions {
                    sampling: Some(SamplerOptions { temperature: 1.0, seed: 4, ..SamplerOptions::default() }),
                    constraint: Some(Box::<Remainders>::default() as Box<dyn Constraint>),
                    ..greedy(30, false)
                };
                let (want, _) = generate(&mut load(&device), &prompt, options(), 0.0);
                assert_eq!(generate_with_losses(&device, &prompt, options(), every_steps).0, want);
                let options = || GenerationOptions { sampling: None, ..options() };
                let (want, _) = generate(&mut load(&device), &prompt, options(), 0.0);
                assert_eq!(generate_with_losses(&device, &prompt, options(), every_steps).0, want);
            }
        }
    }
}

/// Allows an id by those before it: never one whose remainder is that of the last.
#[derive(Debug, Default)]
struct Remainders {
    last: Option<u32>,
    written_max: Option<usize>,
    written: usize,
}

impl Remainders {
    const OF: u32 = 3;

    fn allow(last: Option<u32>, id: u32) -> bool {
        last.is_none_or(|last| last % Self::OF != id % Self::OF)
    }
}

impl Constraint for Remainders {
    fn allows(&self, id: u32) -> bool {
        Self::allow(self.last, id) && self.written_max.is_none_or(|max| self.written < max)
    }

    fn accept(&mut self, id: u32) {
        (self.last, self.written) = (Some(id), self.written + 1);
    }
}

/// The largest logit that is allowed, step by step.
fn allowed_one_by_one(model: &mut Model, prompt: &[u32], count: usize) -> Vec<u32> {
    let mut sequence = model.begin();
    feed(model, &mut sequence, prompt);
    let mut ids: Vec<u32> = Vec::new();
    while ids.len() < count {
        let mut logits = Vec::new();
        block_on(model.logits(&mut logits)).unwrap();
        let allowed = (0..logits.len() as u32).filter(|&id| Remainders::allow(ids.last().copied(), id));
        let best =
            allowed.reduce(|a, b| if logits[b as usize] > logits[a as usize] { b } else { a }).unwrap();
        ids.push(best);
        model.feed(&mut sequence, &[best]).unwrap();
    }
    model.end(sequence);
    ids
}

#[test]
fn only_what_a_constraint_allows_is_chosen() {
    for device in devices::cpu_and_webgpu() {
        let mut model = load(&device);
        let mut corrected = 0;
        for (seed, len) in [(3, 5), (11, 40), (50, 70), (7, 17)] {
            let prompt = prompt(seed, len);
            let want = allowed_one_by_one(&mut model, &prompt, 20);
            for prompt_lookup in [false, true] {
                let constraint = || Some(Box::<Remainders>::default() as Box<dyn Constraint>);
                let options = GenerationOptions { constraint: constraint(), ..greedy(20, prompt_lookup) };
                let (got, counts) = generate(&mut model, &prompt, options, 0.7);
                assert_eq!(got, want, "{len} tokens, prompt_lookup: {prompt_lookup}");
                corrected += counts.corrected;
                // Sampled here, from the best alone.
                let sampling = SamplerOptions { repetition_window: 0, ..SamplerOptions::default() };
                let options = GenerationOptions {
                    constraint: constraint(),
                    sampling: Some(sampling),
                    ..greedy(20, prompt_lookup)
                };
                assert_eq!(generate(&mut model, &prompt, options, 0.7).0, want, "{len} tokens, sampled");
            }
            let constraint = Remainders { written_max: Some(4), ..Remainders::default() };
            let options = GenerationOptions { constraint: Some(Box::new(constraint)), ..greedy(20, false) };
            assert_eq!(generate(&mut model, &prompt, options, 0.7).0, want[..4], "allows nothing more");
        }
        assert!(corrected > 10, "{corrected}");
    }
}

#[test]
fn log_probabilities_come_with_every_choice_and_change_none() {
    for device in devices::cpu_and_webgpu() {
        let mut model = load(&device);
        let prompt = prompt(11, 40);
        for sampling in
            [None, Some(SamplerOptions { temperature: 1.5, seed: 9, ..SamplerOptions::default() })]
        {
            let options =
                |logprobs| GenerationOptions { logprobs, sampling: sampling.clone(), ..greedy(12, true) };
            let (want, _) = generate(&mut model, &prompt, options(None), 0.7);
            let mut generation = Generation::begin(&mut model, &prompt, options(Some(2))).unwrap();
            let (mut ids, mut chosen, mut logprobs) = (Vec::new(), Vec::new(), Vec::new());
            while block_on(generation.step(&mut model, &|| 0.0, &mut chosen)).unwrap() != GenerationEvent::End
            {
                ids.extend_from_slice(&chosen);
                logprobs.extend(generation.take_logprobs());
            }
            generation.end(&mut model);
            assert_eq!(ids, want);
            assert_eq!(logprobs.iter().map(|one| one.id).collect::<Vec<_>>(), want);
            for one in &logprobs {
                assert!(one.logprob <= 0.0 && one.top.len() == 2 && one.top[0].1 >= one.top[1].1, "{one:?}");
                assert!(one.logprob <= one.top[0].1, "{one:?}");
                assert!(sampling.is_some() || one.id == one.top[0].0, "{one:?}");
            }
        }
    }
}

#[test]
fn options_that_are_none_are_refused() {
    let mut model = load(&Device::cpu());
    let sampling = SamplerOptions { temperature: -1.0, ..SamplerOptions::default() };
    let options = GenerationOptions { sampling: Some(sampling), ..greedy(30, true) };
    let error = Generation::begin(&mut model, &[1], options).unwrap_err();
    assert_eq!(error.code(), "sampler_bad_option");
}
