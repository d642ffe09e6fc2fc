// Sequences of a slice: one with all of its tokens, or several with a token each.
fn slot_of(sequence: u32) -> u32 { return (state.slots >> (4u * sequence)) & 15u; }
fn starts(sequence: u32) -> bool { return ((state.fresh >> sequence) & 1u) == 1u; }
fn first_token(sequence: u32) -> u32 { return select(0u, sequence, state.sequences > 1u); }
fn end_token(sequence: u32) -> u32 { return select(state.tokens, sequence + 1u, state.sequences > 1u); }
