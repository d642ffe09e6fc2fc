// What several weight formats need to make values of bits.
// The 16 low bits of v, each in a byte.
fn bits16(v: u32) -> vec4<u32> {
  let nibbles = (vec4<u32>(v) >> vec4<u32>(0u, 4u, 8u, 12u)) & vec4<u32>(15u);
  return (nibbles * vec4<u32>(0x00204081u)) & vec4<u32>(0x01010101u);
}
// -1 for each of the four low bits that is set, else 1.
fn signs4(v: u32) -> vec4<f32> {
  return vec4<f32>(1.0) - 2.0 * vec4<f32>((vec4<u32>(v) >> vec4<u32>(0u, 1u, 2u, 3u)) & vec4<u32>(1u));
}
// Seven signs, and an eighth that makes the number of minus signs even.
fn even_signs(v: u32) -> u32 { return (v & 127u) | ((countOneBits(v & 127u) & 1u) << 7u); }
// Entries of a table of 16 signed bytes, by the low nibbles of the four bytes of v.
fn lookup4(table: vec4<u32>, v: u32) -> vec4<f32> {
  let code = vec4<u32>(v) >> vec4<u32>(0u, 8u, 16u, 24u);
  let odd = (code & vec4<u32>(4u)) != vec4<u32>(0u);
  let low = select(vec4<u32>(table.x), vec4<u32>(table.y), odd);
  let high = select(vec4<u32>(table.z), vec4<u32>(table.w), odd);
  let bytes = select(low, high, (code & vec4<u32>(8u)) != vec4<u32>(0u));
  let up = vec4<u32>(24u) - 8u * (code & vec4<u32>(3u));
  return vec4<f32>(bitcast<vec4<i32>>(bytes << up) >> vec4<u32>(24u));
}
// Scale and minimum of a group of 32: two f16, then eight pairs of 6 bits, the last four pairs in pieces.
fn scale_min(head: vec4<u32>, group: u32) -> vec2<f32> {
  let s = 8u * (group & 3u);
  let a = head.y >> s;
  let b = head.z >> s;
  let c = head.w >> s;
  let low = vec2<u32>(a & 63u, b & 63u);
  let high = vec2<u32>((c & 15u) | ((a >> 2u) & 48u), ((c >> 4u) & 15u) | ((b >> 2u) & 48u));
  return unpack2x16float(head.x) * vec2<f32>(select(low, high, group >= 4u));
}
// Codeword `i` of the format's codebook: 16 bits.
fn codeword(i: u32) -> u32 { return (word(p.codebook + (i >> 1u)) >> (16u * (i & 1u))) & 0xffffu; }
