//# discard
// What lies beside the rows that are made stays as it is.
void keep() { discard; }
vec4 before() { return vec4(0.0); }
//# twin
// Rows are changed in place: what is drawn to is the twin of the texture that holds them, and gets whole rows.
uniform usampler2D old;
void keep() { result = words_at(old, here()); }
vec4 before() { return four_at(old, here()); }
