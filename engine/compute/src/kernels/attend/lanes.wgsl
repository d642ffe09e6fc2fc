// out[t] = softmax(scale * q[t] K^T) V.   A thread has EACH queries, and all threads of a workgroup read the same keys at
// the same time and wait for nobody, which is what GPUs that are emulated on a CPU are good at.
@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let tile = tile_of(g);
  // What a compiler takes for unknown it does not unroll; unrolled, emulated GPUs compile this for half a minute.
  let fours = min((p.head_len + 3u) / 4u, FOURS);
  let each = select(EACH, 0u, state.tokens == 0u);
  var own: array<vec4<f32>, EACH * FOURS>;
  var sums: array<vec4<f32>, EACH * FOURS>;
  var highest: array<f32, EACH>;
  var total: array<f32, EACH>;
  // Of a run, and of four positions of it.
  var seen: array<vec2<u32>, EACH>;
  var weight: array<vec4<f32>, EACH>;
  var keep: array<f32, EACH>;
  for (var j = 0u; j < each; j++) {
    let query = query_of(tile, t + j * LANES);
    for (var i = 0u; i < fours; i++) { own[j * FOURS + i] = query_four(query, i); }
    highest[j] = first_score(query.head);
    total[j] = f32(p.sunk);
  }
  for (var first = tile.first; first < tile.end;) {
    let run = run_from(first, tile.end);
    let token = tokens[first];
    for (var j = 0u; j < each; j++) {
      seen[j] = vec2<u32>(0u);
      let query = query_of(tile, t + j * LANES);
      if (query.token >= first && query.token < run.end) { seen[j] = seen_by(tokens[query.token]); }
    }
    for (var at = run.seen.x; at < run.seen.y; at += 4u) {
      // Behind the last position: that one again, with no weight.
      let last = run.seen.y - 1u;
      let a = cell_of(token, at, tile.kv_head);
      let b = cell_of(token, min(at + 1u, last), tile.kv_head);
      let c = cell_of(token, min(at + 2u, last), tile.kv_head);
      let d = cell_of(token, min(at + 3u, last), tile.kv_head);
      for (var j = 0u; j < EACH; j++) { weight[j] = vec4<f32>(0.0); }
      for (var i = 0u; i < fours; i++) {
        let ka = key_four(a, i);
        let kb = key_four(b, i);
        let kc = key_four(c, i);
        let kd = key_four(d, i);
        for (var j = 0u; j < EACH; j++) {
          let v = own[j * FOURS + i];
          weight[j] += vec4<f32>(dot(v, ka), dot(v, kb), dot(v, kc), dot(v, kd));
        }
      }
      for (var j = 0u; j < EACH; j++) {
        let position = at + vec4<u32>(0u, 1u, 2u, 3u);
        let valid = (position >= seen[j].xxxx) & (position < seen[j].yyyy);
        let score = select(vec4<f32>(LOWEST), bounded(weight[j]), valid);
        let high = max(max(max(score.x, score.y), max(score.z, score.w)), highest[j]);
        weight[j] = select(vec4<f32>(0.0), exp(score - high), valid);
        keep[j] = exp(max(highest[j] - high, -80.0));
        highest[j] = high;
        total[j] = fma(total[j], keep[j], dot(weight[j], vec4<f32>(1.0)));
      }
      for (var i = 0u; i < fours; i++) {
        let va = value_four(a, i);
        let vb = value_four(b, i);
        let vc = value_four(c, i);
        let vd = value_four(d, i);
        for (var j = 0u; j < EACH; j++) {
          let w = weight[j];
          let kept = sums[j * FOURS + i] * keep[j];
          sums[j * FOURS + i] = fma(w.xxxx, va, fma(w.yyyy, vb, fma(w.zzzz, vc, fma(w.wwww, vd, kept))));
        }
      }
    }
    first = run.end;
  }
  for (var j = 0u; j < each; j++) {
    let query = query_of(tile, t + j * LANES);
    if (query.valid) {
      for (var i = 0u; i < fours; i++) { store(query, i, sums[j * FOURS + i] / total[j]); }
    }
  }
}
