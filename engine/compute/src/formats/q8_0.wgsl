// Q8_0: 16 signed bytes are one vec4<u32>.
const HAS_MINIMUM = false;
const APART = 1u;
fn codes16(row: u32, pair: u32, odd: u32) -> vec4<u32> { return word4(plane4(0u, row) + 2u * pair + odd); }
fn scale16(row: u32, pair: u32, odd: u32) -> vec2<f32> { return vec2<f32>(half_at(1u, row, pair), 0.0); }
