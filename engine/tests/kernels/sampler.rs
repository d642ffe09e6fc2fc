//! The sampler against distributions worked out by hand.

use std::f32::consts::LN_2;

use pith_engine::sampler::{Logprobs, Sampler, SamplerError, SamplerOptions};

/// Logits whose softmax is 0.5, 0.25, 0.125, 0.0625, 0.0625.
fn halves() -> Vec<f32> {
    [0.5f32, 0.25, 0.125, 0.0625, 0.0625].map(f32::ln).to_vec()
}

/// How often each token comes, of `draws`.
fn shares(options: SamplerOptions, logits: &[f32], history: &[u32], draws: usize) -> Vec<f64> {
    let mut sampler = Sampler::new(options).unwrap();
    let mut counts = vec![0usize; logits.len()];
    for _ in 0..draws {
        counts[sampler.sample(&mut logits.to_vec(), history).unwrap() as usize] += 1;
    }
    counts.into_iter().map(|count| count as f64 / draws as f64).collect()
}

fn warm() -> SamplerOptions {
    SamplerOptions { temperature: 1.0, seed: 42, ..SamplerOptions::default() }
}

#[test]
fn shares_are_those_worked_out_by_hand() {
    let history = [0u32, 0, 1];
    let cases: Vec<(&str, SamplerOptions, [f64; 5])> = vec![
        ("plain", warm(), [0.5, 0.25, 0.125, 0.0625, 0.0625]),
        ("top-k 2", SamplerOptions { top_k: 2, ..warm() }, [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0]),
        (
            "top-k 4: the lower id of equals",
            SamplerOptions { top_k: 4, ..warm() },
            [0.53333, 0.26667, 0.13333, 0.06667, 0.0],
        ),
        (
            "top-k beyond the vocabulary",
            SamplerOptions { top_k: 9, ..warm() },
            [0.5, 0.25, 0.125, 0.0625, 0.0625],
        ),
        // 0.5 + 0.25 = 0.75 reaches 0.7, 0.5 does not.
        ("top-p 0.7", SamplerOptions { top_p: 0.7, ..warm() }, [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0]),
        ("top-p 0.01", SamplerOptions { top_p: 0.01, ..warm() }, [1.0, 0.0, 0.0, 0.0, 0.0]),
        // After top-k 3 the probabilities are 4/7, 2/7, 1/7; two reach 0.8.
        (
            "top-k, then top-p",
            SamplerOptions { top_k: 3, top_p: 0.8, ..warm() },
            [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0],
        ),
        // 0.125 / 0.5 = 0.25 is out, 0.25 / 0.5 stays.
        ("min-p 0.3", SamplerOptions { min_p: 0.3, ..warm() }, [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0]),
        ("min-p 1", SamplerOptions { min_p: 1.0, ..warm() }, [1.0, 0.0, 0.0, 0.0, 0.0]),
        // Squares of the probabilities, normalised: 64, 16, 4, 1, 1 of 86.
        (
            "temperature 0.5",
            SamplerOptions { temperature: 0.5, ..warm() },
            [0.74419, 0.18605, 0.04651, 0.01163, 0.01163],
        ),
        ("temperature 1e-30", SamplerOptions { temperature: 1e-30, ..warm() }, [1.0, 0.0, 0.0, 0.0, 0.0]),
        // Filters see probabilities before the temperature: the same two tokens, then square roots, 1 : sqrt(1/2).
        (
            "top-p, then temperature 2",
            SamplerOptions { top_p: 0.7, temperature: 2.0, ..warm() },
            [0.58579, 0.41421, 0.0, 0.0, 0.0],
        ),
        // All logits are negative: the penalty 2 squares the probabilities of 0 and 1, to 0.25 and 0.0625.
        (
            "penalty 2",
            SamplerOptions { repetition_penalty: 2.0, ..warm() },
            [0.44444, 0.11111, 0.22222, 0.11111, 0.11111],
        ),
        // The history has 0 twice and 1 once. Presence halves both once: 0.25, 0.125, 0.125, 0.0625, 0.0625 of 0.625.
        ("presence penalty", SamplerOptions { presence_penalty: LN_2, ..warm() }, [0.4, 0.2, 0.2, 0.1, 0.1]),
        // Frequency halves 0 twice: 0.125, 0.125, 0.125, 0.0625, 0.0625 of 0.5.
        (
            "frequency penalty",
            SamplerOptions { frequency_penalty: LN_2, ..warm() },
            [0.25, 0.25, 0.25, 0.125, 0.125],
        ),
        // Token 9 is beyond the vocabulary.
        (
            "bias",
            SamplerOptions { bias: vec![(0, -100.0), (2, LN_2), (9, 5.0)], ..warm() },
            [0.0, 0.4, 0.4, 0.1, 0.1],
        ),
        // The window of one holds token 1 only.
        (
            "penalty window",
            SamplerOptions { repetition_penalty: 2.0, repetition_window: 1, ..warm() },
            [0.61538, 0.07692, 0.15385, 0.07692, 0.07692],
        ),
    ];
    for (name, options, expected) in cases {
        let found = shares(options, &halves(), &history, 40_000);
        for (found, expected) in found.iter().zip(expected) {
            // Four standard deviations of a share of 40,000 draws are at most 0.01; what is out never comes.
            assert!(
                (found - expected).abs() < 0.01 && (expected > 0.0 || *found == 0.0),
                "{name}: {found} {expected}"
            );
        }
    }
}

