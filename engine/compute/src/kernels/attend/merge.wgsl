// out[t] = what the parts of attend_tiles come to: per head and part HEAD sums, the highest score and the sum of weights.
@group(0) @binding(3) var<storage, read> sums: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<storage, read> gates: array<f32>;
@group(0) @binding(6) var<storage, read> vectors: array<f32>;
fn four(at: vec4<u32>) -> vec4<f32> { return vec4<f32>(sums[at.x], sums[at.y], sums[at.z], sums[at.w]); }
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let i = g.x * WG + t;
  let heads = p.kv_heads * p.group;
  if (i >= heads * p.head_len) { return; }
  let head = i / p.head_len;
  let seen = seen_by(tokens[g.y]);
  let parts = (seen.y - seen.x / PAGE * PAGE + part_len(seen) - 1u) / part_len(seen);
  let len = p.head_len + 2u;
  let first = p.q_offset + g.y * p.q_stride + head * p.splits * len;
  var highest = LOWEST;
  if (p.sunk != 0u) { highest = vectors[p.sinks + head]; }
  // Four at a time, so that they need not wait for each other; behind the last one that one again.
  let next = vec4<u32>(0u, 1u, 2u, 3u);
  for (var s = 0u; s < parts; s += 4u) {
    let high = four(first + min(s + next, vec4<u32>(parts - 1u)) * len + p.head_len);
    highest = max(highest, max(max(high.x, high.y), max(high.z, high.w)));
  }
  var total = 0.0;
  if (p.sunk != 0u) { total = exp(max(vectors[p.sinks + head] - highest, -80.0)); }
  var y = 0.0;
  for (var s = 0u; s < parts; s += 4u) {
    let at = first + min(s + next, vec4<u32>(parts - 1u)) * len;
    let high = four(at + p.head_len);
    let keep = select(vec4<f32>(0.0), exp(max(high - highest, vec4<f32>(-80.0))), s + next < vec4<u32>(parts));
    total += dot(keep, four(at + p.head_len + 1u));
    y += dot(keep, four(at + i % p.head_len));
  }
  y /= total;
  if (p.gated != 0u) {
    let gate = gates[p.gate_offset + g.y * p.gate_stride + (2u * head + 1u) * p.head_len + i % p.head_len];
    y /= 1.0 + exp(min(-gate, 80.0));
  }
  out[p.out_offset + g.y * p.out_stride + i] = y;
}
