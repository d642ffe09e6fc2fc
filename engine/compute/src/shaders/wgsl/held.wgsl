// Rows of states, in `rows`. LANES threads share a row of a state. Each holds FOURS times four of its values, LANES apart, so that neighbours read neighbours.
fn held(lane: u32, c: u32) -> vec4<u32> {
  return lane + 4u * LANES * c + vec4<u32>(0u, LANES, 2u * LANES, 3u * LANES);
}
fn is_held(lane: u32, c: u32, len: u32) -> vec4<bool> {
  return vec4<bool>(WHOLE) | (held(lane, c) < vec4<u32>(len));
}
fn load_held(row: u32, lane: u32, c: u32, len: u32, starts: bool) -> vec4<f32> {
  let at = row + held(lane, c);
  let kept = vec4<f32>(rows[at.x], rows[at.y], rows[at.z], rows[at.w]);
  return select(vec4<f32>(0.0), kept, is_held(lane, c, len) & vec4<bool>(!starts));
}
fn store_held(row: u32, lane: u32, c: u32, len: u32, cells: vec4<f32>) {
  let is_in = is_held(lane, c, len);
  let at = row + held(lane, c);
  if (is_in.x) { rows[at.x] = cells.x; }
  if (is_in.y) { rows[at.y] = cells.y; }
  if (is_in.z) { rows[at.z] = cells.z; }
  if (is_in.w) { rows[at.w] = cells.w; }
}
