// Q5_0: a block's low bits are one vec4<u32>, its 32 high bits one word; half of each is a unit.
const HAS_MINIMUM = false;
const APART = 1u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  let low = (word4(plane4(0u, row) + pair) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
  return signed(low | (bits16(word(plane1(1u, row) + pair) >> (16u * odd)) << vec4<u32>(4u)), 0x10101010u);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> { return vec2<f32>(half_at(2u, row, pair), 0.0); }
