// Q4_K: the head of a block (two f16, eight 6-bit scale and minimum pairs) is one vec4<u32>, its codes are eight.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let group = (unit >> 1u) & 7u;
  let sm = scale_min(word4(plane4(1u, row) + block), group);
  let at = plane4(0u, row) + 8u * block + 2u * (group >> 1u) + (unit & 1u);
  let q = (word4(at) >> vec4<u32>(4u * (group & 1u))) & vec4<u32>(0x0f0f0f0fu);
  let m = vec4<f32>(sm.y);
  return mat4x4<f32>(sm.x * bytes4(q.x) - m, sm.x * bytes4(q.y) - m, sm.x * bytes4(q.z) - m, sm.x * bytes4(q.w) - m);
}
