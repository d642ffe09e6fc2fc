// out[t, r] = epilogue(scale * (sum_k W[r, k] * norm(x[t])[k] + bias[r] + delta[t, r])) for tokens eight by eight.
// p.lanes threads walk the units of four rows, each decoded once for all tokens; WG / p.lanes quads of rows per workgroup.
// With ONE_LANE a thread walks them alone, and nobody waits.
var<workgroup> partial: array<vec4<f32>, 8u * WG>;
var<workgroup> partial_statistic: array<vec4<f32>, 2u * WG>;
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>
) {
  let base = 8u * g.y;
  let count = min(row_count() - base, 8u);
  let last = count - 1u;
  let lanes = select(p.lanes, 1u, ONE_LANE);
  let r = ((g.x + g.z * n.x) * (WG / lanes) + t / lanes) * QUAD_OUTPUTS;
  let lane = t % lanes;
  let r0 = quad_row(r, 0u);
  let r1 = quad_row(r, 1u);
  let r2 = quad_row(r, 2u);
  let r3 = quad_row(r, 3u);
  let x0 = input_row(base);
  let x1 = input_row(base + min(1u, last));
  let x2 = input_row(base + min(2u, last));
  let x3 = input_row(base + min(3u, last));
  let x4 = input_row(base + min(4u, last));
  let x5 = input_row(base + min(5u, last));
  let x6 = input_row(base + min(6u, last));
  let x7 = input_row(base + min(7u, last));
  var y0 = vec4<f32>(); var y1 = y0; var y2 = y0; var y3 = y0; var y4 = y0; var y5 = y0; var y6 = y0; var y7 = y0;
  var s0 = vec4<f32>();
  var s1 = s0;
  for (var u = lane; u < p.units; u += lanes) {
    var a = decode16(r0, u);
    var b = decode16(r1, u);
    var d = decode16(r2, u);
    var e = decode16(r3, u);
    for (var c = 4u * u; c < 4u * u + 4u; c++) {
      y0 += dots(input(x0, c), a[0], b[0], d[0], e[0]); s0.x += take_statistic();
      y1 += dots(input(x1, c), a[0], b[0], d[0], e[0]); s0.y += take_statistic();
      if (count > 2u) {
        y2 += dots(input(x2, c), a[0], b[0], d[0], e[0]); s0.z += take_statistic();
        y3 += dots(input(x3, c), a[0], b[0], d[0], e[0]); s0.w += take_statistic();
      }
      if (count > 4u) {
        y4 += dots(input(x4, c), a[0], b[0], d[0], e[0]); s1.x += take_statistic();
        y5 += dots(input(x5, c), a[0], b[0], d[0], e[0]); s1.y += take_statistic();
        y6 += dots(input(x6, c), a[0], b[0], d[0], e[0]); s1.z += take_statistic();
        y7 += dots(input(x7, c), a[0], b[0], d[0], e[0]); s1.w += take_statistic();
      }
      // The next four of each row: an index that varies would send the matrices to memory.
      a = mat4x4<f32>(a[1], a[2], a[3], a[3]);
      b = mat4x4<f32>(b[1], b[2], b[3], b[3]);
      d = mat4x4<f32>(d[1], d[2], d[3], d[3]);
      e = mat4x4<f32>(e[1], e[2], e[3], e[3]);
    }
  }
  partial[t] = y0;
  partial[WG + t] = y1;
  partial[2u * WG + t] = y2;
  partial[3u * WG + t] = y3;
  partial[4u * WG + t] = y4;
  partial[5u * WG + t] = y5;
  partial[6u * WG + t] = y6;
  partial[7u * WG + t] = y7;
  partial_statistic[t] = s0;
  partial_statistic[WG + t] = s1;
  if (!ONE_LANE) { workgroupBarrier(); }
  for (var j = lane; j < count; j += lanes) {
    var y = vec4<f32>();
    var s = 0.0;
    for (var i = t - lane; i < t - lane + lanes; i++) {
      y += partial[j * WG + i];
      s += partial_statistic[j / 4u * WG + i][j % 4u];
    }
    store_quad(base + j, r, norm_factor(s) * y);
  }
}
