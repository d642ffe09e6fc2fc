// The `n` largest of `count` keys, found digit by digit from the top. A kernel has candidate_key(i).
var<workgroup> bins: array<atomic<u32>, 256>;
var<workgroup> digit_and_left: vec2<u32>;
var<workgroup> equals: array<u32, WG>;
var<workgroup> kept: atomic<u32>;
var<workgroup> keys: array<u32, SHORTLIST>;
var<workgroup> places: array<u32, SHORTLIST>;
// Fills keys and places (the i of candidate_key) in no order; what is left of them gets key 0. Among equals the first.
fn find_largest(count: u32, n: u32, t: u32) {
  var prefix = 0u;
  var left = min(n, count);
  for (var shift = 32u; shift > 0u; shift -= 8u) {
    for (var b = t; b < 256u; b += WG) { atomicStore(&bins[b], 0u); }
    workgroupBarrier();
    for (var i = t; i < count; i += WG) {
      let key = candidate_key(i);
      // A shift by 32 would be one by 0.
      if (shift == 32u || (key >> (shift & 31u)) == prefix) { atomicAdd(&bins[(key >> (shift - 8u)) & 255u], 1u); }
    }
    workgroupBarrier();
    if (t == 0u) {
      var b = 255u;
      var above = 0u;
      while (b > 0u && above + atomicLoad(&bins[b]) < left) {
        above += atomicLoad(&bins[b]);
        b--;
      }
      digit_and_left = vec2<u32>(b, left - above);
    }
    workgroupBarrier();
    prefix = (prefix << 8u) | digit_and_left.x;
    left = digit_and_left.y;
  }
  // Each thread has neighbours, so that equals are counted in order.
  let each = (count + WG - 1u) / WG;
  let end = min(t * each + each, count);
  var own = 0u;
  for (var i = t * each; i < end; i++) { own += u32(candidate_key(i) == prefix); }
  equals[t] = own;
  if (t == 0u) { atomicStore(&kept, 0u); }
  for (var i = t; i < SHORTLIST; i += WG) { keys[i] = 0u; }
  workgroupBarrier();
  var before = 0u;
  for (var i = 0u; i < t; i++) { before += equals[i]; }
  for (var i = t * each; i < end; i++) {
    let key = candidate_key(i);
    // Key 0 is that of nothing.
    if (key < max(prefix, 1u) || (key == prefix && before >= left)) { continue; }
    before += u32(key == prefix);
    let at = atomicAdd(&kept, 1u);
    keys[at] = key;
    places[at] = i;
  }
  workgroupBarrier();
}
