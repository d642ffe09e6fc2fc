// q[t] = rotate(norm(q of qkv[t])); k likewise, to the KV cache at the token's position, with v as it is.
// One workgroup per head (queries, then keys, then values) and token.
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> angles: array<vec2<f32>>;  // [context, rope_len / 2] cos, sin
@group(0) @binding(4) var<storage, read> pages: array<u32>;
@group(0) @binding(5) var<storage, read> qkv: array<f32>;
@group(0) @binding(6) var<storage, read_write> q: array<f32>;
@group(0) @binding(7) var<storage, read_write> keys: array<u32>;
@group(0) @binding(8) var<storage, read_write> values: array<u32>;
@group(0) @binding(9) var<storage, read> tokens: array<Token>;
// The head on its way to the cache, zero behind its end.
const ROW = CODE_WORDS * PER_WORD;
var<workgroup> row: array<f32, ROW>;

var<private> mean: f32;
// 1 / rms of `count` values, or 1 / their deviation where CENTRED, which also sets `mean`.
fn inverse_norm(base: u32, count: u32, eps: f32, centred: bool, t: u32) -> f32 {
  if (CENTRED) {
    var s = 0.0;
    for (var i = t; i < count; i += WG) { s += qkv[base + i]; }
    mean = select(0.0, workgroup_sum(s, t) / f32(count), centred);
  }
  var s = 0.0;
  for (var i = t; i < count; i += WG) {
    let v = qkv[base + i] - mean;
    s += v * v;
  }
  return 1.0 / sqrt(workgroup_sum(s, t) / f32(count) + eps);
}
fn normed(base: u32, i: u32, weight: u32, scale: f32) -> f32 {
  if (!NORMED) { return qkv[base + i]; }
  // A rotation changes no length, so only the weights wait until after it.
  let v = (qkv[base + i] - mean) * scale;
  if (NORM_AFTER) { return v; }
  return v * vectors[weight + i];
}
// Lane i after rotation with its partner, and norm.
fn turned(base: u32, i: u32, weight: u32, scale: f32, position: u32) -> f32 {
  let v = rotated(base, i, weight, scale, position);
  if (NORMED && NORM_AFTER) { return v * vectors[weight + i]; }
  return v;
}
fn rotated(base: u32, i: u32, weight: u32, scale: f32, position: u32) -> f32 {
  let own = normed(base, i, weight, scale);
  if (PAIRS == 2u || i >= p.rope_len) { return own; }
  let h = p.rope_len / 2u;
  var pair = i >> 1u;
  var first = (i & 1u) == 0u;
  var partner = i ^ 1u;
  if (PAIRS == 0u) {
    first = i < h;
    pair = select(i - h, i, first);
    partner = select(i - h, i + h, first);
  }
  let cs = angles[position * h + pair];
  let other = normed(base, partner, weight, scale);
  return select(other * cs.y + own * cs.x, own * cs.x - other * cs.y, first);
}
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let position = tokens[g.y].position;
  let token = p.in_offset + g.y * p.in_stride;
  let is_q = g.x < p.heads;
  let is_v = g.x >= p.heads + p.kv_heads;
  let head = select(g.x - p.heads - select(0u, p.kv_heads, is_v), g.x, is_q);
  let k_first = p.heads * p.q_stride;
  let first = select(select(k_first, p.v_first, is_v), 0u, is_q);
  let stride = select(HEAD, p.q_stride, is_q);
  let base = token + first + head * stride;
  // A wide norm is over all heads of the row, and its weight goes on from head to head.
  var norm_base = base;
  var count = HEAD;
  var weight = select(p.k_norm, p.q_norm, is_q);
  if (EACH_HEAD) { weight += head * HEAD; }
  if (WIDE && !is_v) {
    norm_base = token + first;
    count = select(p.kv_heads, p.heads, is_q) * HEAD;
    weight += base - norm_base;
  }
  var scale = 1.0;
  if (NORMED || VALUE_NORM) {
    let inverse = inverse_norm(norm_base, count, select(p.eps, p.value_eps, is_v), !is_v, t);
    scale = select(select(1.0, inverse, NORMED), select(1.0, inverse, VALUE_NORM), is_v);
  }
  var warmth = 1.0;
  if (p.temperature != 0.0) { warmth += p.temperature * log(f32(position / p.original_tokens) + 1.0); }
  if (is_q) {
    let to = p.out_offset + g.y * p.out_stride + head * HEAD;
    for (var i = t; i < HEAD; i += WG) { q[to + i] = warmth * turned(base, i, weight, scale, position); }
    return;
  }
  for (var i = t; i < ROW; i += WG) {
    var v = 0.0;
    if (i < HEAD) {
      if (is_v) { v = scale * qkv[base + i]; } else { v = turned(base, i, weight, scale, position); }
    }
    row[i] = v;
  }
  workgroupBarrier();
  let cell = cell_of(tokens[g.y], position, head);
  for (var i = t; i < CODE_WORDS + SCALE_WORDS; i += WG) {
    let codes = cell * CODE_WORDS + i;
    let at = select(p.scales + cell * SCALE_WORDS + i - CODE_WORDS, codes, i < CODE_WORDS);
    if (is_v) { values[at] = cache_word(i); } else { keys[at] = cache_word(i); }
  }
}
