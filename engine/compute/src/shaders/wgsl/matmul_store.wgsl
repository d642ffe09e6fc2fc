// Four rows from `row` on, 8 apart, and four that are 32 rows behind them, or, where GATED, what they gate.
fn store(t: u32, end: u32, row: u32, a: vec4<f32>, b: vec4<f32>) {
  if (t >= end) { return; }
  let at = out_row(t);
  // Unrolled, emulated GPUs compile this for seconds.
  let four = select(4u, 0u, p.rows == 0u);
  for (var i = 0u; i < four; i++) {
    let r = row + 8u * i;
    let x = one_of(a, i);
    let y = one_of(b, i);
    if (GATED) {
      if (is_made(r)) { out[at + r] = gated(with_bias(t, weight_row(r), x), up_with_bias(t, weight_row(r), y)); }
    } else {
      if (is_made(r)) { epilogue(at + r, factor_of(t) * with_bias(t, weight_row(r), x)); }
      if (is_made(r + 32u)) { epilogue(at + r + 32u, factor_of(t) * with_bias(t, weight_row(r + 32u), y)); }
    }
  }
}
// As v[i], which some compilers put into memory.
fn one_of(v: vec4<f32>, i: u32) -> f32 {
  return select(select(v.x, v.y, i == 1u), select(v.z, v.w, i == 3u), i > 1u);
}
