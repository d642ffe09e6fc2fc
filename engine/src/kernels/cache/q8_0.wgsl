// Signed bytes; the largest magnitude of a block becomes 127.
fn fours(word: u32, i: u32) -> vec4<f32> { return sbytes4(word); }
