// out[t] = softmax(scale * q[t] K^T) V.   One workgroup per tile of ROWS queries: a page of keys at a time, the softmax
// running. Threads form 4 groups of 16; a group has R rows, its threads two keys each, then every 16th four of the output.
// Where SPLIT, `out` gets unfinished parts, see attend_merge.wgsl.
// What rows have one of lies in a vec4, and loops are unrolled by hand: not every browser's compiler does it, and most of the
// time goes to loads that wait for each other.
const R = ROWS / 4u;
const OUTS = (FOURS + 15u) / 16u;
const STRIDE = CHUNK + 1u;  // so that 16 keys lie in different banks
const STAGED = CHUNK / 2u;  // fours that a thread stages
var<workgroup> queries: array<vec4<f32>, ROWS * FOURS>;
var<workgroup> staged: array<vec4<f32>, PAGE * STRIDE>;
var<workgroup> weights: array<vec4<f32>, PAGE * 4u>;  // of a group's rows; scores at first

// A page of the cache: the cell of its first key, and its last key.
struct Page { cell: u32, last: u32 }
// A four of the key that thread `t` stages as its number `n`. What lies behind the end is not read later.
fn key_to_stage(page: Page, t: u32, n: u32, four: u32) -> vec4<f32> {
  let key = t / CHUNK + n * (WG / CHUNK);
  return key_four(page.cell + min(key, page.last) * p.kv_heads, min(four + t % CHUNK, FOURS - 1u));
}
fn stage(t: u32, n: u32, v: vec4<f32>) { staged[(t / CHUNK + n * (WG / CHUNK)) * STRIDE + t % CHUNK] = v; }
// What a group's rows make of a four of a key. `at`: where the four of the first row's query lies.
fn scores(at: u32, key: vec4<f32>) -> vec4<f32> {
  var s = vec4<f32>(dot(queries[at], key), 0.0, 0.0, 0.0);
  if (R > 1u) { s.y = dot(queries[at + FOURS], key); }
  if (R > 2u) {
    s.z = dot(queries[at + 2u * FOURS], key);
    s.w = dot(queries[at + 3u * FOURS], key);
  }
  return s;
}
// Four `f` of four values.
fn values_from(page: Page, key: u32, f: u32) -> mat4x4<f32> {
  let at = page.cell;
  return mat4x4<f32>(
    value_four(at + min(key, page.last) * p.kv_heads, f), value_four(at + min(key + 1u, page.last) * p.kv_heads, f),
    value_four(at + min(key + 2u, page.last) * p.kv_heads, f), value_four(at + min(key + 3u, page.last) * p.kv_heads, f)
  );
}
// What four keys weigh, a row in each column.
fn weights_from(key: u32, group: u32) -> mat4x4<f32> {
  let at = key * 4u + group;
  return transpose(mat4x4<f32>(weights[at], weights[at + 4u], weights[at + 8u], weights[at + 12u]));
}
// One four of the output of each row.
struct Sums { a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, d: vec4<f32> }
fn scaled(s: Sums, by: vec4<f32>) -> Sums { return Sums(by.x * s.a, by.y * s.b, by.z * s.c, by.w * s.d); }
fn added(s: Sums, v: mat4x4<f32>, w: mat4x4<f32>) -> Sums {
  var sums = s;
  sums.a += v * w[0];
  if (R > 1u) { sums.b += v * w[1]; }
  if (R > 2u) {
    sums.c += v * w[2];
    sums.d += v * w[3];
  }
  return sums;
}
// The positions that each row sees.
struct Seen { first: vec4<u32>, end: vec4<u32> }
fn seen_by_row(tile: Tile, row: u32, first: u32, end: u32) -> vec2<u32> {
  let query = query_of(tile, row);
  if (query.token < first || query.token >= end) { return vec2<u32>(0u); }
  return seen_by(tokens[query.token]);
}
fn seen_by_rows(tile: Tile, row: u32, first: u32, end: u32) -> Seen {
  let a = seen_by_row(tile, row, first, end);
  var b = vec2<u32>(0u);
  var c = b;
  var d = b;
  if (R > 1u) { b = seen_by_row(tile, row + 1u, first, end); }
  if (R > 2u) {
    c = seen_by_row(tile, row + 2u, first, end);
    d = seen_by_row(tile, row + 3u, first, end);
  }
  return Seen(vec4<u32>(a.x, b.x, c.x, d.x), vec4<u32>(a.y, b.y, c.y, d.y));
}
// Scores of the key at `position`; of keys that a row does not see, the lowest.
fn seen_scores(s: vec4<f32>, seen: Seen, position: u32) -> vec4<f32> {
  let at = vec4<u32>(position);
  return select(vec4<f32>(LOWEST), bounded(s), (at >= seen.first) & (at < seen.end));
}
fn weight_of(score: vec4<f32>, high: vec4<f32>) -> vec4<f32> {
  return select(exp(score - high), vec4<f32>(0.0), score == vec4<f32>(LOWEST));
}
fn first_of(tile: Tile, row: u32) -> f32 {
  if (SPLIT) { return LOWEST; }
  return first_score(query_of(tile, row).head);
}
fn finish(tile: Tile, row: u32, f: u32, sum: vec4<f32>, total: f32) {
  let query = query_of(tile, row);
  if (!query.valid || f >= FOURS) { return; }
  if (SPLIT) { put(part_of(tile, query), f, sum); } else { store(query, f, sum / total); }
}
fn finish_rows(tile: Tile, row: u32, f: u32, s: Sums, total: vec4<f32>) {
  finish(tile, row, f, s.a, total.x);
  if (R > 1u) { finish(tile, row + 1u, f, s.b, total.y); }
  if (R > 2u) {
    finish(tile, row + 2u, f, s.c, total.z);
    finish(tile, row + 3u, f, s.d, total.w);
  }
}
fn part_of(tile: Tile, query: Query) -> u32 {
  return p.out_offset + query.token * p.out_stride + (query.head * p.splits + tile.split) * (HEAD + 2u);
}
fn finish_part(tile: Tile, row: u32, highest: f32, total: f32) {
  let query = query_of(tile, row);
  if (!query.valid) { return; }
  out[part_of(tile, query) + HEAD] = highest;
  out[part_of(tile, query) + HEAD + 1u] = total;
}

