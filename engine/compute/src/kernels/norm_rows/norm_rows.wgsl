// out[t] (+)= scale * norm(input[t]), part by part.   One workgroup per part of a row; parts of `cols` values.
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let row = g.x / p.parts;
  let part = (g.x % p.parts) * p.cols;
  let base = input_row(row) + part / 4u;
  prologue(base, t, true);
  for (var c = t; 4u * c < p.cols; c += WG) { _ = input(base, c); }
  let factor = p.scale * norm_factor(workgroup_sum(take_statistic(), t));
  let at = p.out_offset + row * p.out_stride + part;
  for (var c = t; 4u * c < p.cols; c += WG) {
    let v = factor * input(base, c);
    for (var i = 0u; i < 4u; i++) {
      if (4u * c + i < p.cols) {
        let to = at + 4u * c + i;
        if (ADD) { out[to] += v[i]; } else { out[to] = v[i]; }
      }
    }
  }
}
