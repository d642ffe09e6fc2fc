// Q6_K: a unit is a group: one vec4<u32> of low nibbles, one of high bit pairs, one signed scale byte.
const HAS_MINIMUM = false;
const APART = 4u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  let low = word4(plane4(0u, row) + pair);
  let high = word4(plane4(1u, row) + 2u * (pair >> 2u) + (pair & 1u));
  return signed(((low >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu))
    | (((high >> vec4<u32>(4u * odd + (pair & 2u))) & vec4<u32>(0x03030303u)) << vec4<u32>(4u)), 0x20202020u);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> {
  let s = word(plane1(2u, row) + 2u * (pair >> 2u) + odd);
  let d = half_at(3u, row, pair >> 3u) * f32(extractBits(bitcast<i32>(s), 8u * (pair & 3u), 8u));
  return vec2<f32>(d, 0.0);
}
