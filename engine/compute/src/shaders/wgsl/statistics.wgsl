// Sums over a workgroup with one barrier: every thread adds up all partial sums.
var<workgroup> partial_sums: array<f32, WG>;
fn workgroup_sum(v: f32, t: u32) -> f32 {
  partial_sums[t] = v;
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < WG; i++) { total += partial_sums[i]; }
  workgroupBarrier();
  return total;
}
