//! Generations side by side give the ids that each gives alone, whenever they join and leave, whether the device chooses or the host,
//! and where the KV cache has no room for all of them. On the CPU, and on the adapter that is there.

use crate::devices;
use pith_engine::backend::Device;
use pith_engine::constraint::Constraint;
use pith_engine::runtime::{
    Generation, GenerationCounts, GenerationEvent, GenerationOptions, Model, Overflow, Probe, Turn,
};
use pith_engine::sampler::SamplerOptions;
use pollster::block_on;

fn load(device: &Device) -> Model {
    block_on(Probe::default().load(device)).unwrap()
}

/// What one is asked for.
struct Order {
    prompt: Vec<u32>,
    options: fn() -> GenerationOptions,
    /// The round before which it joins.
    joins: usize,
}

/// No id that four divides.
#[derive(Debug)]
struct Indivisible;

impl Constraint for Indivisible {
    fn allows(&self, id: u32) -> bool {
        !id.is_multiple_of(4)
    }

    fn accept(&mut self, _: u32) {}
}

fn order(seed: u32, len: u32, joins: usize, options: fn() -> GenerationOptions) -> Order {
    Order { prompt: (0..len).map(|i| (i * 37 + seed) % 96).collect(), options, joins }
}

fn greedy() -> GenerationOptions {
    GenerationOptions { tokens_max: 14, ..GenerationOptions::default() }
}

fn guessing() -> GenerationOptions {
    GenerationOptions { prompt_lookup: true, ..greedy() }
}

fn drawn(top_k: usize) -> GenerationOptions {
    let sampling = SamplerOptions { temperature: 0.9, top_k, seed: 7, ..SamplerOptions::default() };
    GenerationOptions { sampling: Some(sampling), ..greedy() }
}

/// From a short list, which a device can.
fn drawn_there() -> GenerationOptions {
    drawn(20)
}

/// From the whole vocabulary, which the host does.
fn drawn_here() -> GenerationOptions {
    drawn(0)
}

/// With log probabilities.
fn told() -> GenerationOptions {
    GenerationOptions { logprobs: Some(2), ..greedy() }
}

/// Drawn from what a constraint allows.
fn masked() -> GenerationOptions {
    GenerationOptions { constraint: Some(Box::new(Indivisible)), ..drawn_here() }
}

fn constrained() -> GenerationOptions {
    GenerationOptions { constraint: Some(Box::new(Indivisible)), ..greedy() }
}

fn sliding() -> GenerationOptions {
    GenerationOptions { tokens_max: 40, overflow: Overflow::Slide { keep_tokens: 4 }, ..greedy() }
}

/// Runs orders side by side until all have ended. `disturb` is called between two rounds.
fn run(
    model: &mut Model,
    orders: &[Order],
    mut disturb: impl FnMut(usize, &mut Model, &mut [(usize, Generation)]) -> Vec<(usize, Vec<u32>)>,
) -> Vec<(Vec<u32>, GenerationCounts)> {
    let mut results: Vec<(Vec<u32>, GenerationCounts)> =
        orders.iter().map(|_| (Vec::new(), GenerationCounts::default())).collect();
    let mut active: Vec<(usize, Generation)> = Vec::new();
    let mut turns: Vec<Turn> = Vec::new();
    for round in 0..1000 {
        for (at, order) in orders.iter().enumerate().filter(|(_, order)| order.joins == round) {
            active.push((at, Generation::begin(model, &order.prompt, (order.options)()).unwrap()));
        }
        for (at, chosen) in disturb(round, model, &mut active) {
            results[at].0.extend(chosen);
        }
        if active.is_empty() && orders.iter().all(|order| order.joins <= round) {
            return results;
        }
        let mut all: Vec<&mut Generation> = active.iter_mut().map(|(_, generation)| generation).collect();
        block_on(Generation::step_all(model, &mut all, &|| 0.0, &mut turns));
        let mut going = Vec::new();
        for ((at, generation), turn) in std::mem::take(&mut active).into_iter().zip(&turns) {
            results[at].0.extend_from_slice(&turn.chosen);
            match &turn.event {
                Some(Ok(GenerationEvent::End | GenerationEvent::Complete)) => {
                    results[at].1 = generation.counts();
                    generation.end(model);
                }
                Some(Err(error)) => panic!("order {at}, round {round}: {error}"),
                _ => going.push((at, generation)),
            }
        }
        active = going;
    }
    panic!("they do not end");
}

