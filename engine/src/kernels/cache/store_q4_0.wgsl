fn scale_of(largest: f32) -> f32 { return largest / -8.0; }
fn code(v: f32) -> u32 { return min(15u, u32(v + 8.5)); }
