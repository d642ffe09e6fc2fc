// Q4_K: the head of a block (two f16, eight 6-bit scale and minimum pairs) is one vec4<u32>, its codes are eight.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  let group = (unit >> 1u) & 7u;
  let at = plane4(0u, row) + 8u * (unit >> 4u) + 2u * (group >> 1u) + (unit & 1u);
  return (word4(at) >> vec4<u32>(4u * (group & 1u))) & vec4<u32>(0x0f0f0f0fu);
}
fn scale16(row: u32, unit: u32) -> vec2<f32> {
  return scale_min(word4(plane4(1u, row) + (unit >> 4u)), (unit >> 1u) & 7u) * vec2<f32>(1.0, -1.0);
}
