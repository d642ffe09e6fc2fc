// input = x * weight, without the factor that all values of a row share: 1 / sqrt(mean(x^2) + eps). The squares are summed
// along the way, so that no row is read twice; whoever has seen all of it knows the factor.
var<private> squares: f32;
fn prologue(base: u32, t: u32, first: bool) {}
fn input(base: u32, c: u32) -> vec4<f32> {
  let v = inside(inputs[base + c], c);
  squares += dot(v, v);
  return v * vectors[(p.norm_weight >> 2u) + c];
}
// What has been summed since the last call.
fn take_statistic() -> f32 {
  let s = squares;
  squares = 0.0;
  return s;
}
fn norm_factor(sum: f32) -> f32 { return 1.0 / sqrt(sum / f32(p.cols) + p.eps); }
