// F32: 16 values are four vec4 loads.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let at = plane4(0u, row) + 4u * unit;
  return mat4x4<f32>(
    bitcast<vec4<f32>>(word4(at)), bitcast<vec4<f32>>(word4(at + 1u)),
    bitcast<vec4<f32>>(word4(at + 2u)), bitcast<vec4<f32>>(word4(at + 3u)));
}
