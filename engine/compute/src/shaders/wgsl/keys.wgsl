// Numbers that are ordered like the values: the largest value has the largest key. None has key 0.
fn key_of(v: f32) -> u32 {
  let bits = bitcast<u32>(v);
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}
fn value_of(key: u32) -> f32 { return bitcast<f32>(select(~key, key & 0x7fffffffu, (key >> 31u) == 1u)); }
