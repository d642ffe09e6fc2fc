// x[t] *= sigmoid(by[t][0]).   One thread per value and token.
@group(0) @binding(2) var<storage, read> by: array<f32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= p.cols) { return; }
  let gate = 1.0 + exp(min(-by[p.by_offset + g.y * p.by_stride], 80.0));
  x[p.offset + g.y * p.stride + g.x] /= gate;
}
