// Records of the slice's tokens: id, position, where the page table begins, end.
uniform usampler2D tokens;
