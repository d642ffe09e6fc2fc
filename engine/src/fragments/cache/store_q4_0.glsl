float scale_of(float largest) { return largest / -8.0; }
uint code(float v) { return min(15u, uint(v + 8.5)); }
