// A shard of a weight: planes of 16-byte words and of 4-byte words in one buffer, seen in both ways.
// plane_base and plane_stride count 4-byte words; planes read with plane4 are aligned to 16 bytes.
@group(0) @binding(2) var<storage, read> w4: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> w1: array<u32>;
fn word4(i: u32) -> vec4<u32> { return w4[i]; }
fn word(i: u32) -> u32 { return w1[i]; }
fn plane1(plane: u32, row: u32) -> u32 { return p.plane_base[plane] + row * p.plane_stride[plane]; }
fn plane4(plane: u32, row: u32) -> u32 { return plane1(plane, row) >> 2u; }
// Half `i` of a row in a plane of packed f16.
fn half_at(plane: u32, row: u32, i: u32) -> f32 {
  let pair = unpack2x16float(word(plane1(plane, row) + (i >> 1u)));
  return select(pair.x, pair.y, (i & 1u) == 1u);
}
