// Q5_1: a block's low bits are one vec4<u32>, its 32 high bits one word, its scale and minimum one word.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 1u;
  let odd = unit & 1u;
  let high = bits16(word(plane1(1u, row) + block) >> (16u * odd));
  let low = (word4(plane4(0u, row) + block) >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu);
  let q = low | (high << vec4<u32>(4u));
  let dm = unpack2x16float(word(plane1(2u, row) + block));
  let m = vec4<f32>(dm.y);
  return mat4x4<f32>(dm.x * bytes4(q.x) + m, dm.x * bytes4(q.y) + m, dm.x * bytes4(q.z) + m, dm.x * bytes4(q.w) + m);
}
