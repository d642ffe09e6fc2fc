// input = sum / sqrt(mean(sum^2) + eps) * weight.
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
