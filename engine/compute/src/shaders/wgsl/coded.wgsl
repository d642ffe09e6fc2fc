// Formats whose values are a scale times a signed byte, plus a summand. Two units that lie APART units apart have words in common:
// they are a pair, of which one is odd.
fn pair_of(unit: u32) -> vec2<u32> { return vec2<u32>(unit / (2u * APART) * APART + unit % APART, (unit / APART) & 1u); }
fn even_unit(pair: u32) -> u32 { return pair / APART * 2u * APART + pair % APART; }
// Codes below 128 less what each byte of `mean` says, as signed bytes.
fn signed(codes: vec4<u32>, mean: u32) -> vec4<u32> {
  return ((codes | vec4<u32>(0x80808080u)) - vec4<u32>(mean)) ^ vec4<u32>(0x80808080u);
}
fn values16(row: u32, pair: u32, odd: u32) -> mat4x4<f32> {
  let q = codes16(row, pair, odd);
  let s = scale16(row, pair, odd);
  if (!HAS_MINIMUM) {
    return mat4x4<f32>(s.x * sbytes4(q.x), s.x * sbytes4(q.y), s.x * sbytes4(q.z), s.x * sbytes4(q.w));
  }
  let m = vec4<f32>(s.y);
  return mat4x4<f32>(s.x * sbytes4(q.x) + m, s.x * sbytes4(q.y) + m, s.x * sbytes4(q.z) + m, s.x * sbytes4(q.w) + m);
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let at = pair_of(unit);
  return values16(row, at.x, at.y);
}
