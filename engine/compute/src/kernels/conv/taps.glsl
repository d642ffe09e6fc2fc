// The last KERNEL - 1 inputs of every channel, for the next slice.
void main() {
  uint len = p.channels * (KERNEL - 1u);
  uvec2 at = place(state.slots * len, len);
  if (at.x != 0u) { discard; }
  vec4 y = vec4(0.0);
  for (uint i = 0u; i < 4u; i++) {
    uint tap = at.y + i;
    if (tap >= len) { break; }
    y[i] = input_at(int(state.tokens + tap % (KERNEL - 1u)) - int(KERNEL) + 1, tap / (KERNEL - 1u));
  }
  result = floatBitsToUint(y);
}