fn alone(device: &Device, order: &Order) -> Vec<u32> {
    let first = Order { prompt: order.prompt.clone(), options: order.options, joins: 0 };
    run(&mut load(device), &[first], |_, _, _| Vec::new()).remove(0).0
}

fn expect_as_alone(device: &Device, orders: &[Order], results: &[(Vec<u32>, GenerationCounts)]) {
    for (at, (order, (ids, _))) in orders.iter().zip(results).enumerate() {
        assert_eq!(ids, &alone(device, order), "order {at} on {}", device.info().kind);
    }
}

#[test]
fn those_that_a_gpu_chooses_for_take_steps_together() {
    let orders = [
        order(1, 5, 0, greedy),
        order(8, 9, 0, drawn_there),
        order(20, 3, 3, guessing),
        order(11, 4, 1, constrained),
    ];
    for device in devices::cpu_and_webgpu() {
        let results = run(&mut load(&device), &orders, |_, _, _| Vec::new());
        expect_as_alone(&device, &orders, &results);
        for (_, counts) in &results {
            assert_eq!(counts.shared > 0, device.works_by_itself(), "{counts:?}");
        }
        assert!(results[3].1.corrected > 0);
    }
}

#[test]
fn host_samplers_constraints_and_slides_go_on_beside_others() {
    let options = [greedy, drawn_here, constrained, drawn_there, sliding, masked];
    for shift in 0..options.len() {
        let orders: Vec<Order> = (0..3)
            .map(|at| {
                order(11 * at as u32, 4 + at as u32, [0, 2, 5][at], options[(at + shift) % options.len()])
            })
            .collect();
        for device in devices::cpu_and_webgpu() {
            let results = run(&mut load(&device), &orders, |_, _, _| Vec::new());
            expect_as_alone(&device, &orders, &results);
        }
    }
}

#[test]
fn where_the_cache_has_no_room_the_last_ones_wait() {
    // The probe has three pages of 32 tokens.
    let long = || GenerationOptions { tokens_max: 45, ..GenerationOptions::default() };
    let drawn_long = || GenerationOptions { tokens_max: 45, ..drawn_there() };
    let orders = [order(1, 30, 0, long), order(2, 25, 1, drawn_long), order(3, 20, 2, drawn_here)];
    for device in devices::cpu_and_webgpu() {
        let results = run(&mut load(&device), &orders, |_, _, _| Vec::new());
        expect_as_alone(&device, &orders, &results);
    }
}

#[test]
fn they_go_on_after_something_else_has_used_the_model() {
    let options = [greedy, drawn_here, constrained, drawn_there, told];
    let orders: Vec<Order> =
        (0..5).map(|at| order(7 * at as u32, 5, [0, 0, 1, 2, 2][at], options[at])).collect();
    for device in devices::cpu_and_webgpu() {
        let results = run(&mut load(&device), &orders, |round, model, active| {
            if !(round + 1).is_multiple_of(3) {
                return Vec::new();
            }
            let mut all = Vec::new();
            for (at, generation) in active {
                let mut chosen = Vec::new();
                block_on(generation.pause(model, &|| 0.0, &mut chosen)).unwrap();
                all.push((*at, chosen));
            }
            let mut sequence = model.begin();
            model.feed(&mut sequence, &[3; 16]).unwrap();
            model.end(sequence);
            all
        });
        expect_as_alone(&device, &orders, &results);
    }
}

#[test]
fn what_begins_alike_is_read_once() {
    // The probe has three pages: one for both, and one more for each.
    let orders = [order(5, 40, 0, drawn_here), order(5, 40, 0, greedy)];
    for device in devices::cpu_and_webgpu() {
        let results = run(&mut load(&device), &orders, |_, _, _| Vec::new());
        expect_as_alone(&device, &orders, &results);
        let reused: Vec<usize> = results.iter().map(|(_, counts)| counts.reused).collect();
        assert_eq!(reused, [0, 32], "{}", device.info().kind);
    }
}
