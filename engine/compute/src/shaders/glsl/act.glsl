// ACT 0: none, 1: SiLU, 2: GELU (by tanh), 3: squared ReLU, 4: bounded SiLU. Bounds keep exp and tanh finite.
vec4 act(vec4 x) {
  if (ACT == 1) { return x / (1.0 + exp(min(-x, 80.0))); }
  if (ACT == 2) {
    vec4 u = 0.7978845608 * x * (1.0 + 0.044715 * x * x);
    return 0.5 * x * (1.0 + tanh(clamp(u, -15.0, 15.0)));
  }
  if (ACT == 3) { return max(x, 0.0) * max(x, 0.0); }
  if (ACT == 4) {
    vec4 v = min(x, 7.0);
    return v / (1.0 + exp(min(-1.702 * v, 80.0)));
  }
  return x;
}
vec4 gated(vec4 gate, vec4 up) {
  if (ACT == 4) { return act(gate) * (clamp(up, -7.0, 7.0) + 1.0); }
  return act(gate) * up;
}
