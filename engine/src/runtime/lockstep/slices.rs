//! The slices that run: many tokens of a sequence, few, one, and one of each of several sequences.

use crate::plan::{PAGE_TOKENS, State, Token};
use crate::planner::Plan;

/// Those after the first: few tokens, and one.
const FEWER: [usize; 2] = [3, 1];
/// Tokens of the last one, each of another sequence.
const BESIDE: usize = 2;

/// A slice.
pub struct Slice {
    pub tokens: Vec<Token>,
    pub state: State,
    /// True where no two tokens are of the same sequence.
    pub one_each: bool,
}

/// All of them; of an encoder the first.
pub fn slices(plan: &Plan, ids: &[u32]) -> Vec<Slice> {
    let (encoder, many) = (plan.spec.pooling.is_some(), plan.layout.options.slice_tokens);
    let mut all = Vec::new();
    let mut position = 0;
    let counts = [many, FEWER[0], FEWER[1]];
    for &count in &counts[..if encoder { 1 } else { counts.len() }] {
        let tokens = (0..count).map(|i| token(ids, position + i, position + count)).collect();
        all.push(slice(tokens, &[position], encoder));
        position += count;
    }
    if !encoder && takes_steps_together(plan, position + 1) {
        // The others begin, in pages of their own.
        let own_pages = |i: usize| plan.layout.kv_pages - i;
        let others = (1..BESIDE).map(|i| Token { pages_first: own_pages(i) as u32, ..token(ids, 0, 1) });
        let tokens = std::iter::once(token(ids, position, position + 1)).chain(others).collect();
        let mut positions = [0; BESIDE];
        positions[0] = position;
        all.push(slice(tokens, &positions, false));
    }
    all
}

/// `positions`: where each sequence goes on.
fn slice(tokens: Vec<Token>, positions: &[usize], encoder: bool) -> Slice {
    let count = tokens.len() as u32;
    let out_first = if encoder { 0 } else { count - 1 };
    let mut state = State { tokens: count, out_first, out_rows: 1, ..State::default() };
    for (slot, &position) in positions.iter().enumerate() {
        state.push(slot as u32, position == 0);
    }
    Slice { one_each: tokens.len() == positions.len(), tokens, state }
}

fn token(ids: &[u32], position: usize, end: usize) -> Token {
    Token { id: ids[position % ids.len()], position: position as u32, pages_first: 0, end: end as u32 }
}

/// True where steps of several sequences are another case than slices of one, since mixers keep states, and where each
/// sequence has a page. The first has `own_tokens`.
fn takes_steps_together(plan: &Plan, own_tokens: usize) -> bool {
    let layout = &plan.layout;
    let has_pages = own_tokens.div_ceil(PAGE_TOKENS) + BESIDE <= layout.kv_pages + 1;
    layout.state_slots.is_some() && layout.sequences_max() >= BESIDE && has_pages
}
