// chosen[r] = the id with the largest logit of output row r, the lowest among equals.   One workgroup a row.
struct Params { in_offset: u32, in_stride: u32, cols: u32, pad0: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(2) var<storage, read> logits: array<f32>;
@group(0) @binding(3) var<storage, read_write> chosen: array<u32>;
@group(0) @binding(4) var<storage, read_write> tokens: array<Token>;
var<workgroup> best: array<f32, WG>;
var<workgroup> best_id: array<u32, WG>;
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let base = p.in_offset + g.x * p.in_stride;
  var id = min(t, p.cols - 1u);
  var value = logits[base + id];
  for (var i = t + WG; i < p.cols; i += WG) {
    let v = logits[base + i];
    if (v > value) { value = v; id = i; }
  }
  best[t] = value;
  best_id[t] = id;
  workgroupBarrier();
  if (t == 0u) {
    for (var i = 1u; i < WG; i++) {
      if (best[i] > value || (best[i] == value && best_id[i] < id)) { value = best[i]; id = best_id[i]; }
    }
    chosen[g.x] = id;
    if (state.feed == 1u) {
      let token = tokens[state.out_first + g.x];
      tokens[g.x] = Token(id, token.position + 1u, token.pages_first, token.end + 1u);
    }
  }
}
