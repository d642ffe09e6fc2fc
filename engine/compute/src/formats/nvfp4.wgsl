// NVFP4: a unit is a group: two words of codes, low nibbles first, and one byte of scale.
const E2M1_DOUBLED = vec4<u32>(0x03020100u, 0x0c080604u, 0xfdfeff00u, 0xf4f8fafcu);
fn half_scale(code: u32) -> f32 {
  let exponent = (code >> 3u) & 15u;
  let mantissa = f32(code & 7u);
  let normal = bitcast<f32>((exponent + 119u) << 23u) * (1.0 + 0.125 * mantissa);
  return select(select(normal, mantissa / 1024.0, exponent == 0u), 0.0, code == 0x7fu);
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let at = plane1(0u, row) + 2u * unit;
  let a = word(at);
  let b = word(at + 1u);
  let code = (word(plane1(1u, row) + (unit >> 2u)) >> (8u * (unit & 3u))) & 255u;
  let d = bitcast<f32>(word(plane1(2u, row))) * half_scale(code);
  return mat4x4<f32>(
    d * lookup4(E2M1_DOUBLED, a), d * lookup4(E2M1_DOUBLED, b),
    d * lookup4(E2M1_DOUBLED, a >> 4u), d * lookup4(E2M1_DOUBLED, b >> 4u));
}
