vec4 fours(uint word, uint i) { return vec4((uvec4(word >> (16u * i)) >> uvec4(0u, 4u, 8u, 12u)) & 15u) - 8.0; }
