// The chosen experts: pairs of id and weight.
uniform usampler2D routes;
uint expert_of(uint t, uint s) { return word_at(routes, p.route_offset + t * p.route_stride + 2u * s); }
float weight_of(uint t, uint s) { return value_at(routes, p.route_offset + t * p.route_stride + 2u * s + 1u); }
