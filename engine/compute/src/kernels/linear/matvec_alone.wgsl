// As matvec.wgsl, where threads are lanes of a CPU: each walks eight rows alone, and nobody waits. Loads cost most there, one by
// one for each lane, so an input is read for eight rows, and words are read once for all units in them.
var<private> y0: vec4<f32>;
var<private> y1: vec4<f32>;
fn input16(base: u32, u: u32) -> mat4x4<f32> {
  let c = 4u * u;
  return mat4x4<f32>(input(base, c), input(base, c + 1u), input(base, c + 2u), input(base, c + 3u));
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>
) {
  let base = input_row(g.y);
  prologue(base, t, g.x + g.z == 0u);
  let r = ((g.x + g.z * n.x) * WG + t) * 2u * QUAD_OUTPUTS;
  walk(base, quad_rows(r), quad_rows(r + QUAD_OUTPUTS));
  let factor = norm_factor(take_statistic());
  store_quad(g.y, r, factor * y0);
  store_quad(g.y, r + QUAD_OUTPUTS, factor * y1);
}
//# decoded
fn unit_dot(row: u32, u: u32, x: mat4x4<f32>) -> f32 { return dot16(decode16(row, u), x); }
fn walk(base: u32, a: vec4<u32>, b: vec4<u32>) {
  for (var u = 0u; u < p.units; u++) {
    let x = input16(base, u);
    y0 += vec4<f32>(unit_dot(a.x, u, x), unit_dot(a.y, u, x), unit_dot(a.z, u, x), unit_dot(a.w, u, x));
    y1 += vec4<f32>(unit_dot(b.x, u, x), unit_dot(b.y, u, x), unit_dot(b.z, u, x), unit_dot(b.w, u, x));
  }
}
//# coded
fn pair_dot(row: u32, i: u32, even: mat4x4<f32>, odd: mat4x4<f32>) -> f32 {
  return dot16(values16(row, i, 0u), even) + dot16(values16(row, i, 1u), odd);
}
fn walk(base: u32, a: vec4<u32>, b: vec4<u32>) {
  for (var i = 0u; i < p.units / 2u; i++) {
    let u = even_unit(i);
    let x = input16(base, u);
    let z = input16(base, u + APART);
    y0 += vec4<f32>(pair_dot(a.x, i, x, z), pair_dot(a.y, i, x, z), pair_dot(a.z, i, x, z), pair_dot(a.w, i, x, z));
    y1 += vec4<f32>(pair_dot(b.x, i, x, z), pair_dot(b.y, i, x, z), pair_dot(b.z, i, x, z), pair_dot(b.w, i, x, z));
  }
}
