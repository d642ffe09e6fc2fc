// Q4_1: a block's codes are one vec4<u32>, even unit low nibbles, odd unit high ones; scale and minimum are one word.
const HAS_MINIMUM = true;
const APART = 1u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  return (word4(plane4(0u, row) + pair) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> { return unpack2x16float(word(plane1(1u, row) + pair)); }