#[test]
fn greedy_takes_the_highest_and_of_equals_the_first() {
    let mut sampler = Sampler::new(SamplerOptions::default()).unwrap();
    assert_eq!(sampler.sample(&mut [1.0, 3.0, 3.0, 2.0], &[]), Ok(1));
    assert_eq!(sampler.sample(&mut [-0.0, 0.0], &[]), Ok(0));
    assert_eq!(sampler.sample(&mut [f32::MIN], &[]), Ok(0));
    let mut penalised =
        Sampler::new(SamplerOptions { repetition_penalty: 2.0, ..SamplerOptions::default() }).unwrap();
    // 3 / 2 < 2; and a negative logit moves down: -1 * 2 < -1.5.
    assert_eq!(penalised.sample(&mut [3.0, 2.0], &[0]), Ok(1));
    assert_eq!(penalised.sample(&mut [-1.0, -1.5], &[0]), Ok(1));
    // Once per token however often it came; ids beyond the vocabulary are nothing.
    assert_eq!(penalised.sample(&mut [3.0, 1.0], &[0, 0, 0, 77]), Ok(0));
}

#[test]
fn the_same_seed_chooses_the_same_tokens() {
    let logits: Vec<f32> = (0..50_000).map(|i| ((i * 7919) % 1000) as f32 / 100.0).collect();
    let run = |seed, top_p| -> Vec<u32> {
        let options = SamplerOptions { temperature: 0.8, top_p, seed, ..SamplerOptions::default() };
        let mut sampler = Sampler::new(options).unwrap();
        (0..20).map(|_| sampler.sample(&mut logits.clone(), &[]).unwrap()).collect()
    };
    assert_eq!(run(1, 0.95), run(1, 0.95));
    assert_ne!(run(1, 0.95), run(2, 0.95));
    // Written down once: other platforms and later versions must choose these too.
    let small = |seed| -> Vec<u32> {
        let mut sampler =
            Sampler::new(SamplerOptions { temperature: 1.0, seed, ..SamplerOptions::default() }).unwrap();
        (0..16).map(|_| sampler.sample(&mut halves(), &[]).unwrap()).collect()
    };
    assert_eq!(small(0), SEED_0);
}

/// What an independent implementation of the same generator draws.
const SEED_0: [u32; 16] = [1, 1, 0, 0, 1, 4, 0, 1, 2, 3, 0, 0, 0, 1, 0, 0];

