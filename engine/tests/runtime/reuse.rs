//! A sequence that begins with another's pages, or that was rewound, answers as one that was fed everything. A text that was begun
//! before goes on as if it had never ended.

use crate::devices;
use pith_engine::backend::Device;
use pith_engine::constraint::Constraint;
use pith_engine::runtime::{Error, Generation, GenerationEvent, GenerationOptions, Model, Probe, Sequence};

fn load() -> Model {
    pollster::block_on(Probe::default().load(&Device::cpu())).unwrap()
}

/// The logits after `ids`, of a sequence that may have the beginning of them.
fn answer(model: &mut Model, sequence: &mut Sequence, ids: &[u32]) -> Vec<f32> {
    for slice in ids[sequence.len_tokens()..].chunks(model.slice_tokens()) {
        model.feed(sequence, slice).unwrap();
    }
    model.settle(sequence, ids);
    let mut logits = Vec::new();
    pollster::block_on(model.logits(&mut logits)).unwrap();
    logits
}

#[track_caller]
fn near(a: &[f32], b: &[f32]) {
    let error: f32 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    let energy: f32 = a.iter().map(|a| a.powi(2)).sum();
    assert!(energy > 0.0 && error / energy < 1e-8, "{error} of {energy}");
}

fn ids(seed: u32, len: u32) -> Vec<u32> {
    (0..len).map(|i| (i * 37 + seed) % 96).collect()
}

#[test]
fn a_second_question_runs_only_what_is_new() {
    let mut model = load();
    let first = ids(3, 70);
    let mut sequence = model.begin_with(&first);
    assert_eq!(sequence.len_tokens(), 0);
    answer(&mut model, &mut sequence, &first);
    model.end(sequence);

    let second = [&first[..66], &ids(50, 20)[..]].concat();
    let mut fresh = model.begin();
    let want = answer(&mut model, &mut fresh, &second);
    model.end(fresh);
    let mut sequence = model.begin_with(&second);
    assert_eq!(sequence.len_tokens(), 64);
    near(&want, &answer(&mut model, &mut sequence, &second));
    model.end(sequence);
}

#[test]
fn a_rewound_sequence_goes_on_from_where_it_was_left() {
    let mut model = load();
    let (long, other) = (ids(3, 80), ids(50, 30));
    for left in [79, 64, 50, 10, 0] {
        let wanted = [&long[..left], &other[..]].concat();
        let wanted = &wanted[..wanted.len().min(90)];
        let mut fresh = model.begin();
        let want = answer(&mut model, &mut fresh, wanted);
        model.end(fresh);
        let mut sequence = model.begin();
        answer(&mut model, &mut sequence, &long);
        assert_eq!(model.rewind(&mut sequence, left).unwrap(), left);
        near(&want, &answer(&mut model, &mut sequence, wanted));
        model.end(sequence);
    }
}

#[test]
fn pages_of_ended_sequences_make_room() {
    let mut model = load();
    for round in 0..5 {
        let prompt = ids(round, 90);
        let mut sequence = model.begin_with(&prompt);
        assert_eq!(sequence.len_tokens(), 0);
        answer(&mut model, &mut sequence, &prompt);
        model.end(sequence);
        assert_eq!(answer_again(&mut model, &prompt), 64);
    }
    let mut sequence = model.begin();
    let all = model.info().context_tokens as u32;
    answer(&mut model, &mut sequence, &ids(1, all));
    let mut other = model.begin();
    assert!(matches!(model.feed(&mut other, &[1]), Err(Error::CacheFull { .. })));
}

/// How much of a prompt was there already.
fn answer_again(model: &mut Model, prompt: &[u32]) -> usize {
    let sequence = model.begin_with(prompt);
    let len_tokens = sequence.len_tokens();
    model.end(sequence);
    len_tokens
}

/// Allows no id twice in a row.
#[derive(Debug, Default)]
struct Other(Option<u32>);

impl Constraint for Other {
    fn allows(&self, id: u32) -> bool {
        self.0 != Some(id)
    }

    fn accept(&mut self, id: u32) {
        self.0 = Some(id);
    }
}

fn generate(model: &mut Model, prompt: &[u32], options: GenerationOptions) -> Vec<u32> {
    let mut generation = Generation::begin(model, prompt, options).unwrap();
    let (mut ids, mut chosen) = (Vec::new(), Vec::new());
    loop {
        match pollster::block_on(generation.step(model, &|| 0.0, &mut chosen)).unwrap() {
            GenerationEvent::Chosen => ids.extend_from_slice(&chosen),
            GenerationEvent::Read { .. } => {}
            GenerationEvent::Complete | GenerationEvent::End => break,
        }
    }
    generation.end(model);
    ids
}

#[test]
fn a_text_that_was_begun_before_goes_on_as_it_would_have() {
    for device in devices::cpu_and_webgpu() {
        let mut model = pollster::block_on(Probe::default().load(&device)).unwrap();
        for (len, has_constraint, prompt_lookup) in [(5, false, true), (40, true, true), (60, true, false)] {
            let options = |written: &[u32]| GenerationOptions {
                tokens_max: 24,
                prompt_lookup,
                constraint: has_constraint.then(|| Box::<Other>::default() as _),
                written: written.to_vec(),
                ..GenerationOptions::default()
            };
            let prompt = ids(11, len);
            let want = generate(&mut model, &prompt, options(&[]));
            assert_eq!(want.len(), 24);
            for written in [1, 11, 23, 24] {
                let rest = generate(&mut model, &prompt, options(&want[..written]));
                assert_eq!(rest, want[written..], "{written} behind {len}");
            }
        }
    }
}
