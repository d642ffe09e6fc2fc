// The decode of formats whose values are a scale times a signed byte, plus a summand.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let q = codes16(row, unit);
  let s = scale16(row, unit);
  let m = vec4<f32>(s.y);
  return mat4x4<f32>(s.x * sbytes4(q.x) + m, s.x * sbytes4(q.y) + m, s.x * sbytes4(q.z) + m, s.x * sbytes4(q.w) + m);
}
