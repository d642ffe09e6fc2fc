//# none
float delta_at(uint t, uint row) { return 0.0; }
//# add
// What an adapter adds to a product.
uniform usampler2D deltas;
float delta_at(uint t, uint row) { return value_at(deltas, p.delta_offset + t * p.delta_stride + row); }
