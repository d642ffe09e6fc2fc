// Q5_K: the head of a block is one vec4<u32>, its low bits are eight, its high bits two.
const HAS_MINIMUM = true;
const APART = 2u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> {
  let low = word4(plane4(0u, row) + pair);
  let high = word4(plane4(1u, row) + 2u * (pair >> 3u) + (pair & 1u));
  return ((low >> vec4<u32>(4u * odd)) & vec4<u32>(0x0f0f0f0fu))
    | (((high >> vec4<u32>((pair & 6u) | odd)) & vec4<u32>(0x01010101u)) << vec4<u32>(4u));
}
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> {
  return scale_min(word4(plane4(2u, row) + (pair >> 3u)), (pair & 6u) | odd) * vec2<f32>(1.0, -1.0);
}
