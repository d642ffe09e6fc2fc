// x[t] = 0.   One thread per value and token.
struct Params { offset: u32, stride: u32, cols: u32, pad0: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(2) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x < p.cols) { x[p.offset + g.y * p.stride + g.x] = 0.0; }
}
