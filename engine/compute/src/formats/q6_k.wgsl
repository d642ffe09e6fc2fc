// Q6_K: a unit is a group: one vec4<u32> of low nibbles, one of high bit pairs, one signed scale byte.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let half = group >> 3u;
  let j = (group >> 1u) & 3u;
  let low = word4(plane4(0u, row) + 8u * block + 4u * half + 2u * (j & 1u) + (group & 1u));
  let high = word4(plane4(1u, row) + 4u * block + 2u * half + (group & 1u));
  return ((low >> vec4<u32>(4u * (j >> 1u))) & vec4<u32>(0x0f0f0f0fu))
    | (((high >> vec4<u32>(2u * j)) & vec4<u32>(0x03030303u)) << vec4<u32>(4u));
}
fn scale16(row: u32, unit: u32) -> vec2<f32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let s = word(plane1(2u, row) + 4u * block + (group >> 2u));
  let d = half_at(3u, row, block) * f32(extractBits(bitcast<i32>(s), 8u * (group & 3u), 8u));
  return d * vec2<f32>(1.0, -32.0);
}
