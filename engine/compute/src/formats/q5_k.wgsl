// Q5_K: the head of a block is one vec4<u32>, its low bits are eight, its high bits two.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let group = (unit >> 1u) & 7u;
  let sm = scale_min(word4(plane4(2u, row) + block), group);
  let low = word4(plane4(0u, row) + 8u * block + 2u * (group >> 1u) + (unit & 1u));
  let high = word4(plane4(1u, row) + 2u * block + (unit & 1u));
  let q = ((low >> vec4<u32>(4u * (group & 1u))) & vec4<u32>(0x0f0f0f0fu))
    | (((high >> vec4<u32>(group)) & vec4<u32>(0x01010101u)) << vec4<u32>(4u));
  let m = vec4<f32>(sm.y);
  return mat4x4<f32>(sm.x * bytes4(q.x) - m, sm.x * bytes4(q.y) - m, sm.x * bytes4(q.z) - m, sm.x * bytes4(q.w) - m);
}
