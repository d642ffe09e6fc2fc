// chosen[r] = one of the candidates of output row r: the top_k largest; of these the fewest that reach top_p; of these
// those that are at least min_p times as probable as the best; one drawn at the temperature.   One workgroup a row.
@group(0) @binding(2) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> sampling: array<Sampling>;
var<private> base: u32;
fn candidate_key(i: u32) -> u32 { return candidates[base + i].x; }
var<workgroup> ids: array<u32, SHORTLIST>;
var<workgroup> sorted: array<u32, SHORTLIST>;
var<workgroup> by_id: array<u32, SHORTLIST>;
var<workgroup> survivors: u32;
// How much less probable candidate i is than the best, at temperature 1 and in logarithms.
fn distance(i: u32) -> f32 { return value_of(keys[i]) - value_of(keys[sorted[0]]); }
fn count_survivors(row: u32) -> u32 {
  let n = atomicLoad(&kept);
  if (sampling[row].temperature == 0.0) { return 1u; }
  var count = n;
  if (sampling[row].top_p < 1.0) {
    var total = 0.0;
    for (var i = 0u; i < n; i++) { total += exp(distance(sorted[i])); }
    var sum = 0.0;
    for (count = 0u; count < n && sum < sampling[row].top_p * total; count++) { sum += exp(distance(sorted[count])); }
  }
  while (count > 1u && exp(distance(sorted[count - 1u])) < sampling[row].min_p) { count--; }
  return max(count, 1u);
}
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let row = g.x;
  base = row * p.chunks * SHORTLIST;
  find_largest(p.chunks * SHORTLIST, clamp(sampling[row].top_k, 1u, SHORTLIST), t);
  for (var i = t; i < SHORTLIST; i += WG) { ids[i] = candidates[base + places[i]].y; }
  workgroupBarrier();
  let n = atomicLoad(&kept);
  for (var i = t; i < n; i += WG) {
    var rank = 0u;
    for (var j = 0u; j < n; j++) { rank += u32(keys[j] > keys[i] || (keys[j] == keys[i] && ids[j] < ids[i])); }
    sorted[rank] = i;
  }
  workgroupBarrier();
  if (t == 0u) { survivors = count_survivors(row); }
  workgroupBarrier();
  // Sums are made in the order of ids, like the host's.
  for (var i = t; i < survivors; i += WG) {
    var rank = 0u;
    for (var j = 0u; j < survivors; j++) { rank += u32(ids[sorted[j]] < ids[sorted[i]]); }
    by_id[rank] = sorted[i];
  }
  workgroupBarrier();
  if (t != 0u) { return; }
  let temperature = max(sampling[row].temperature, 1.0e-6);
  var left = 0.0;
  for (var i = 0u; i < survivors; i++) { left += exp(distance(by_id[i]) / temperature); }
  left *= sampling[row].draws[sampling[row].step % STEPS];
  var id = ids[sorted[0]];
  for (var i = 0u; i < survivors; i++) {
    left -= exp(distance(by_id[i]) / temperature);
    if (left < 0.0) {
      id = ids[by_id[i]];
      break;
    }
  }
  sampling[row].step += 1u;
  sampling[row].history[sampling[row].count % SHORTLIST] = id;
  sampling[row].count += 1u;
  choose(row, id);
}
