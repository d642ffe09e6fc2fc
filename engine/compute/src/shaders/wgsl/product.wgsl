// A product's other buffers. vectors: norm weights and biases; inputs: [tokens, in_stride]; out: [tokens, out_stride].
@group(0) @binding(4) var<storage, read> vectors: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;
fn vector_at(i: u32) -> f32 { return vectors[i >> 2u][i & 3u]; }
// The input row of output row `t`, as an index into `inputs`.
fn input_row(t: u32) -> u32 {
  return p.in_offset + (t + select(0u, state.out_first, p.from_outputs == 1u)) * p.in_stride;
}
fn row_count() -> u32 { return select(state.tokens, state.out_rows, p.from_outputs == 1u); }
// The values of vec4 `c` of a row that lie inside its `cols` values; the others become zero.
fn inside(v: vec4<f32>, c: u32) -> vec4<f32> {
  return select(vec4<f32>(0.0), v, vec4<u32>(4u * c) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(p.cols));
}
// Sixteen values of a weight times those of an input.
fn dot16(w: mat4x4<f32>, x: mat4x4<f32>) -> f32 {
  return dot(w[0], x[0]) + dot(w[1], x[1]) + dot(w[2], x[2]) + dot(w[3], x[3]);
}
//# inputs
@group(0) @binding(5) var<storage, read> inputs: array<vec4<f32>>;
//# encoded
// As encode.wgsl leaves them; a row's length is `in_stride`.
@group(0) @binding(5) var<storage, read> encoded: array<vec4<u32>>;
