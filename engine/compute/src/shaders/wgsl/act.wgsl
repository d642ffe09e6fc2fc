//# none
// No activation.
fn act(x: f32) -> f32 { return x; }
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
//# silu
// x / (1 + exp(-x)); the bound keeps exp finite, where WGSL promises nothing about infinities.
fn act(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
//# gelu
// The tanh form of GELU; tanh is 1 in f32 long before the bound.
fn act(x: f32) -> f32 {
  return 0.5 * x * (1.0 + tanh(clamp(0.7978845608 * x * (1.0 + 0.044715 * x * x), -15.0, 15.0)));
}
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
//# relu_squared
// The square of x, 0 for what is below 0.
fn act(x: f32) -> f32 {
  let v = max(x, 0.0);
  return v * v;
}
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
//# bounded_silu
// x / (1 + exp(-1.702 x)) of x up to ACT_BOUND; what it gates is bounded too, plus 1.
const ACT_BOUND = 7.0;
fn act(x: f32) -> f32 {
  let v = min(x, ACT_BOUND);
  return v / (1.0 + exp(min(-1.702 * v, 80.0)));
}
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * (clamp(up, -ACT_BOUND, ACT_BOUND) + 1.0); }
