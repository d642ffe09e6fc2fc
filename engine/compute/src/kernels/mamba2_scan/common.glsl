// One token of a Mamba-2 scan: S = S * exp(dt * a) + dt * x[i] * B; out[i] = S . C + d * x[i], dt = softplus(dt + bias).
// `rows` holds S, [slots, inner, state_len].
uniform uint step_token;
uniform usampler2D vectors;
uniform usampler2D xbc;
uniform usampler2D dts;
uniform usampler2D rows;
float softplus(float x) { return x > 20.0 ? x : log(1.0 + exp(min(x, 20.0))); }
bool is_fresh() { return step_token == 0u && state.fresh == 1u; }
// What value i of the token does: decay of its row of S, dt * x, and where B begins.
struct Drive { float decay, input_rate; uint b; };
Drive drive_of(uint i) {
  uint head = i / p.head_len;
  uint inner = p.heads * p.head_len;
  uint token = p.xbc_offset + step_token * p.xbc_stride;
  float dt = softplus(value_at(dts, p.dt_offset + step_token * p.dt_stride + head) + value_at(vectors, p.bias + head));
  uint group = head / (p.heads / p.groups);
  return Drive(exp(dt * value_at(vectors, p.a + head)), dt * value_at(xbc, token + i), token + inner + group * p.state_len);
}
