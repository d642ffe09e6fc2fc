// Values 4 i to 4 i + 3 of a cell, zero behind its end.
vec4 cell_four(usampler2D pool, uint cell, uint i) {
  if (HEAD % 4u == 0u) { return four_at(pool, cell * (HEAD / 4u) + i); }
  uint at = cell * HEAD + 4u * i;
  vec2 rest = 4u * i + 2u < HEAD ? vec2(value_at(pool, at + 2u), value_at(pool, at + 3u)) : vec2(0.0);
  return vec4(value_at(pool, at), value_at(pool, at + 1u), rest);
}
