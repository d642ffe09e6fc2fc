// S = S * exp(dt * a) + dt * x[i] * B; out[i] = S . C + d * x[i], dt = softplus(dt + bias).
// One thread per value i walks through time; its row of `rows` is [state_len], the buffer [slots, inner, state_len].
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> xbc: array<f32>;
@group(0) @binding(4) var<storage, read> dts: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<storage, read_write> rows: array<f32>;
fn softplus(x: f32) -> f32 { return select(log(1.0 + exp(min(x, 20.0))), x, x > 20.0); }
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let inner = p.heads * p.head_len;
  let i = g.x;
  if (i >= inner) { return; }
  let head = i / p.head_len;
  let group = head / (p.heads / p.groups);
  let row = (state.slot * inner + i) * p.state_len;
  for (var t = 0u; t < state.tokens; t++) {
    let dt = softplus(dts[p.dt_offset + t * p.dt_stride + head] + vectors[p.bias + head]);
    let token = p.xbc_offset + t * p.xbc_stride;
    let x = xbc[token + i];
    let b = token + inner + group * p.state_len;
    let c = b + p.groups * p.state_len;
    let fresh = t == 0u && state.fresh == 1u;
    let decay = exp(dt * vectors[p.a + head]);
    var y = vectors[p.d + head] * x;
    for (var j = 0u; j < p.state_len; j++) {
      let cell = select(rows[row + j], 0.0, fresh) * decay + dt * x * xbc[b + j];
      rows[row + j] = cell;
      y += cell * xbc[c + j];
    }
    out[p.out_offset + t * p.out_stride + i] = y;
  }
}
