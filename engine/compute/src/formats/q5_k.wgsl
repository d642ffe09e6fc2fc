// Q5_K: the head of a block is one vec4<u32>, its low bits are eight, its high bits two.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  let block = unit >> 4u;
  let group = (unit >> 1u) & 7u;
  let low = word4(plane4(0u, row) + 8u * block + 2u * (group >> 1u) + (unit & 1u));
  let high = word4(plane4(1u, row) + 2u * block + (unit & 1u));
  return ((low >> vec4<u32>(4u * (group & 1u))) & vec4<u32>(0x0f0f0f0fu))
    | (((high >> vec4<u32>(group)) & vec4<u32>(0x01010101u)) << vec4<u32>(4u));
}
fn scale16(row: u32, unit: u32) -> vec2<f32> {
  return scale_min(word4(plane4(2u, row) + (unit >> 4u)), (unit >> 1u) & 7u) * vec2<f32>(1.0, -1.0);
}
