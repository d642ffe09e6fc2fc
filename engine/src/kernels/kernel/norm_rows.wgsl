// out[t] (+)= scale * norm(input[t]).   One workgroup per row.
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let base = input_row(g.x);
  prologue(base, t);
  let at = p.out_offset + g.x * p.out_stride;
  for (var c = t; 4u * c < p.cols; c += WG) {
    let v = input(base, c);
    for (var i = 0u; i < 4u; i++) {
      if (4u * c + i < p.cols) {
        let to = at + 4u * c + i;
        if (ADD) { out[to] += p.scale * v[i]; } else { out[to] = v[i]; }
      }
    }
  }
}