@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let tile = tile_of(g);
  for (var i = t; i < ROWS * FOURS; i += WG) { queries[i] = query_four(query_of(tile, i / FOURS), i % FOURS); }
  let lane = t % 16u;
  let group = t / 16u;
  let row = group * R;
  // Every 16th, kept inside of a head.
  let fours = min(lane + vec4<u32>(0u, 16u, 32u, 48u), vec4<u32>(FOURS - 1u));
  var highest = vec4<f32>(first_of(tile, row), vec3<f32>(LOWEST));
  if (R > 1u) { highest.y = first_of(tile, row + 1u); }
  if (R > 2u) {
    highest.z = first_of(tile, row + 2u);
    highest.w = first_of(tile, row + 3u);
  }
  var total = vec4<f32>(f32(select(p.sunk, 0u, SPLIT)));
  let nothing = vec4<f32>(0.0);
  // Of every 16th four.
  var s0 = Sums(nothing, nothing, nothing, nothing);
  var s1 = s0; var s2 = s0; var s3 = s0;
  for (var first = tile.first; first < tile.end;) {
    let run = run_from(first, tile.end);
    let token = tokens[first];
    let seen = seen_by_rows(tile, row, first, run.end);
    var begin = run.seen.x / PAGE * PAGE;
    var end = run.seen.y;
    if (SPLIT) {
      let len = part_len(run.seen);
      begin += tile.split * len;
      end = min(end, begin + len);
    }
    for (var base = begin; base < end; base += PAGE) {
      let count = min(PAGE, end - base);
      let page = Page(cell_of(token, base, tile.kv_head), count - 1u);
      var a = nothing;
      var b = nothing;
      for (var four = 0u; four < FOURS; four += CHUNK) {
        let k0 = key_to_stage(page, t, 0u, four);
        let k1 = key_to_stage(page, t, 1u, four);
        var k2 = k0; var k3 = k0; var k4 = k0; var k5 = k0; var k6 = k0; var k7 = k0;
        if (STAGED > 2u) {
          k2 = key_to_stage(page, t, 2u, four);
          k3 = key_to_stage(page, t, 3u, four);
        }
        if (STAGED > 4u) {
          k4 = key_to_stage(page, t, 4u, four);
          k5 = key_to_stage(page, t, 5u, four);
          k6 = key_to_stage(page, t, 6u, four);
          k7 = key_to_stage(page, t, 7u, four);
        }
        if (four != 0u) { workgroupBarrier(); }
        stage(t, 0u, k0);
        stage(t, 1u, k1);
        if (STAGED > 2u) {
          stage(t, 2u, k2);
          stage(t, 3u, k3);
        }
        if (STAGED > 4u) {
          stage(t, 4u, k4);
          stage(t, 5u, k5);
          stage(t, 6u, k6);
          stage(t, 7u, k7);
        }
        workgroupBarrier();
        for (var i = 0u; i < min(CHUNK, FOURS - four); i++) {
          let at = row * FOURS + four + i;
          a += scores(at, staged[lane * STRIDE + i]);
          b += scores(at, staged[(lane + 16u) * STRIDE + i]);
        }
      }
      a = seen_scores(a, seen, base + lane);
      b = seen_scores(b, seen, base + lane + 16u);
      weights[lane * 4u + group] = a;
      weights[(lane + 16u) * 4u + group] = b;
      workgroupBarrier();
      var high = highest;
      for (var key = 0u; key < PAGE; key += 4u) {
        let at = key * 4u + group;
        high = max(max(high, weights[at]), max(max(weights[at + 4u], weights[at + 8u]), weights[at + 12u]));
      }
      workgroupBarrier();
      weights[lane * 4u + group] = weight_of(a, high);
      weights[(lane + 16u) * 4u + group] = weight_of(b, high);
      let keep = exp(max(highest - high, vec4<f32>(-80.0)));
      highest = high;
      total *= keep;
      s0 = scaled(s0, keep);
      if (OUTS > 1u) { s1 = scaled(s1, keep); }
      if (OUTS > 2u) {
        s2 = scaled(s2, keep);
        s3 = scaled(s3, keep);
      }
      workgroupBarrier();
      // Behind the last key the weights are 0.
      for (var key = 0u; key < count; key += 8u) {
        let w = weights_from(key, group);
        let z = weights_from(key + 4u, group);
        total += vec4<f32>(1.0) * w + vec4<f32>(1.0) * z;
        s0 = added(added(s0, values_from(page, key, fours.x), w), values_from(page, key + 4u, fours.x), z);
        if (OUTS > 1u) {
          s1 = added(added(s1, values_from(page, key, fours.y), w), values_from(page, key + 4u, fours.y), z);
        }
        if (OUTS > 2u) {
          s2 = added(added(s2, values_from(page, key, fours.z), w), values_from(page, key + 4u, fours.z), z);
          s3 = added(added(s3, values_from(page, key, fours.w), w), values_from(page, key + 4u, fours.w), z);
        }
      }
    }
    first = run.end;
  }
  finish_rows(tile, row, lane, s0, total);
  if (OUTS > 1u) { finish_rows(tile, row, lane + 16u, s1, total); }
  if (OUTS > 2u) {
    finish_rows(tile, row, lane + 32u, s2, total);
    finish_rows(tile, row, lane + 48u, s3, total);
  }
  if (SPLIT && lane == 0u) {
    finish_part(tile, row, highest.x, total.x);
    if (R > 1u) { finish_part(tile, row + 1u, highest.y, total.y); }
    if (R > 2u) {
      finish_part(tile, row + 2u, highest.z, total.z);
      finish_part(tile, row + 3u, highest.w, total.w);
    }
  }
}
