// MXFP4: a block's codes are one vec4<u32>, its power of two one byte. A power below 2^-126, e < 2, counts as zero.
const E2M1_DOUBLED = vec4<u32>(0x03020100u, 0x0c080604u, 0xfdfeff00u, 0xf4f8fafcu);
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 1u;
  let q = word4(plane4(0u, row) + block) >> vec4<u32>(4u * (unit & 1u));
  let e = (word(plane1(1u, row) + (block >> 2u)) >> (8u * (block & 3u))) & 255u;
  let d = bitcast<f32>((max(e, 1u) - 1u) << 23u);
  return mat4x4<f32>(
    d * lookup4(E2M1_DOUBLED, q.x), d * lookup4(E2M1_DOUBLED, q.y),
    d * lookup4(E2M1_DOUBLED, q.z), d * lookup4(E2M1_DOUBLED, q.w));
}
