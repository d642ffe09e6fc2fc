// The square of x, 0 for what is below 0.
fn act(x: f32) -> f32 {
  let v = max(x, 0.0);
  return v * v;
}
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * up; }
