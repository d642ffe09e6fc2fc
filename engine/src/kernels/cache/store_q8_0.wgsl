fn scale_of(largest: f32) -> f32 { return abs(largest) / 127.0; }
fn code(v: f32) -> u32 { return bitcast<u32>(i32(floor(abs(v) + 0.5) * sign(v))) & 255u; }
