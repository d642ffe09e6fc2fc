// candidates[r][chunk] = key and id of the largest logit of a chunk of output row r, the lowest id among equals.
// One workgroup a chunk; g.y is r.
@group(0) @binding(2) var<storage, read> logits: array<f32>;
@group(0) @binding(3) var<storage, read_write> candidates: array<vec2<u32>>;
var<workgroup> best: array<vec2<u32>, WG>;
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let base = p.in_offset + g.y * p.in_stride;
  var top = vec2<u32>(0u);
  for (var id = g.x * CHUNK + t; id < min(g.x * CHUNK + CHUNK, p.cols); id += WG) {
    let key = key_of(logits[base + id]);
    if (key > top.x) { top = vec2<u32>(key, id); }
  }
  best[t] = top;
  workgroupBarrier();
  if (t == 0u) {
    for (var i = 1u; i < WG; i++) {
      let other = best[i];
      if (other.x > top.x || (other.x == top.x && other.y < top.y)) { top = other; }
    }
    candidates[g.y * p.chunks + g.x] = top;
  }
}
