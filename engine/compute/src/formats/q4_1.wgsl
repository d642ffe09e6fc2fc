// Q4_1: a block's codes are one vec4<u32>, even unit low nibbles, odd unit high ones; scale and minimum are one word.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 1u;
  let q = (word4(plane4(0u, row) + block) >> vec4<u32>(4u * (unit & 1u))) & vec4<u32>(0x0f0f0f0fu);
  let dm = unpack2x16float(word(plane1(1u, row) + block));
  let m = vec4<f32>(dm.y);
  return mat4x4<f32>(dm.x * bytes4(q.x) + m, dm.x * bytes4(q.y) + m, dm.x * bytes4(q.z) + m, dm.x * bytes4(q.w) + m);
}
