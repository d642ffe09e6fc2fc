// out[e]: how many numbers have an expert before e; then the numbers, token * used + slot, by expert. A workgroup for each expert,
// and one for the end; a thread looks at neighbours.
@group(0) @binding(2) var<storage, read> routes: array<u32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;
// Of each thread: how many have an expert before this one, and how many this one.
var<workgroup> counts: array<vec2<u32>, WG>;
fn expert_of(number: u32) -> u32 {
  return routes[p.route_offset + (number / p.used) * p.route_stride + 2u * (number % p.used)];
}
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let all = state.tokens * p.used;
  let each = (all + WG - 1u) / WG;
  let first = min(i * each, all);
  let end = min(first + each, all);
  var mine = vec2<u32>(0u);
  for (var number = first; number < end; number++) {
    let expert = expert_of(number);
    mine += vec2<u32>(u32(expert < g.x), u32(expert == g.x));
  }
  counts[i] = mine;
  workgroupBarrier();
  var begin = 0u;
  var before = 0u;
  for (var j = 0u; j < WG; j++) {
    begin += counts[j].x;
    before += select(0u, counts[j].y, j < i);
  }
  if (i == 0u) { out[p.out_offset + g.x] = begin; }
  var at = p.out_offset + p.experts + 1u + begin + before;
  for (var number = first; number < end; number++) {
    if (expert_of(number) == g.x) {
      out[at] = number;
      at += 1u;
    }
  }
}
