// Q4_0: a block's codes are one vec4<u32>; the even unit takes the low nibbles, the odd one the high nibbles.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  return (word4(plane4(0u, row) + (unit >> 1u)) >> vec4<u32>(4u * (unit & 1u))) & vec4<u32>(0x0f0f0f0fu);
}
fn scale16(row: u32, unit: u32) -> vec2<f32> { return half_at(1u, row, unit >> 1u) * vec2<f32>(1.0, -8.0); }
