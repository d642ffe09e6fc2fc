float scale_of(float largest) { return abs(largest) / 127.0; }
uint code(float v) { return uint(int(floor(abs(v) + 0.5) * sign(v))) & 255u; }
