// input = the sum.
fn prologue(base: u32, t: u32, first: bool) { make_sum(base, t, first); }
fn input(base: u32, c: u32) -> vec4<f32> { return sum_at(base, c); }
fn take_statistic() -> f32 { return 0.0; }
fn norm_factor(sum: f32) -> f32 { return 1.0; }