#[test]
fn top_p_is_right_where_it_needs_more_than_the_first_few_hundred() {
    // 600 equal tokens: p = 0.5 keeps exactly the first 300.
    let options = SamplerOptions { top_p: 0.5, ..warm() };
    let found = shares(options, &[1.5; 600], &[], 4_000);
    assert!(found[..300].iter().all(|&share| share > 0.0));
    assert!(found[300..].iter().all(|&share| share == 0.0));
}

#[test]
fn bad_options_and_bad_logits_are_errors() {
    let nan = f32::NAN;
    let bad = [
        ("temperature", SamplerOptions { temperature: nan, ..warm() }),
        ("temperature", SamplerOptions { temperature: -0.1, ..warm() }),
        ("temperature", SamplerOptions { temperature: f32::INFINITY, ..warm() }),
        ("top_p", SamplerOptions { top_p: 0.0, ..warm() }),
        ("top_p", SamplerOptions { top_p: 1.1, ..warm() }),
        ("top_p", SamplerOptions { top_p: nan, ..warm() }),
        ("min_p", SamplerOptions { min_p: -0.1, ..warm() }),
        ("min_p", SamplerOptions { min_p: 1.1, ..warm() }),
        ("repetition_penalty", SamplerOptions { repetition_penalty: 0.0, ..warm() }),
        ("repetition_penalty", SamplerOptions { repetition_penalty: nan, ..warm() }),
        ("presence_penalty", SamplerOptions { presence_penalty: nan, ..warm() }),
        ("presence_penalty", SamplerOptions { presence_penalty: 101.0, ..warm() }),
        ("frequency_penalty", SamplerOptions { frequency_penalty: -101.0, ..warm() }),
        ("bias", SamplerOptions { bias: vec![(0, 1.0), (1, f32::INFINITY)], ..warm() }),
        ("bias", SamplerOptions { bias: vec![(0, 1.0), (1, -2e30)], ..warm() }),
    ];
    for (expected, options) in bad {
        match Sampler::new(options.clone()) {
            Err(SamplerError::BadOption { name, .. }) => assert_eq!(name, expected),
            other => panic!("{options:?}: {other:?}"),
        }
    }
    for options in [warm(), SamplerOptions::default()] {
        let mut sampler = Sampler::new(options).unwrap();
        assert_eq!(sampler.sample(&mut [], &[]), Err(SamplerError::NoLogits));
        for value in [nan, f32::INFINITY, f32::NEG_INFINITY] {
            let error = sampler.sample(&mut [0.0, 1.0, value], &[]).unwrap_err();
            assert_eq!((error.code(), error), ("non_finite_logits", SamplerError::NonFiniteLogit { id: 2 }));
        }
        // Extreme but finite logits are fine.
        assert_eq!(sampler.sample(&mut [f32::MIN, f32::MAX, 0.0], &[]), Ok(1));
    }
}

#[test]
fn log_probabilities_are_those_of_the_logits_as_they_were() {
    let mut logprobs = Logprobs::default();
    // A constant added to all logits changes nothing.
    for shift in [0.0, 300.0, -300.0] {
        let logits: Vec<f32> = halves().iter().map(|logit| logit + shift).collect();
        logprobs.take(&logits);
        let found = logprobs.of(2, 3);
        assert_eq!((found.id, found.top.len()), (2, 3));
        let close = |found: f32, share: f32| (found - share.ln()).abs() < 1e-4;
        assert!(close(found.logprob, 0.125), "{found:?}");
        for ((id, logprob), (wanted, share)) in found.top.iter().zip([(0, 0.5), (1, 0.25), (2, 0.125)]) {
            assert!(*id == wanted && close(*logprob, share), "{found:?}");
        }
    }
    assert_eq!(logprobs.of(9, 0).logprob, f32::NEG_INFINITY);
    assert_eq!(logprobs.of(0, 99).top.len(), 5);
}
