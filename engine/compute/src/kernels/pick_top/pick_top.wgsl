// chosen[r] = the id of the largest candidate of output row r, the first among equals.   One thread a row.
@group(0) @binding(2) var<storage, read> candidates: array<vec2<u32>>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) g: vec3<u32>) {
  var top = candidates[g.x * p.chunks];
  for (var i = 1u; i < p.chunks; i++) {
    let other = candidates[g.x * p.chunks + i];
    if (other.x > top.x) { top = other; }
  }
  choose(g.x, top.y);
}
