// out = the token rows made one: their mean, the first, or the last.   One thread per value.
struct Params { in_offset: u32, in_stride: u32, out_offset: u32, cols: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(2) var<storage, read> rows: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= p.cols) { return; }
  let first = select(0u, state.tokens - 1u, HOW == 2u);
  let end = select(state.tokens, 1u, HOW == 1u);
  var s = 0.0;
  for (var t = first; t < end; t++) { s += rows[p.in_offset + t * p.in_stride + g.x]; }
  out[p.out_offset + g.x] = s / f32(end - first);
}
