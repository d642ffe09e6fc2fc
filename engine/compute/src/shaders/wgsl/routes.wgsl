// The chosen experts: pairs of id and weight (f32 bits), [tokens, route_stride].
@group(0) @binding(7) var<storage, read> routes: array<u32>;
fn expert_of(t: u32, slot: u32) -> u32 { return routes[p.route_offset + t * p.route_stride + 2u * slot]; }
fn weight_of(t: u32, slot: u32) -> f32 {
  return bitcast<f32>(routes[p.route_offset + t * p.route_stride + 2u * slot + 1u]);
}
