// Q8_0: 16 signed bytes are one vec4<u32>.
fn codes16(row: u32, unit: u32) -> vec4<u32> { return word4(plane4(0u, row) + unit); }
fn scale16(row: u32, unit: u32) -> vec2<f32> { return vec2<f32>(half_at(1u, row, unit >> 1u), 0.0); }
