//# f32
// Word i of a cell: the value itself.
fn cache_word(i: u32) -> u32 { return bitcast<u32>(row[i]); }
//# f16
// Word i of a cell: two halves.
fn cache_word(i: u32) -> u32 {
  return pack2x16float(clamp(vec2<f32>(row[2u * i], row[2u * i + 1u]), vec2<f32>(-65504.0), vec2<f32>(65504.0)));
}
//# blocks
// Word i of a cell in blocks of 32: codes, then scales. A format's own part has scale_of(largest), where `largest` is the
// value of the largest magnitude in the block, and code(v), of a value divided by the scale.
fn block_scale(block: u32) -> f32 {
  var largest = 0.0;
  for (var i = 32u * block; i < min(32u * block + 32u, ROW); i++) {
    if (abs(row[i]) > abs(largest)) { largest = row[i]; }
  }
  return scale_of(largest);
}
fn cache_word(i: u32) -> u32 {
  if (i >= CODE_WORDS) {
    let block = 2u * (i - CODE_WORDS);
    return pack2x16float(vec2<f32>(block_scale(block), block_scale(block + 1u)));
  }
  let scale = block_scale(i * PER_WORD / 32u);
  let inverse = select(0.0, 1.0 / scale, scale != 0.0);
  var word = 0u;
  for (var j = 0u; j < PER_WORD; j++) { word |= code(row[i * PER_WORD + j] * inverse) << (32u / PER_WORD * j); }
  return word;
}
//# q8_0
fn scale_of(largest: f32) -> f32 { return abs(largest) / 127.0; }
fn code(v: f32) -> u32 { return bitcast<u32>(i32(floor(abs(v) + 0.5) * sign(v))) & 255u; }
//# q4_0
fn scale_of(largest: f32) -> f32 { return largest / -8.0; }
fn code(v: f32) -> u32 { return min(15u, u32(v + 8.5)); }
