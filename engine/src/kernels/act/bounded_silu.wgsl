// x / (1 + exp(-1.702 x)) of x up to ACT_BOUND; what it gates is bounded too, plus 1.
const ACT_BOUND = 7.0;
fn act(x: f32) -> f32 {
  let v = min(x, ACT_BOUND);
  return v / (1.0 + exp(min(-1.702 * v, 80.0)));
}
fn gated(gate: f32, up: f32) -> f32 { return act(gate) * (clamp(up, -ACT_BOUND, ACT_BOUND) + 1.0); }
