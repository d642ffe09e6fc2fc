// Q3_K: a unit is a group: bit pairs of one vec4<u32>, single bits of another, a 6-bit scale out of two of three words.
const HAS_MINIMUM = false;
const APART = 2u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  let low = word4(plane4(0u, row) + 2u * (pair >> 2u) + (pair & 1u));
  let high = word4(plane4(1u, row) + 2u * (pair >> 3u) + (pair & 1u));
  return signed(((low >> vec4<u32>(2u * ((pair & 2u) | odd))) & vec4<u32>(0x03030303u))
    | (((high >> vec4<u32>((pair & 6u) | odd)) & vec4<u32>(0x01010101u)) << vec4<u32>(2u)), 0x04040404u);
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> {
  // Group 4 * quarter + in_quarter of a block.
  let quarter = (pair >> 1u) & 3u;
  let in_quarter = (pair & 1u) + 2u * odd;
  let at = plane1(2u, row) + 3u * (pair >> 3u);
  let s = ((word(at + (quarter & 1u)) >> (8u * in_quarter + 4u * (quarter >> 1u))) & 15u)
    | (((word(at + 2u) >> (8u * in_quarter + 2u * quarter)) & 3u) << 4u);
  return vec2<f32>(half_at(3u, row, pair >> 3u) * (f32(s) - 32.0), 0.0);
}
