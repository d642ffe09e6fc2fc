// x[t] = 0.   One thread per value and token.
@group(0) @binding(2) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x < p.cols) { x[p.offset + g.y * p.stride + g.x] = 0.0; }
}
