//# none
// The input as it is. HAS_STATISTIC: whether norm_factor needs what take_statistic has summed.
const HAS_STATISTIC = false;
fn prologue(base: u32, t: u32, first: bool) {}
fn input(base: u32, c: u32) -> vec4<f32> { return inputs[base + c]; }
fn take_statistic() -> f32 { return 0.0; }
fn norm_factor(sum: f32) -> f32 { return 1.0; }
//# rms
// input = x * weight, without the factor that all values of a row share: 1 / sqrt(mean(x^2) + eps). The squares are summed
// along the way, so that no row is read twice; whoever has seen all of it knows the factor.
const HAS_STATISTIC = true;
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
//# rms_bias
// input = x / sqrt(mean(x^2) + eps) * weight + bias.
const HAS_STATISTIC = false;
var<private> inverse: f32;
fn prologue(base: u32, t: u32, first: bool) {
  var s = 0.0;
  for (var c = t; 4u * c < p.cols; c += WG) {
    let v = inside(inputs[base + c], c);
    s += dot(v, v);
  }
  inverse = 1.0 / sqrt(workgroup_sum(s, t) / f32(p.cols) + p.eps);
}
fn input(base: u32, c: u32) -> vec4<f32> {
  return inputs[base + c] * inverse * vectors[(p.norm_weight >> 2u) + c] + vectors[(p.norm_bias >> 2u) + c];
}
fn take_statistic() -> f32 { return 0.0; }
fn norm_factor(sum: f32) -> f32 { return 1.0; }
//# layer
// input = (x - mean) / sqrt(variance + eps) * weight + bias.
const HAS_STATISTIC = false;
var<private> mean: f32;
var<private> inverse: f32;
fn prologue(base: u32, t: u32, first: bool) {
  var s = 0.0;
  for (var c = t; 4u * c < p.cols; c += WG) { s += dot(inside(inputs[base + c], c), vec4<f32>(1.0)); }
  mean = workgroup_sum(s, t) / f32(p.cols);
  var squares = 0.0;
  for (var c = t; 4u * c < p.cols; c += WG) {
    let v = inside(inputs[base + c] - vec4<f32>(mean), c);
    squares += dot(v, v);
  }
  inverse = 1.0 / sqrt(workgroup_sum(squares, t) / f32(p.cols) + p.eps);
}
fn input(base: u32, c: u32) -> vec4<f32> {
  let y = (inputs[base + c] - vec4<f32>(mean)) * inverse * vectors[(p.norm_weight >> 2u) + c];
  if (HAS_NORM_BIAS) { return y + vectors[(p.norm_bias >> 2u) + c]; }
  return y;
}
fn take_statistic() -> f32 { return 0.0; }
fn norm_factor(sum: f32) -> f32 { return 1.0; }
//# sum
// input = the sum.
const HAS_STATISTIC = false;
fn prologue(base: u32, t: u32, first: bool) { make_sum(base, t, first); }
fn input(base: u32, c: u32) -> vec4<f32> { return sum_at(base, c); }
fn take_statistic() -> f32 { return 0.0; }
fn norm_factor(sum: f32) -> f32 { return 1.0; }
//# sum_rms
// input = sum / sqrt(mean(sum^2) + eps) * weight.
const HAS_STATISTIC = false;
var<private> inverse: f32;
fn prologue(base: u32, t: u32, first: bool) {
  make_sum(base, t, first);
  var s = 0.0;
  for (var c = t; 4u * c < p.cols; c += WG) {
    let v = inside(sum_at(base, c), c);
    s += dot(v, v);
  }
  inverse = 1.0 / sqrt(workgroup_sum(s, t) / f32(p.cols) + p.eps);
}
fn input(base: u32, c: u32) -> vec4<f32> { return sum_at(base, c) * inverse * vectors[(p.norm_weight >> 2u) + c]; }
fn take_statistic() -> f32 { return 0.0; }
fn norm_factor(sum: f32) -> f32 { return 1.0; }
