// IQ4_XS: a group's codes are one vec4<u32>; the head of a block is two words: f16 and high bits, low bits of scales.
const NON_LINEAR = vec4<u32>(0xbfad9881u, 0xf6eaddcfu, 0x26190d01u, 0x71594535u);
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let group = (unit >> 1u) & 7u;
  let q = word4(plane4(0u, row) + (unit >> 1u)) >> vec4<u32>(4u * (unit & 1u));
  let at = plane1(1u, row) + 2u * block;
  let head = word(at);
  let s = ((word(at + 1u) >> (4u * group)) & 15u) | (((head >> (16u + 2u * group)) & 3u) << 4u);
  let d = unpack2x16float(head).x * (f32(s) - 32.0);
  return mat4x4<f32>(
    d * lookup4(NON_LINEAR, q.x), d * lookup4(NON_LINEAR, q.y),
    d * lookup4(NON_LINEAR, q.z), d * lookup4(NON_LINEAR, q.w));
}
