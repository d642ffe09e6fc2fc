// What every kernel sees: its own constants and what changes from run to run.
struct State { tokens: u32, position: u32, out_first: u32, out_rows: u32 }
@group(0) @binding(1) var<uniform> state: State;
