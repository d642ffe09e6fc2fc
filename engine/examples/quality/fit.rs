//! Fits the weights of a sentence's features to facts that people want in a summary: a logistic regression on which sentences have one, with
//! the pages of each fold left out in turn.

use pith_engine::digest::{FEATURE_NAMES, FEATURES};

/// A sentence of a page that may stand in a summary.
pub struct Sample {
    pub features: [f32; FEATURES],
    /// The facts it has: their numbers, and what each weighs.
    pub facts: Vec<(usize, f32)>,
    /// Whether it is a line that no summary should have.
    pub is_poor: bool,
}

/// The sentences of a page, and the sum of what all its facts weigh.
pub struct PageSamples {
    pub samples: Vec<Sample>,
    pub total: f32,
}

const FOLDS: usize = 5;
const ROUNDS: usize = 400;
const RATE: f32 = 0.3;
/// What keeps weights small.
const DECAY: f32 = 0.002;
const LINES: usize = 5;

/// Prints what the weights of each fold find on the pages that it did not see, and the weights of all pages.
pub fn run(pages: &[PageSamples]) {
    let (mut now, mut fitted) = (0.0, 0.0);
    for fold in 0..FOLDS {
        let seen: Vec<&PageSamples> =
            (0..pages.len()).filter(|at| at % FOLDS != fold).map(|at| &pages[at]).collect();
        let unseen: Vec<&PageSamples> =
            (0..pages.len()).filter(|at| at % FOLDS == fold).map(|at| &pages[at]).collect();
        let weights = fit(&seen);
        fitted += unseen.iter().map(|page| found(page, &weights)).sum::<f32>();
        now += unseen.iter().map(|page| found(page, &pith_engine::digest::feature_weights())).sum::<f32>();
    }
    let count = pages.len() as f32;
    println!(
        "share of the facts in the {LINES} best sentences: {:.3} with the present weights, {:.3} with fitted ones, on pages that were left out",
        now / count,
        fitted / count
    );
    for (name, weight) in FEATURE_NAMES.iter().zip(fit(&pages.iter().collect::<Vec<_>>())) {
        println!("{weight:8.2}  {name}");
    }
}

fn fit(pages: &[&PageSamples]) -> [f32; FEATURES] {
    let mut weights = [0.0f32; FEATURES];
    let mut bias = -1.5f32;
    // Every page counts the same.
    for _ in 0..ROUNDS {
        let (mut gradient, mut bias_gradient) = ([0.0f32; FEATURES], 0.0f32);
        for page in pages {
            let share = 1.0 / (page.samples.len().max(1) as f32).sqrt() / pages.len() as f32;
            for sample in &page.samples {
                let sum: f32 = sample.facts.iter().map(|(_, weight)| weight).sum();
                let wanted = if sample.is_poor { 0.0 } else { f32::from(u8::from(sum > 0.0)) };
                let worth = if wanted > 0.0 {
                    1.0 + sum.min(3.0)
                } else {
                    1.0 + 0.5 * f32::from(u8::from(sample.is_poor))
                };
                let value = bias + dot(&sample.features, &weights);
                let error = (1.0 / (1.0 + (-value).exp()) - wanted) * worth * share;
                bias_gradient += error;
                gradient.iter_mut().zip(sample.features).for_each(|(sum, value)| *sum += error * value);
            }
        }
        bias -= RATE * bias_gradient;
        weights
            .iter_mut()
            .zip(gradient)
            .for_each(|(weight, slope)| *weight -= RATE * (slope + DECAY * *weight));
    }
    weights
}

fn dot(features: &[f32; FEATURES], weights: &[f32; FEATURES]) -> f32 {
    features.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// The share of a page's facts that the best sentences have.
fn found(page: &PageSamples, weights: &[f32; FEATURES]) -> f32 {
    let mut order: Vec<&Sample> = page.samples.iter().collect();
    order.sort_by(|a, b| dot(&b.features, weights).total_cmp(&dot(&a.features, weights)));
    let mut facts: Vec<(usize, f32)> = order.iter().take(LINES).flat_map(|one| one.facts.clone()).collect();
    facts.sort_by_key(|fact| fact.0);
    facts.dedup_by_key(|fact| fact.0);
    facts.iter().map(|fact| fact.1).sum::<f32>() / page.total.max(1.0)
}
