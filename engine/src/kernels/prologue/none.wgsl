// The input as it is.
fn prologue(base: u32, t: u32, first: bool) {}
fn input(base: u32, c: u32) -> vec4<f32> { return inputs[base + c]; }
