// out[t, g] = norm(x * silu(gate)) where GATE_FIRST, else norm(x) * silu(gate), group by group. Without NORMED only the gate.
uniform usampler2D vectors;
uniform usampler2D inputs;
uniform usampler2D gates;
float silu(float x) { return x / (1.0 + exp(min(-x, 80.0))); }
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  if (at.x >= state.tokens || at.y >= GROUPS * p.cols) { discard; }
  uint x = p.in_offset + at.x * p.in_stride;
  uint gate = p.gate_offset + at.x * p.gate_stride;
  vec4 y = vec4(0.0);
  uint group = 0xffffffffu;
  float inverse = 1.0;
  for (uint n = 0u; n < 4u; n++) {
    uint i = at.y + n;
    if (i >= GROUPS * p.cols) { break; }
    if (NORMED && i / p.cols != group) {
      group = i / p.cols;
      float squares = 0.0;
      for (uint j = group * p.cols; j < (group + 1u) * p.cols; j++) {
        float v = value_at(inputs, x + j);
        if (GATE_FIRST) { v *= silu(value_at(gates, gate + j)); }
        squares += v * v;
      }
      inverse = 1.0 / sqrt(squares / float(p.cols) + p.eps);
    }
    y[n] = value_at(inputs, x + i) * silu(value_at(gates, gate + i));
    if (NORMED) { y[n] *= inverse * value_at(vectors, p.weight + (p.own_weights == 1u ? i : i % p.cols)); }
  }
  result = floatBitsToUint(y);
}
