// The residual stream with what the last product adds to it: by * (inputs + scale * norm(addends)).
@group(0) @binding(7) var<storage, read> addends: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> stream: array<vec4<f32>>;
var<private> addend: u32;
var<private> sum_inverse: f32;
var<private> sum_by: f32;
fn sum_at(base: u32, c: u32) -> vec4<f32> {
  let norm = sum_inverse * addends[addend + c] * vectors[(p.sum_weight >> 2u) + c];
  return sum_by * (inputs[base + c] + p.sum_scale * norm);
}
// Both statistics need a whole row; the first workgroup keeps the sum for later readers.
fn make_sum(base: u32, t: u32, first: bool) {
  let row = (base - p.in_offset) / p.in_stride;
  addend = p.sum_offset + row * p.sum_stride;
  var s = 0.0;
  for (var c = t; 4u * c < p.cols; c += WG) {
    let v = inside(addends[addend + c], c);
    s += dot(v, v);
  }
  sum_inverse = 1.0 / sqrt(workgroup_sum(s, t) / f32(p.cols) + p.sum_eps);
  // 0 where there is no factor, else one more than its place.
  sum_by = 1.0;
  if (p.sum_by > 0u) { sum_by = vector_at(p.sum_by - 1u); }
  if (first) {
    for (var c = t; 4u * c < p.cols; c += WG) { stream[p.to_offset + row * p.to_stride + c] = sum_at(base, c); }
  }
}
