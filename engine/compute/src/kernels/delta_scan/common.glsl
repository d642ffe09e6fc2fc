// One token of a gated delta net: S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q, q and k of unit
// length, q / sqrt(key_len). `rows` holds S, [slots, inner, key_len].
uniform uint step_token;
uniform usampler2D vectors;
uniform usampler2D qkv;
uniform usampler2D alphas;
uniform usampler2D rows;
float softplus(float x) { return x > 20.0 ? x : log(1.0 + exp(min(x, 20.0))); }
bool is_fresh() { return step_token == 0u && state.fresh == 1u; }
uint inner() { return p.value_heads * p.value_len; }
uint token_at() { return p.qkv_offset + step_token * p.qkv_stride; }
// Where q of a value head begins; k is key_heads * key_len behind it.
uint query_at(uint head) { return token_at() + head % p.key_heads * p.key_len; }
float decay_of(uint head) {
  float alpha = value_at(alphas, p.alpha_offset + step_token * p.alpha_stride + head);
  return exp(softplus(alpha + value_at(vectors, p.bias + head)) * value_at(vectors, p.a + head));
}
