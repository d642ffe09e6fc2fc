// Q5_1: a block's low bits are one vec4<u32>, its 32 high bits one word, its scale and minimum one word.
const HAS_MINIMUM = true;
const APART = 1u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  let low = (word4(plane4(0u, row) + pair) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
  return low | (bits16(word(plane1(1u, row) + pair) >> (16u * odd)) << vec4<u32>(4u));
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> { return unpack2x16float(word(plane1(2u, row) + pair)); }
