// out[i], and, beside it, by how much k comes into row i of S: both from S as the token before has left it.
uniform usampler2D betas;
layout(location = 1) out uvec4 changes;
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  if (at.x != step_token || at.y >= inner()) { discard; }
  vec4 y = vec4(0.0);
  vec4 change = vec4(0.0);
  for (uint n = 0u; n < 4u; n++) {
    uint i = at.y + n;
    if (i >= inner()) { break; }
    uint head = i / p.value_len;
    uint q = query_at(head);
    uint k = q + p.key_heads * p.key_len;
    uint row = (state.slots * inner() + i) * p.key_len;
    float decay = decay_of(head);
    float q_squares = 0.0;
    float k_squares = 0.0;
    float by_k = 0.0;
    float by_q = 0.0;
    float k_by_q = 0.0;
    for (uint j = 0u; j < p.key_len; j++) {
      float qj = value_at(qkv, q + j);
      float kj = value_at(qkv, k + j);
      float cell = is_fresh() ? 0.0 : value_at(rows, row + j) * decay;
      q_squares += qj * qj;
      k_squares += kj * kj;
      by_k += cell * kj;
      by_q += cell * qj;
      k_by_q += kj * qj;
    }
    float k_scale = 1.0 / sqrt(k_squares + p.eps);
    float q_scale = 1.0 / sqrt((q_squares + p.eps) * float(p.key_len));
    float beta = 1.0 / (1.0 + exp(min(-value_at(betas, p.beta_offset + step_token * p.beta_stride + head), 80.0)));
    float v = value_at(qkv, token_at() + 2u * p.key_heads * p.key_len + i);
    change[n] = (v - by_k * k_scale) * beta * k_scale;
    y[n] = (by_q + change[n] * k_by_q) * q_scale;
  }
  result = floatBitsToUint(y);
  changes = floatBitsToUint(change);
}
