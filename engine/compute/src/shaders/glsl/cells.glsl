// Page tables of the slice's sequences.
uniform usampler2D pages;
