// Q4_0: a block's codes are one vec4<u32>; the even unit takes the low nibbles, the odd one the high nibbles.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 1u;
  let q = (word4(plane4(0u, row) + block) >> vec4<u32>(4u * (unit & 1u))) & vec4<u32>(0x0f0f0f0fu);
  let d = half_at(1u, row, block);
  let m = vec4<f32>(8.0 * d);
  return mat4x4<f32>(d * bytes4(q.x) - m, d * bytes4(q.y) - m, d * bytes4(q.z) - m, d * bytes4(q.w) - m);
}
