// Word i of a cell: two halves.
uint cell_word(Head h, uint i) {
  return packHalf2x16(clamp(vec2(turned(h, 2u * i), 2u * i + 1u < HEAD ? turned(h, 2u * i + 1u) : 0.0), -65504.0, 65504.0));
}
