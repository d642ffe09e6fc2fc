vec4 fours(uint word, uint i) { return vec4((ivec4(int(word)) << uvec4(24u, 16u, 8u, 0u)) >> 24u); }
