// out[s] = the rows of sequence s made one: their mean, the first, or the last.   One thread per value; g.y is s.
@group(0) @binding(2) var<storage, read> rows: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(4) var<storage, read> tokens: array<Token>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= p.cols) { return; }
  // A sequence begins behind the last one; an encoder's slices hold all of its tokens.
  var first = 0u;
  for (var i = 0u; i < g.y; i++) { first += tokens[first].end; }
  var end = first + tokens[first].end;
  if (HOW == 1u) { end = first + 1u; }
  if (HOW == 2u) { first = end - 1u; }
  var s = 0.0;
  for (var t = first; t < end; t++) { s += rows[p.in_offset + t * p.in_stride + g.x]; }
  out[p.out_offset + g.y * p.out_stride + g.x] = s / f32(end - first);
}
