// IQ4_NL: a block's codes are one vec4<u32>, even unit low nibbles, odd unit high nibbles; a table of 16 signed bytes.
const NON_LINEAR = vec4<u32>(0xbfad9881u, 0xf6eaddcfu, 0x26190d01u, 0x71594535u);
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 1u;
  let q = word4(plane4(0u, row) + block) >> vec4<u32>(4u * (unit & 1u));
  let d = half_at(1u, row, block);
  return mat4x4<f32>(
    d * lookup4(NON_LINEAR, q.x), d * lookup4(NON_LINEAR, q.y),
    d * lookup4(NON_LINEAR, q.z), d * lookup4(NON_LINEAR, q.w));
}
