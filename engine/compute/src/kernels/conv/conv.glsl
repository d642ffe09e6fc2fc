// out[t, c] = silu(sum_j w[c, j] * x[t - KERNEL + 1 + j, c] + bias[c]); gated: row b, c, z; out = c * conv(b * z).
uniform usampler2D vectors;
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  if (at.x >= state.tokens || at.y >= p.channels) { discard; }
  vec4 y = vec4(0.0);
  for (uint i = 0u; i < 4u; i++) {
    uint c = at.y + i;
    if (c >= p.channels) { break; }
    float s = 0.0;
    for (uint j = 0u; j < KERNEL; j++) {
      s += value_at(vectors, p.weight + c * KERNEL + j) * input_at(int(at.x + j) - int(KERNEL) + 1, c);
    }
    if (GATED) {
      y[i] = value_at(inputs, p.in_offset + at.x * p.in_stride + c + p.channels) * s;
    } else {
      if (HAS_BIAS) { s += value_at(vectors, p.bias + c); }
      y[i] = s / (1.0 + exp(min(-s, 80.0)));
    }
  }
  result = floatBitsToUint(y);
}
