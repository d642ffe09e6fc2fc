// Word i of a cell: two halves.
fn cache_word(i: u32) -> u32 {
  return pack2x16float(clamp(vec2<f32>(row[2u * i], row[2u * i + 1u]), vec2<f32>(-65504.0), vec2<f32>(65504.0)));
}
