// Q2_K: a unit is a group: bit pairs of one vec4<u32>, one byte of 4-bit scale and minimum, one word of two f16.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let codes = word4(plane4(0u, row) + 4u * block + 2u * (group >> 3u) + (group & 1u));
  let q = (codes >> vec4<u32>(2u * ((group >> 1u) & 3u))) & vec4<u32>(0x03030303u);
  let s = word(plane1(1u, row) + 4u * block + (group >> 2u)) >> (8u * (group & 3u));
  let dm = unpack2x16float(word(plane1(2u, row) + block)) * vec2<f32>(vec2<u32>(s, s >> 4u) & vec2<u32>(15u));
  let m = vec4<f32>(dm.y);
  return mat4x4<f32>(dm.x * bytes4(q.x) - m, dm.x * bytes4(q.y) - m, dm.x * bytes4(q.z) - m, dm.x * bytes4(q.w) - m);
}
