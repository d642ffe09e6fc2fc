// Q4_K: the head of a block (two f16, eight 6-bit scale and minimum pairs) is one vec4<u32>, its codes are eight.
const HAS_MINIMUM = true;
const APART = 2u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  return (word4(plane4(0u, row) + pair) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> {
  return scale_min(word4(plane4(1u, row) + (pair >> 3u)), (pair & 6u) | odd) * vec2<f32>(1.0, -1.0);
}
