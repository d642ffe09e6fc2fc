// Penalises the logits of what is in the row's history, then candidates[r][chunk] = the SHORTLIST largest of a chunk.
// One workgroup a chunk; g.y is r.
@group(0) @binding(2) var<storage, read_write> logits: array<f32>;
@group(0) @binding(3) var<storage, read_write> candidates: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> sampling: array<Sampling>;
var<private> first: u32;
var<private> base: u32;
fn candidate_key(i: u32) -> u32 { return key_of(logits[base + first + i]); }
fn remembered(row: u32, i: u32) -> u32 {
  return sampling[row].history[(sampling[row].count - 1u - i) % SHORTLIST];
}
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let row = g.y;
  base = p.in_offset + row * p.in_stride;
  first = g.x * CHUNK;
  let count = min(CHUNK, p.cols - first);
  let window = min(min(sampling[row].window, sampling[row].count), SHORTLIST);
  for (var i = t; i < window; i += WG) {
    let id = remembered(row, i);
    // An id is penalised once, by the first that remembers it.
    var known = id < first || id >= first + count;
    for (var j = 0u; j < i; j++) { known = known || remembered(row, j) == id; }
    if (!known) {
      let v = logits[base + id];
      let penalised = select(v * sampling[row].penalty, v / sampling[row].penalty, v > 0.0);
      logits[base + id] = clamp(penalised, -3.4e38, 3.4e38);
    }
  }
  storageBarrier();
  workgroupBarrier();
  find_largest(count, SHORTLIST, t);
  for (var i = t; i < SHORTLIST; i += WG) {
    candidates[(row * p.chunks + g.x) * SHORTLIST + i] = vec2<u32>(keys[i], first + places[i]);
  }
}
