// F16: two values a word; unpack2x16float needs no device feature.
fn halves(lo: u32, hi: u32) -> vec4<f32> { return vec4<f32>(unpack2x16float(lo), unpack2x16float(hi)); }
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let at = plane4(0u, row) + 2u * unit;
  let a = word4(at);
  let b = word4(at + 1u);
  return mat4x4<f32>(halves(a.x, a.y), halves(a.z, a.w), halves(b.x, b.y), halves(b.z, b.w));
}
