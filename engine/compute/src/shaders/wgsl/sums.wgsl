// Four values of x times those of four rows.
fn dots(x: vec4<f32>, a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, d: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(dot(x, a), dot(x, b), dot(x, c), dot(x, d));
}
// The same, added to sums. GPUs make one operation of a product and the sum that it is added to.
fn add_dots(sums: vec4<f32>, x: vec4<f32>, a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, d: vec4<f32>) -> vec4<f32> {
  return sums + x.x * vec4<f32>(a.x, b.x, c.x, d.x) + x.y * vec4<f32>(a.y, b.y, c.y, d.y)
    + x.z * vec4<f32>(a.z, b.z, c.z, d.z) + x.w * vec4<f32>(a.w, b.w, c.w, d.w);
}
// From a row's dot product to what the epilogue gets: with the row's bias and what an adapter adds for token `t`.
fn with_bias(t: u32, row: u32, y: f32) -> f32 {
  let sum = y + delta_at(t, p.first + row);
  if (HAS_BIAS) { return sum + vector_at(p.bias + p.first + row); }
  return sum;
}
fn up_with_bias(t: u32, row: u32, y: f32) -> f32 { return with_bias(t, p.outputs + row, y); }
// The factor of the product; an adapter's has one of the run on top.
fn factor() -> f32 { return p.scale * select(1.0, state.factor, p.by_factor == 1u); }
