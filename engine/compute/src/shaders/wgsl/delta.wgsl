//# none
fn delta_at(t: u32, row: u32) -> f32 { return 0.0; }
//# add
// What an adapter adds to a product, [tokens, delta_stride].
@group(0) @binding(7) var<storage, read> deltas: array<f32>;
fn delta_at(t: u32, row: u32) -> f32 { return deltas[p.delta_offset + t * p.delta_stride + row]; }
