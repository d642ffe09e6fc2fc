// The four rows that a thread makes side by side, from output `r` on: r to r + 3, or, where GATED, gate and up of r, then of
// r + 1. Inputs are read once for all of them.
const QUAD_OUTPUTS = select(4u, 2u, GATED);
fn quad_row(r: u32, i: u32) -> u32 {
  if (GATED) { return min(r + i / 2u, p.rows - 1u) + (i & 1u) * p.rows; }
  return min(r + i, p.rows - 1u);
}
fn quad_rows(r: u32) -> vec4<u32> {
  return vec4<u32>(quad_row(r, 0u), quad_row(r, 1u), quad_row(r, 2u), quad_row(r, 3u));
}
fn store_quad(t: u32, r: u32, y: vec4<f32>) {
  let at = p.out_offset + t * p.out_stride + p.first;
  for (var i = 0u; i < QUAD_OUTPUTS; i++) {
    let row = r + i;
    if (row < p.rows) {
      if (GATED) {
        out[at + row] = gated(with_bias(t, row, y[2u * i]), up_with_bias(t, row, y[2u * i + 1u]));
      } else {
        epilogue(at + row, factor() * with_bias(t, row, y[i]));
      }
    }
  }
}
