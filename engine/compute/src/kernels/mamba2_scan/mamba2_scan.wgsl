// S = S * exp(dt * a) + dt * x[i] * B; out[i] = S . C + d * x[i], dt = softplus(dt + bias).
// LANES threads share a row i of S, [state_len], and hold it while they walk through time; `rows` is [slots, inner, state_len].
// They meet after LANES tokens, each of which one of them prepares and ends.
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> xbc: array<f32>;
@group(0) @binding(4) var<storage, read> dts: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
@group(0) @binding(6) var<storage, read_write> rows: array<f32>;
// What a row does at a token: its decay, and dt * x.
var<workgroup> drives: array<vec2<f32>, WG>;
// Of each token, what each thread has of S . C.
var<workgroup> products: array<f32, WG * LANES>;
fn softplus(x: f32) -> f32 { return select(log(1.0 + exp(min(x, 20.0))), x, x > 20.0); }
fn four(at: vec4<u32>, is_in: vec4<bool>) -> vec4<f32> {
  return select(vec4<f32>(0.0), vec4<f32>(xbc[at.x], xbc[at.y], xbc[at.z], xbc[at.w]), is_in);
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) g: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let inner = p.heads * p.head_len;
  let lane = thread % LANES;
  let first = thread - lane;
  let own = (g.x + g.z * groups.x) * (WG / LANES) + thread / LANES;
  let i = min(own, inner - 1u);
  let head = i / p.head_len;
  // Where B begins in a token; C is c_behind it.
  let b = p.xbc_offset + inner + head / (p.heads / p.groups) * p.state_len;
  let c_behind = p.groups * p.state_len;
  let row = (slot_of(g.y) * inner + i) * p.state_len;
  let end = end_token(g.y);
  var cells: array<vec4<f32>, FOURS>;
  // B and C of the next token, for which nobody waits while a token is under way.
  var bs: array<vec4<f32>, FOURS>;
  var cs: array<vec4<f32>, FOURS>;
  for (var n = 0u; n < FOURS; n++) {
    let is_in = is_held(lane, n, p.state_len);
    cells[n] = load_held(row, lane, n, p.state_len, starts(g.y));
    let next = b + first_token(g.y) * p.xbc_stride + held(lane, n);
    bs[n] = four(next, is_in);
    cs[n] = four(next + c_behind, is_in);
  }
  for (var begin = first_token(g.y); begin < end; begin += LANES) {
    let t = begin + lane;
    var y = 0.0;
    if (t < end) {
      let dt = softplus(dts[p.dt_offset + t * p.dt_stride + head] + vectors[p.bias + head]);
      let x = xbc[p.xbc_offset + t * p.xbc_stride + i];
      drives[thread] = vec2<f32>(exp(dt * vectors[p.a + head]), dt * x);
      y = vectors[p.d + head] * x;
    }
    workgroupBarrier();
    let count = min(LANES, end - begin);
    for (var u = 0u; u < count; u++) {
      let drive = drives[first + u];
      let next = b + min(begin + u + 1u, end - 1u) * p.xbc_stride;
      var sums = vec4<f32>(0.0);
      for (var n = 0u; n < FOURS; n++) {
        let is_in = is_held(lane, n, p.state_len);
        cells[n] = cells[n] * drive.x + drive.y * bs[n];
        sums += cells[n] * cs[n];
        bs[n] = four(next + held(lane, n), is_in);
        cs[n] = four(next + c_behind + held(lane, n), is_in);
      }
      products[u * WG + thread] = dot(sums, vec4<f32>(1.0));
    }
    workgroupBarrier();
    if (t < end && own < inner) {
      for (var l = first; l < first + LANES; l++) { y += products[lane * WG + l]; }
      out[p.out_offset + t * p.out_stride + i] = y;
    }
  }
  if (own >= inner) { return; }
  for (var n = 0u; n < FOURS; n++) { store_held(row, lane, n, p.state_len, cells[n]); }
}
