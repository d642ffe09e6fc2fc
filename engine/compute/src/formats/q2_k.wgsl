// Q2_K: a unit is a group: bit pairs of one vec4<u32>, one byte of 4-bit scale and minimum, one word of two f16.
const HAS_MINIMUM = true;
const APART = 2u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  let codes = word4(plane4(0u, row) + 2u * (pair >> 2u) + (pair & 1u));
  return (codes >> vec4<u32>(2u * ((pair & 2u) | odd))) & vec4<u32>(0x03030303u);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> {
  let s = word(plane1(1u, row) + (pair >> 1u)) >> (8u * ((pair & 1u) + 2u * odd));
  let dm = unpack2x16float(word(plane1(2u, row) + (pair >> 3u)));
  return dm * vec2<f32>(f32(s & 15u), -f32((s >> 4u) & 15u));
}
