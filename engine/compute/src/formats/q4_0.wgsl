// Q4_0: a block's codes are one vec4<u32>; the even unit takes the low nibbles, the odd one the high nibbles.
const HAS_MINIMUM = false;
const APART = 1u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  return signed((word4(plane4(0u, row) + pair) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu), 0x08080808u);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> { return vec2<f32>(half_at(1u, row, pair), 0.0); }
