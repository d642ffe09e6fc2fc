// The four bytes of a word.
fn bytes4(v: u32) -> vec4<f32> {
  return vec4<f32>((vec4<u32>(v) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u));
}
fn sbytes4(v: u32) -> vec4<f32> {
  return vec4<f32>((vec4<i32>(bitcast<i32>(v)) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u));
}
