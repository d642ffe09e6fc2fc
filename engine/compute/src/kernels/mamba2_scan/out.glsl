// out[i], from S as the token before has left it.
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  uint inner = p.heads * p.head_len;
  if (at.x != step_token || at.y >= inner) { discard; }
  vec4 y = vec4(0.0);
  for (uint k = 0u; k < 4u; k++) {
    uint i = at.y + k;
    if (i >= inner) { break; }
    Drive drive = drive_of(i);
    uint row = (state.slots * inner + i) * p.state_len;
    uint c = drive.b + p.groups * p.state_len;
    float s = value_at(vectors, p.d + i / p.head_len) * value_at(xbc, p.xbc_offset + step_token * p.xbc_stride + i);
    for (uint j = 0u; j < p.state_len; j++) {
      float cell = is_fresh() ? 0.0 : value_at(rows, row + j);
      s += (cell * drive.decay + drive.input_rate * value_at(xbc, drive.b + j)) * value_at(xbc, c + j);
    }
    y[k] = s;
  }
  result = floatBitsToUint(y);
}
