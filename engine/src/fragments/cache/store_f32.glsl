// Word i of a cell: the value itself.
uint cell_word(Head h, uint i) { return floatBitsToUint(turned(h, i)); }
