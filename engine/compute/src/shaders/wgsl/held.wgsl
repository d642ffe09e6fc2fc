// LANES threads share a row of a state. Each holds FOURS times four of its values, LANES apart, so that neighbours read neighbours.
fn held(lane: u32, c: u32) -> vec4<u32> {
  return lane + 4u * LANES * c + vec4<u32>(0u, LANES, 2u * LANES, 3u * LANES);
}
fn is_held(lane: u32, c: u32, len: u32) -> vec4<bool> {
  return vec4<bool>(WHOLE) | (held(lane, c) < vec4<u32>(len));
}
