// No activation.
fn act(x: f32) -> f32 { return x; }
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
