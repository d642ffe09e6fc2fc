// What lies beside the rows that are made stays as it is.
void keep() { discard; }
vec4 before() { return vec4(0.0); }
