// TQ2_0: a unit is a bit pair of each byte of a vec4<u32>.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let codes = word4(plane4(0u, row) + 4u * block + 2u * (group >> 3u) + (group & 1u));
  let q = (codes >> vec4<u32>(2u * ((group >> 1u) & 3u))) & vec4<u32>(0x03030303u);
  let d = half_at(1u, row, block);
  let m = vec4<f32>(d);
  return mat4x4<f32>(d * bytes4(q.x) - m, d * bytes4(q.y) - m, d * bytes4(q.z) - m, d * bytes4(q.w) - m);
}
