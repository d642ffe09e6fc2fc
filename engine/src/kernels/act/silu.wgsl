// x / (1 + exp(-x)); the bound keeps exp finite, where WGSL promises nothing about infinities.
fn act(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
