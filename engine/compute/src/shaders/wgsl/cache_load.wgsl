//# f32
// Keys and values as computed, heads of any even length. key_four(cell, i): values 4 i to 4 i + 3, zero behind the end.
@group(0) @binding(5) var<storage, read> keys: array<f32>;
@group(0) @binding(6) var<storage, read> values: array<f32>;
fn key_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * HEAD + 4u * i;
  let v = vec4<f32>(keys[at], keys[at + 1u], 0.0, 0.0);
  if (4u * i + 2u >= HEAD) { return v; }
  return vec4<f32>(v.xy, keys[at + 2u], keys[at + 3u]);
}
fn value_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * HEAD + 4u * i;
  let v = vec4<f32>(values[at], values[at + 1u], 0.0, 0.0);
  if (4u * i + 2u >= HEAD) { return v; }
  return vec4<f32>(v.xy, values[at + 2u], values[at + 3u]);
}
//# f32_vec4
// Keys and values as computed, heads of a multiple of four values.
@group(0) @binding(5) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> values: array<vec4<f32>>;
fn key_four(cell: u32, i: u32) -> vec4<f32> { return keys[cell * (HEAD / 4u) + i]; }
fn value_four(cell: u32, i: u32) -> vec4<f32> { return values[cell * (HEAD / 4u) + i]; }
//# f16
// Keys and values in halves.
@group(0) @binding(5) var<storage, read> keys: array<u32>;
@group(0) @binding(6) var<storage, read> values: array<u32>;
fn key_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * CODE_WORDS + 2u * i;
  let v = vec4<f32>(unpack2x16float(keys[at]), 0.0, 0.0);
  if (2u * i + 1u >= CODE_WORDS) { return v; }
  return vec4<f32>(v.xy, unpack2x16float(keys[at + 1u]));
}
fn value_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * CODE_WORDS + 2u * i;
  let v = vec4<f32>(unpack2x16float(values[at]), 0.0, 0.0);
  if (2u * i + 1u >= CODE_WORDS) { return v; }
  return vec4<f32>(v.xy, unpack2x16float(values[at + 1u]));
}
//# blocks
// Keys and values in blocks of 32 codes and a scale. A format's own part has fours(word, i): values 4 i to 4 i + 3 of
// a code word, unscaled. Behind the end of a head they are zero. Compilers read a scale once for all fours of a block.
@group(0) @binding(5) var<storage, read> keys: array<u32>;
@group(0) @binding(6) var<storage, read> values: array<u32>;
const WORD_FOURS = PER_WORD / 4u;
fn key_four(cell: u32, i: u32) -> vec4<f32> {
  let scales = unpack2x16float(keys[p.scales + cell * SCALE_WORDS + i / 16u]);
  return select(scales.x, scales.y, (i & 8u) != 0u) * fours(keys[cell * CODE_WORDS + i / WORD_FOURS], i % WORD_FOURS);
}
fn value_four(cell: u32, i: u32) -> vec4<f32> {
  let scales = unpack2x16float(values[p.scales + cell * SCALE_WORDS + i / 16u]);
  return select(scales.x, scales.y, (i & 8u) != 0u) * fours(values[cell * CODE_WORDS + i / WORD_FOURS], i % WORD_FOURS);
}
//# q8_0
// Signed bytes; the largest magnitude of a block becomes 127.
fn fours(word: u32, i: u32) -> vec4<f32> { return sbytes4(word); }
//# q4_0
// Nibbles, 8 for zero; the value of the largest magnitude in a block becomes -8.
fn fours(word: u32, i: u32) -> vec4<f32> {
  return vec4<f32>((vec4<u32>(word >> (16u * i)) >> vec4<u32>(0u, 4u, 8u, 12u)) & vec4<u32>(15u)) - 8.0;
}
