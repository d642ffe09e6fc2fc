// S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q, q and k of unit length, q / sqrt(key_len).
// One thread per value i walks through time; its row of `rows` is [key_len], the buffer [slots, inner, key_len].
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> qkv: array<f32>;
@group(0) @binding(4) var<storage, read> betas: array<f32>;
@group(0) @binding(5) var<storage, read> alphas: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;
@group(0) @binding(7) var<storage, read_write> rows: array<f32>;
fn softplus(x: f32) -> f32 { return select(log(1.0 + exp(min(x, 20.0))), x, x > 20.0); }
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let inner = p.value_heads * p.value_len;
  let i = g.x;
  if (i >= inner) { return; }
  let head = i / p.value_len;
  let key_head = head % p.key_heads;
  let row = (state.slot * inner + i) * p.key_len;
  for (var t = 0u; t < state.tokens; t++) {
    let token = p.qkv_offset + t * p.qkv_stride;
    let q = token + key_head * p.key_len;
    let k = q + p.key_heads * p.key_len;
    let fresh = t == 0u && state.fresh == 1u;
    let rate = softplus(alphas[p.alpha_offset + t * p.alpha_stride + head] + vectors[p.bias + head]);
    let decay = exp(rate * vectors[p.a + head]);
    let beta = 1.0 / (1.0 + exp(min(-betas[p.beta_offset + t * p.beta_stride + head], 80.0)));
    var q_squares = 0.0;
    var k_squares = 0.0;
    var seen = 0.0;
    for (var j = 0u; j < p.key_len; j++) {
      let kj = qkv[k + j];
      q_squares += qkv[q + j] * qkv[q + j];
      k_squares += kj * kj;
      let cell = select(rows[row + j], 0.0, fresh) * decay;
      rows[row + j] = cell;
      seen += cell * kj;
    }
    let k_scale = 1.0 / sqrt(k_squares + p.eps);
    let q_scale = 1.0 / sqrt((q_squares + p.eps) * f32(p.key_len));
    let error = (qkv[token + 2u * p.key_heads * p.key_len + i] - seen * k_scale) * beta;
    var y = 0.0;
    for (var j = 0u; j < p.key_len; j++) {
      let cell = rows[row + j] + error * k_scale * qkv[k + j];
      rows[row + j] = cell;
      y += cell * qkv[q + j];
    }
    out[p.out_offset + t * p.out_stride + i] = y * q_scale;
  }
}
