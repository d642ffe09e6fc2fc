// Q8_0: 16 signed bytes are one vec4<u32>.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let q = word4(plane4(0u, row) + unit);
  let d = half_at(1u, row, unit >> 1u);
  return mat4x4<f32>(d * sbytes4(q.x), d * sbytes4(q.y), d * sbytes4(q.z), d * sbytes4(q.w));
}
