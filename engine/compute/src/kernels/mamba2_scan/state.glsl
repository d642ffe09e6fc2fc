// S after the token.
void main() {
  uint len = p.heads * p.head_len * p.state_len;
  uvec2 at = place(state.slots * len, len);
  if (at.x != 0u) { discard; }
  vec4 y = is_fresh() ? vec4(0.0) : four_at(rows, here());
  for (uint k = 0u; k < 4u; k++) {
    uint i = (at.y + k) / p.state_len;
    Drive drive = drive_of(min(i, p.heads * p.head_len - 1u));
    y[k] = y[k] * drive.decay + drive.input_rate * value_at(xbc, drive.b + (at.y + k) % p.state_len);
  }
  result = floatBitsToUint(y);
}
