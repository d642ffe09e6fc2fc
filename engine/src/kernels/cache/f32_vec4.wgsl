// Keys and values as computed, heads of a multiple of four values.
@group(0) @binding(5) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> values: array<vec4<f32>>;
fn key_four(cell: u32, i: u32) -> vec4<f32> { return keys[cell * (HEAD / 4u) + i]; }
fn value_four(cell: u32, i: u32) -> vec4<f32> { return values[cell * (HEAD / 4u) + i]; }
