// Q5_1: a block's low bits are one vec4<u32>, its 32 high bits one word, its scale and minimum one word.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  let block = unit >> 1u;
  let odd = unit & 1u;
  let high = bits16(word(plane1(1u, row) + block) >> (16u * odd));
  let low = (word4(plane4(0u, row) + block) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
  return low | (high << vec4<u32>(4u));
}
fn scale16(row: u32, unit: u32) -> vec2<f32> { return unpack2x16float(word(plane1(2u, row) + (unit >> 1u))); }
