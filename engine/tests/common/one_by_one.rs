//! What follows a prompt, as nothing but single steps give it.

use pith_engine::runtime::Model;
use pollster::block_on;

/// The ids that follow a prompt, one token at a time.
pub fn one_by_one(model: &mut Model, prompt: &[u32], count: usize) -> Vec<u32> {
    let mut sequence = model.begin();
    model.feed(&mut sequence, prompt).unwrap();
    let mut ids = Vec::new();
    for _ in 0..count {
        let id = block_on(model.top()).unwrap();
        ids.push(id);
        model.feed(&mut sequence, &[id]).unwrap();
    }
    model.end(sequence);
    ids
}
