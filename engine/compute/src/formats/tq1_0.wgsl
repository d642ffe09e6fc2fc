// TQ1_0: a unit is one digit of each byte of a vec4<u32>; the last unit of a block is four digits of one word.
fn digits(d: f32, v: u32, power: u32) -> vec4<f32> {
  let bytes = (vec4<u32>(v) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u);
  return d * vec4<f32>((((bytes * power) & vec4<u32>(255u)) * 3u) >> vec4<u32>(8u)) - vec4<f32>(d);
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let within = unit & 15u;
  let d = half_at(2u, row, block);
  if (within == 15u) {
    let v = word(plane1(1u, row) + block);
    return mat4x4<f32>(digits(d, v, 1u), digits(d, v, 3u), digits(d, v, 9u), digits(d, v, 27u));
  }
  let late = within >= 10u;
  let n = select(within >> 1u, within - 10u, late);
  let power = select(select(1u, 3u, n == 1u), select(select(9u, 27u, n == 3u), 81u, n == 4u), n >= 2u);
  let q = word4(plane4(0u, row) + 3u * block + select(within & 1u, 2u, late));
  return mat4x4<f32>(digits(d, q.x, power), digits(d, q.y, power), digits(d, q.z, power), digits(d, q.w, power));
}
