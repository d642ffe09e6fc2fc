// Q5_0: a block's low bits are one vec4<u32>, its 32 high bits one word; half of each is a unit.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 1u;
  let odd = unit & 1u;
  let high = bits16(word(plane1(1u, row) + block) >> (16u * odd));
  let low = (word4(plane4(0u, row) + block) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
  let q = low | (high << vec4<u32>(4u));
  let d = half_at(2u, row, block);
  let m = vec4<f32>(16.0 * d);
  return mat4x4<f32>(d * bytes4(q.x) - m, d * bytes4(q.y) - m, d * bytes4(q.z) - m, d * bytes4(q.w) - m);
}
