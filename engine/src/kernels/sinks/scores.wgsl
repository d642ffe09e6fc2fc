// Every query also sees nothing at all, with a score of its head's own: the running softmax begins with it.
@group(0) @binding(9) var<storage, read> vectors: array<f32>;
fn first_score(head: u32) -> f32 { return vectors[p.sinks + head]; }
fn first_total() -> f32 { return 1.0; }
