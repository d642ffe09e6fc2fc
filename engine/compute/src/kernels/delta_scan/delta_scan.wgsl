// S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q, q and k of unit length, q / sqrt(key_len).
// LANES threads share a row i of S, [key_len], and hold it while they walk through time; `rows` is [slots, inner, key_len].
// They meet once a token: what S . q is after the change follows from S . q before it and k . q.
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> qkv: array<f32>;
@group(0) @binding(4) var<storage, read> betas: array<f32>;
@group(0) @binding(5) var<storage, read> alphas: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;
@group(0) @binding(7) var<storage, read_write> rows: array<f32>;
// Two sides in turn, so that one barrier a token is enough.
var<workgroup> products: array<vec4<f32>, 2u * WG>;
var<workgroup> crossed: array<f32, 2u * WG>;
fn softplus(x: f32) -> f32 { return select(log(1.0 + exp(min(x, 20.0))), x, x > 20.0); }
fn four(at: vec4<u32>, is_in: vec4<bool>) -> vec4<f32> {
  return select(vec4<f32>(0.0), vec4<f32>(qkv[at.x], qkv[at.y], qkv[at.z], qkv[at.w]), is_in);
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) g: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let inner = p.value_heads * p.value_len;
  let lane = thread % LANES;
  let first = thread - lane;
  let own = (g.x + g.z * groups.x) * (WG / LANES) + thread / LANES;
  let i = min(own, inner - 1u);
  let head = i / p.value_len;
  let key = head % p.key_heads * p.key_len;
  let row = (slot_of(g.y) * inner + i) * p.key_len;
  var cells: array<vec4<f32>, FOURS>;
  for (var c = 0u; c < FOURS; c++) {
    cells[c] = load_held(row, lane, c, p.key_len, starts(g.y));
  }
  // q and k of a token, and of the next one, for which nobody waits while a token is under way.
  var queries: array<vec4<f32>, FOURS>;
  var keys: array<vec4<f32>, FOURS>;
  var next_queries: array<vec4<f32>, FOURS>;
  var next_keys: array<vec4<f32>, FOURS>;
  let end = end_token(g.y);
  let q_first = p.qkv_offset + key;
  let k_behind = p.key_heads * p.key_len;
  for (var c = 0u; c < FOURS; c++) {
    let at = q_first + first_token(g.y) * p.qkv_stride + held(lane, c);
    queries[c] = four(at, is_held(lane, c, p.key_len));
    keys[c] = four(at + k_behind, is_held(lane, c, p.key_len));
  }
  var side = 0u;
  for (var t = first_token(g.y); t < end; t++) {
    let v = qkv[p.qkv_offset + t * p.qkv_stride + 2u * k_behind + i];
    let rate = softplus(alphas[p.alpha_offset + t * p.alpha_stride + head] + vectors[p.bias + head]);
    let decay = exp(rate * vectors[p.a + head]);
    let beta = 1.0 / (1.0 + exp(min(-betas[p.beta_offset + t * p.beta_stride + head], 80.0)));
    let next = q_first + min(t + 1u, end - 1u) * p.qkv_stride;
    var qq = vec4<f32>(0.0);
    var kk = qq;
    var by_k = qq;
    var by_q = qq;
    var kq = qq;
    for (var c = 0u; c < FOURS; c++) {
      let qs = queries[c];
      let ks = keys[c];
      next_queries[c] = four(next + held(lane, c), is_held(lane, c, p.key_len));
      next_keys[c] = four(next + k_behind + held(lane, c), is_held(lane, c, p.key_len));
      cells[c] *= decay;
      qq += qs * qs;
      kk += ks * ks;
      by_k += cells[c] * ks;
      by_q += cells[c] * qs;
      kq += ks * qs;
    }
    let ones = vec4<f32>(1.0);
    var sums = vec4<f32>(dot(qq, ones), dot(kk, ones), dot(by_k, ones), dot(by_q, ones));
    var cross = dot(kq, ones);
    products[side + thread] = sums;
    crossed[side + thread] = cross;
    workgroupBarrier();
    sums = vec4<f32>(0.0);
    cross = 0.0;
    for (var l = first; l < first + LANES; l++) {
      sums += products[side + l];
      cross += crossed[side + l];
    }
    side = WG - side;
    let q_scale = 1.0 / sqrt((sums.x + p.eps) * f32(p.key_len));
    let k_scale = 1.0 / sqrt(sums.y + p.eps);
    let change = (v - sums.z * k_scale) * beta * k_scale;
    for (var c = 0u; c < FOURS; c++) {
      cells[c] += change * keys[c];
      queries[c] = next_queries[c];
      keys[c] = next_keys[c];
    }
    if (lane == 0u && own < inner) { out[p.out_offset + t * p.out_stride + i] = (sums.w + change * cross) * q_scale; }
  }
  if (own >= inner) { return; }
  for (var c = 0u; c < FOURS; c++) { store_held(row, lane, c, p.key_len, cells[c]); }
}
