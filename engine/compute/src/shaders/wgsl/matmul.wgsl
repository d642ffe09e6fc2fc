// out[t, r] = epilogue(factor * (sum_k W[r, k] * x[t, k] + bias[r] + delta[t, r])) for many tokens.
// A workgroup makes 64 rows (32 pairs of gate and up where GATED) for up to 8 * COLS tokens, 16 * UNITS values of k at a time,
// decoded once into workgroup memory; a thread owns 8 rows and COLS tokens of them, 8 apart.
const DEPTH = 4u * UNITS;
var<workgroup> weights: array<vec4<f32>, 64u * DEPTH>;
var<workgroup> xs: array<vec4<f32>, 8u * COLS * DEPTH>;
// Where vec4 0 of row `i` of a tile lies, once `^ k` has made it that of vec4 k: eight rows at one k never share a bank.
fn tile_row(i: u32) -> u32 { return i * DEPTH + (i * DEPTH / 8u) % DEPTH; }
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>
) {
  let row0 = (g.x + g.z * groups.x) * select(64u, 32u, GATED);
  let tile = tile_of(g.y);
  if (tile.x >= tile.y) { return; }
  let end = tile.y;
  let n = end - tile.x;
  var a0 = vec4<f32>(); var a1 = a0; var a2 = a0; var a3 = a0; var a4 = a0; var a5 = a0; var a6 = a0; var a7 = a0;
  var b0 = vec4<f32>(); var b1 = b0; var b2 = b0; var b3 = b0; var b4 = b0; var b5 = b0; var b6 = b0; var b7 = b0;
  let w_at = tile_row(i % 8u);
  let x_at = tile_row(i / 8u);
  for (var u = 0u; u < p.units; u += UNITS) {
    for (var e = i; e < 64u * UNITS; e += WG) {
      let r = e / UNITS;
      let unit = u + e % UNITS;
      var row = weight_row(row0 + r);
      if (GATED) { row = weight_row(row0 + r % 32u) + select(0u, p.rows, r >= 32u); }
      var w = mat4x4<f32>();
      if (unit < p.units) { w = decode16(row, unit); }
      let at = tile_row(r);
      let k = 4u * (e % UNITS);
      weights[at ^ k] = w[0];
      weights[at ^ (k + 1u)] = w[1];
      weights[at ^ (k + 2u)] = w[2];
      weights[at ^ (k + 3u)] = w[3];
    }
    for (var e = i; e < 8u * COLS * DEPTH; e += WG) {
      let t = e / DEPTH;
      let k = e % DEPTH;
      xs[tile_row(t) ^ k] = inputs[read_row(min(tile.x + t, end - 1u)) + min(4u * u + k, 4u * p.units - 1u)];
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k++) {
      let w = w_at ^ k;
      let w0 = weights[w];
      let w1 = weights[w + 8u * DEPTH];
      let w2 = weights[w + 16u * DEPTH];
      let w3 = weights[w + 24u * DEPTH];
      let w4 = weights[w + 32u * DEPTH];
      let w5 = weights[w + 40u * DEPTH];
      let w6 = weights[w + 48u * DEPTH];
      let w7 = weights[w + 56u * DEPTH];
      let at = x_at ^ k;
      var x = xs[at];
      a0 = add_dots(a0, x, w0, w1, w2, w3); b0 = add_dots(b0, x, w4, w5, w6, w7);
      if (SORTED && n <= 8u) { continue; }
      x = xs[at + 8u * DEPTH];
      a1 = add_dots(a1, x, w0, w1, w2, w3); b1 = add_dots(b1, x, w4, w5, w6, w7);
      if (SORTED && n <= 16u) { continue; }
      x = xs[at + 16u * DEPTH];
      a2 = add_dots(a2, x, w0, w1, w2, w3); b2 = add_dots(b2, x, w4, w5, w6, w7);
      x = xs[at + 24u * DEPTH];
      a3 = add_dots(a3, x, w0, w1, w2, w3); b3 = add_dots(b3, x, w4, w5, w6, w7);
      if (COLS == 8u) {
        x = xs[at + 32u * DEPTH];
        a4 = add_dots(a4, x, w0, w1, w2, w3); b4 = add_dots(b4, x, w4, w5, w6, w7);
        x = xs[at + 40u * DEPTH];
        a5 = add_dots(a5, x, w0, w1, w2, w3); b5 = add_dots(b5, x, w4, w5, w6, w7);
        x = xs[at + 48u * DEPTH];
        a6 = add_dots(a6, x, w0, w1, w2, w3); b6 = add_dots(b6, x, w4, w5, w6, w7);
        x = xs[at + 56u * DEPTH];
        a7 = add_dots(a7, x, w0, w1, w2, w3); b7 = add_dots(b7, x, w4, w5, w6, w7);
      }
    }
    workgroupBarrier();
  }
  let t = tile.x + i / 8u;
  let row = row0 + i % 8u;
  store(t, end, row, a0, b0);
  store(t + 8u, end, row, a1, b1);
  store(t + 16u, end, row, a2, b2);
  store(t + 24u, end, row, a3, b3);
  if (COLS == 8u) {
    store(t + 32u, end, row, a4, b4);
    store(t + 40u, end, row, a5, b5);
    store(t + 48u, end, row, a6, b6);
    store(t + 56u, end, row, a7, b7);
  }
}
