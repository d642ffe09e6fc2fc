// out[t] = softmax(scale * q[t] K^T) V.   One workgroup per tile of ROWS queries: a page of keys at a time, the softmax
// running. Threads form 4 groups of 16; a group has R rows, its threads two keys each, then every 16th four of the output.
// Where SPLIT, `out` gets unfinished parts, see attend_merge.wgsl.
const R = ROWS / 4u;
const OUTS = (FOURS + 15u) / 16u;
const AT_ONCE = 8u;
const STRIDE = CHUNK + 1u;  // so that 16 keys lie in different banks
var<workgroup> queries: array<vec4<f32>, ROWS * FOURS>;
var<workgroup> staged: array<vec4<f32>, PAGE * STRIDE>;
var<workgroup> weights: array<f32, PAGE * ROWS>;  // scores at first

@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let tile = tile_of(g);
  for (var i = t; i < ROWS * FOURS; i += WG) { queries[i] = query_four(query_of(tile, i / FOURS), i % FOURS); }
  let lane = t % 16u;
  let row = t / 16u * R;
  var highest: array<f32, R>;
  var total: array<f32, R>;
  var sums: array<vec4<f32>, R * OUTS>;
  var v: array<vec4<f32>, AT_ONCE>;
  // Of a run, and of a page of it.
  var seen: array<vec2<u32>, R>;
  var s: array<vec2<f32>, R>;
  for (var r = 0u; r < R; r++) {
    highest[r] = LOWEST;
    if (!SPLIT) {
      highest[r] = first_score(query_of(tile, row + r).head);
      total[r] = f32(p.sunk);
    }
  }
  for (var first = tile.first; first < tile.end;) {
    let run = run_from(first, tile.end);
    let token = tokens[first];
    for (var r = 0u; r < R; r++) {
      seen[r] = vec2<u32>(0u);
      let query = query_of(tile, row + r);
      if (query.token >= first && query.token < run.end) { seen[r] = seen_by(tokens[query.token]); }
    }
    var begin = run.seen.x / PAGE * PAGE;
    var end = run.seen.y;
    if (SPLIT) {
      let len = part_len(run.seen);
      begin += tile.split * len;
      end = min(end, begin + len);
    }
    for (var base = begin; base < end; base += PAGE) {
      let cell = cell_of(token, base, tile.kv_head);
      let count = min(PAGE, end - base);
      for (var r = 0u; r < R; r++) { s[r] = vec2<f32>(0.0); }
      for (var four = 0u; four < FOURS; four += CHUNK) {
        if (four != 0u) { workgroupBarrier(); }
        for (var i = t; i < PAGE * CHUNK; i += WG) {
          let key = i / CHUNK;
          let f = four + i % CHUNK;
          if (key < count && f < FOURS) { staged[key * STRIDE + i % CHUNK] = key_four(cell + key * p.kv_heads, f); }
        }
        workgroupBarrier();
        for (var i = 0u; i < min(CHUNK, FOURS - four); i++) {
          let a = staged[lane * STRIDE + i];
          let b = staged[(lane + 16u) * STRIDE + i];
          for (var r = 0u; r < R; r++) {
            let v = queries[(row + r) * FOURS + four + i];
            s[r] += vec2<f32>(dot(v, a), dot(v, b));
          }
        }
      }
      for (var r = 0u; r < R; r++) {
        let position = base + lane + vec2<u32>(0u, 16u);
        let valid = (position >= seen[r].xx) & (position < seen[r].yy);
        s[r] = select(vec2<f32>(LOWEST), bounded(s[r].xyxy).xy, valid);
        weights[lane * ROWS + row + r] = s[r].x;
        weights[(lane + 16u) * ROWS + row + r] = s[r].y;
      }
      workgroupBarrier();
      var higher = highest;
      for (var key = 0u; key < PAGE; key++) {
        for (var r = 0u; r < R; r++) { higher[r] = max(higher[r], weights[key * ROWS + row + r]); }
      }
      workgroupBarrier();
      for (var r = 0u; r < R; r++) {
        let high = higher[r];
        let weight = select(exp(s[r] - high), vec2<f32>(0.0), s[r] == vec2<f32>(LOWEST));
        weights[lane * ROWS + row + r] = weight.x;
        weights[(lane + 16u) * ROWS + row + r] = weight.y;
        let keep = exp(max(highest[r] - high, -80.0));
        highest[r] = high;
        total[r] *= keep;
        for (var c = 0u; c < OUTS; c++) { sums[r * OUTS + c] *= keep; }
      }
      workgroupBarrier();
      // Several values are on their way at a time; behind the last of them weights are 0.
      for (var key = 0u; key < count; key += AT_ONCE) {
        for (var i = 0u; i < AT_ONCE; i++) {
          for (var r = 0u; r < R; r++) { total[r] += weights[(key + i) * ROWS + row + r]; }
        }
        for (var c = 0u; c < OUTS; c++) {
          let f = lane + 16u * c;
          if (f >= FOURS) { continue; }
          for (var i = 0u; i < AT_ONCE; i++) { v[i] = value_four(cell + min(key + i, count - 1u) * p.kv_heads, f); }
          for (var i = 0u; i < AT_ONCE; i++) {
            for (var r = 0u; r < R; r++) { sums[r * OUTS + c] += weights[(key + i) * ROWS + row + r] * v[i]; }
          }
        }
      }
    }
    first = run.end;
  }
  for (var r = 0u; r < R; r++) {
    let query = query_of(tile, row + r);
    if (!query.valid) { continue; }
    let at = p.out_offset + query.token * p.out_stride + (query.head * p.splits + tile.split) * (HEAD + 2u);
    for (var c = 0u; c < OUTS; c++) {
      let f = lane + 16u * c;
      if (f < FOURS) {
        if (SPLIT) { put(at, f, sums[r * OUTS + c]); } else { store(query, f, sums[r * OUTS + c] / total[r]); }
      }
    }
    if (SPLIT && lane == 0u) {
      out[at + HEAD] = highest[r];
      out[at + HEAD + 1u] = total[r];
    }
  }
}
