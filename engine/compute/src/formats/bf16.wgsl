// BF16: an f32 whose lower half is zero.
fn halves(lo: u32, hi: u32) -> vec4<f32> {
  return bitcast<vec4<f32>>(vec4<u32>(lo << 16u, lo & 0xffff0000u, hi << 16u, hi & 0xffff0000u));
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let at = plane4(0u, row) + 2u * unit;
  let a = word4(at);
  let b = word4(at + 1u);
  return mat4x4<f32>(halves(a.x, a.y), halves(a.z, a.w), halves(b.x, b.y), halves(b.z, b.w));
}
