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
