// Nibbles, 8 for zero; the value of the largest magnitude in a block becomes -8.
fn fours(word: u32, i: u32) -> vec4<f32> {
  return vec4<f32>((vec4<u32>(word >> (16u * i)) >> vec4<u32>(0u, 4u, 8u, 12u)) & vec4<u32>(15u)) - 8.0;
}
