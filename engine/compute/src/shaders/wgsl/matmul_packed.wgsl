requires packed_4x8_integer_dot_product;
// As matmul.wgsl, in integers: codes of weights are as they are, those of tokens as encode.wgsl makes them.
var<workgroup> codes: array<vec4<u32>, 64u * UNITS>;
var<workgroup> scales: array<vec2<f32>, 64u * UNITS>;
var<workgroup> xs: array<vec4<u32>, 8u * COLS * UNITS>;
// Factor of 16 values, and their sum.
var<workgroup> x_scales: array<vec2<f32>, 8u * COLS * UNITS>;
fn four(x: vec4<u32>, a: vec4<u32>, b: vec4<u32>, c: vec4<u32>, d: vec4<u32>) -> vec4<f32> {
  return vec4<f32>(vec4<i32>(of_16(x, a), of_16(x, b), of_16(x, c), of_16(x, d)));
}
fn of_16(x: vec4<u32>, w: vec4<u32>) -> i32 {
  return dot4I8Packed(x.x, w.x) + dot4I8Packed(x.y, w.y) + dot4I8Packed(x.z, w.z) + dot4I8Packed(x.w, w.w);
}
fn added(sums: vec4<f32>, x: vec2<f32>, scales: vec4<f32>, minima: vec4<f32>, products: vec4<f32>) -> vec4<f32> {
  if (HAS_MINIMUM) { return sums + x.y * minima + x.x * scales * products; }
  return sums + x.x * scales * products;
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>
) {
  let row0 = (g.x + g.z * groups.x) * select(64u, 32u, GATED);
  let tile = tile_of(g.y);
  if (tile.x >= tile.y) { return; }
  let end = tile.y;
  var a0 = vec4<f32>(); var a1 = a0; var a2 = a0; var a3 = a0; var a4 = a0; var a5 = a0; var a6 = a0; var a7 = a0;
  var b0 = vec4<f32>(); var b1 = b0; var b2 = b0; var b3 = b0; var b4 = b0; var b5 = b0; var b6 = b0; var b7 = b0;
  for (var u = 0u; u < p.units; u += UNITS) {
    for (var e = i; e < 64u * UNITS; e += WG) {
      let r = e % 64u;
      let unit = u + e / 64u;
      var row = weight_row(row0 + r);
      if (GATED) { row = weight_row(row0 + r % 32u) + select(0u, p.rows, r >= 32u); }
      var q = vec4<u32>();
      var s = vec2<f32>();
      if (unit < p.units) {
        let at = pair_of(unit);
        q = codes16(row, at.x, at.y);
        s = scale16(row, at.x, at.y);
      }
      codes[e] = q;
      scales[e] = s;
    }
    for (var e = i; e < 8u * COLS * UNITS; e += WG) {
      let unit = min(u + e / (8u * COLS), p.units - 1u);
      let at = read_row(min(tile.x + e % (8u * COLS), end - 1u)) + 3u * (unit / 2u);
      xs[e] = encoded[at + (unit & 1u)];
      let s = bitcast<vec4<f32>>(encoded[at + 2u]);
      x_scales[e] = select(s.xy, s.zw, (unit & 1u) == 1u);
    }
    workgroupBarrier();
    for (var k = 0u; k < UNITS; k++) {
      let w = 64u * k + i % 8u;
      let w0 = codes[w];
      let w1 = codes[w + 8u];
      let w2 = codes[w + 16u];
      let w3 = codes[w + 24u];
      let w4 = codes[w + 32u];
      let w5 = codes[w + 40u];
      let w6 = codes[w + 48u];
      let w7 = codes[w + 56u];
      let sa = vec4<f32>(scales[w].x, scales[w + 8u].x, scales[w + 16u].x, scales[w + 24u].x);
      let ma = vec4<f32>(scales[w].y, scales[w + 8u].y, scales[w + 16u].y, scales[w + 24u].y);
      let sb = vec4<f32>(scales[w + 32u].x, scales[w + 40u].x, scales[w + 48u].x, scales[w + 56u].x);
      let mb = vec4<f32>(scales[w + 32u].y, scales[w + 40u].y, scales[w + 48u].y, scales[w + 56u].y);
      let at = 8u * COLS * k + i / 8u;
      var x = xs[at];
      var s = x_scales[at];
      a0 = added(a0, s, sa, ma, four(x, w0, w1, w2, w3)); b0 = added(b0, s, sb, mb, four(x, w4, w5, w6, w7));
      x = xs[at + 8u]; s = x_scales[at + 8u];
      a1 = added(a1, s, sa, ma, four(x, w0, w1, w2, w3)); b1 = added(b1, s, sb, mb, four(x, w4, w5, w6, w7));
      x = xs[at + 16u]; s = x_scales[at + 16u];
      a2 = added(a2, s, sa, ma, four(x, w0, w1, w2, w3)); b2 = added(b2, s, sb, mb, four(x, w4, w5, w6, w7));
      x = xs[at + 24u]; s = x_scales[at + 24u];
      a3 = added(a3, s, sa, ma, four(x, w0, w1, w2, w3)); b3 = added(b3, s, sb, mb, four(x, w4, w5, w6, w7));
      if (COLS == 8u) {
        x = xs[at + 32u]; s = x_scales[at + 32u];
        a4 = added(a4, s, sa, ma, four(x, w0, w1, w2, w3)); b4 = added(b4, s, sb, mb, four(x, w4, w5, w6, w7));
        x = xs[at + 40u]; s = x_scales[at + 40u];
        a5 = added(a5, s, sa, ma, four(x, w0, w1, w2, w3)); b5 = added(b5, s, sb, mb, four(x, w4, w5, w6, w7));
        x = xs[at + 48u]; s = x_scales[at + 48u];
        a6 = added(a6, s, sa, ma, four(x, w0, w1, w2, w3)); b6 = added(b6, s, sb, mb, four(x, w4, w5, w6, w7));
        x = xs[at + 56u]; s = x_scales[at + 56u];
        a7 = added(a7, s, sa, ma, four(x, w0, w1, w2, w3)); b7 = added(b7, s, sb, mb, four(x, w4, w5, w6, w7));
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
