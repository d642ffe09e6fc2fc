// out[t] (+)= scale * table[index(t)].   One thread per token and unit of 16 values.
@group(0) @binding(4) var<storage, read> tokens: array<Token>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
fn table_row(t: u32) -> u32 {
  if (INDEX == 0u) { return tokens[t].id; }
  if (INDEX == 1u) { return tokens[t].position; }
  return 0u;
}
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let t = g.x / p.units;
  let unit = g.x % p.units;
  if (t >= state.tokens) { return; }
  let row = table_row(t);
  if (row < p.first || row >= p.first + p.rows) { return; }
  let m = decode16(row - p.first, unit);
  let at = p.out_offset + t * p.out_stride;
  for (var i = 0u; i < 16u; i++) {
    let c = 16u * unit + i;
    if (c < p.cols) {
      let v = p.scale * m[i >> 2u][i & 3u];
      if (ADD) { out[at + c] += v; } else { out[at + c] = v; }
    }
  }
}
