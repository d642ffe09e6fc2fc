// What every kernel sees: its own constants and what changes from run to run.
struct State { tokens: u32, out_first: u32, out_rows: u32, slot: u32, factor: f32, fresh: u32, feed: u32, pad0: u32 }
@group(0) @binding(1) var<uniform> state: State;
