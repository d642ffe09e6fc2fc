requires packed_4x8_integer_dot_product;
// out[t]: the codes of input[t]. For each two units 16 codes, 16 more, and for both a factor and the sum of what is rounded: what
// a code's mean adds to the error of a product is taken away again. One thread for two units.
@group(0) @binding(2) var<storage, read> inputs: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4<u32>>;
fn rounded(v: vec4<f32>, by: f32) -> u32 { return pack4xI8(vec4<i32>(round(v * by))); }
fn sum(codes: u32) -> i32 { return dot4I8Packed(codes, 0x01010101u); }
// Writes 16 codes, returns the rest.
fn encode(at: u32, to: u32) -> vec2<f32> {
  let v0 = inputs[at];
  let v1 = inputs[at + 1u];
  let v2 = inputs[at + 2u];
  let v3 = inputs[at + 3u];
  let m = max(max(abs(v0), abs(v1)), max(abs(v2), abs(v3)));
  let most = max(max(m.x, m.y), max(m.z, m.w));
  let by = select(0.0, 127.0 / most, most > 0.0);
  let q = vec4<u32>(rounded(v0, by), rounded(v1, by), rounded(v2, by), rounded(v3, by));
  out[to] = q;
  return most / 127.0 * vec2<f32>(1.0, f32(sum(q.x) + sum(q.y) + sum(q.z) + sum(q.w)));
}
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let outputs = p.from_outputs == 1u;
  if (2u * g.x >= p.units || (outputs && g.y >= state.out_rows)) { return; }
  let t = g.y + select(0u, state.out_first, outputs);
  let at = p.in_offset + t * p.in_stride + 8u * g.x;
  let to = 3u * (t * (p.units / 2u) + g.x);
  let even = encode(at, to);
  let odd = encode(at + 4u, to + 1u);
  out[to + 2u] = bitcast<vec4<u32>>(vec4<f32>(even, odd));
}
