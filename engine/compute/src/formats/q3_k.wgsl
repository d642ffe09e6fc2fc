// Q3_K: a unit is a group: bit pairs of one vec4<u32>, single bits of another, a 6-bit scale out of two of three words.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let j = (group >> 1u) & 3u;
  let half = group >> 3u;
  let low = word4(plane4(0u, row) + 4u * block + 2u * half + (group & 1u));
  let high = word4(plane4(1u, row) + 2u * block + (group & 1u));
  return ((low >> vec4<u32>(2u * j)) & vec4<u32>(0x03030303u))
    | (((high >> vec4<u32>(4u * half + j)) & vec4<u32>(0x01010101u)) << vec4<u32>(2u));
}
fn scale16(row: u32, unit: u32) -> vec2<f32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let at = plane1(2u, row) + 3u * block;
  let byte = 8u * (group & 3u);
  let s = ((word(at + ((group >> 2u) & 1u)) >> (byte + 4u * (group >> 3u))) & 15u)
    | (((word(at + 2u) >> (byte + 2u * (group >> 2u))) & 3u) << 4u);
  return half_at(3u, row, block) * (f32(s) - 32.0) * vec2<f32>(1.0, -4.0);
}
