fn delta_at(t: u32, row: u32) -> f32 { return 0.0; }
