// input = (x - mean) / sqrt(variance + eps) * weight + bias.
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
