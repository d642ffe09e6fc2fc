// The tanh form of GELU; tanh is 1 in f32 long before the bound.
fn act(x: f32) -> f32 {
  return 0.5 * x * (1.0 + tanh(clamp(0.7978845608 * x * (1.0 + 0.044715 * x * x), -15.0, 15.0)));
}
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
