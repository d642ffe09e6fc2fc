// The rows that a product makes, and vectors for them.
uniform usampler2D vectors;
float vector_at(uint i) { return value_at(vectors, i); }
uint row_count() { return p.from_outputs == 1u ? state.out_rows : state.tokens; }
