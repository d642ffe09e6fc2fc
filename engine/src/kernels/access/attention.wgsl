// What every kernel of attention knows: its constants, and which positions a token sees.
struct Params {
  group: u32, kv_heads: u32, q_offset: u32, q_stride: u32,
  out_offset: u32, out_stride: u32, scale: f32, cap: f32,
  window: u32, gate_offset: u32, gate_stride: u32, scales: u32,  // window 0: all
  sinks: u32, causal: u32, gated: u32, sunk: u32,
  tile_tokens: u32, pieces: u32, piece_heads: u32, splits: u32,
  head_len: u32, pad0: u32, pad1: u32, pad2: u32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(2) var<storage, read> tokens: array<Token>;
const LOWEST = -3.0e38;

// The positions from x up to, but without, y.
fn seen_by(token: Token) -> vec2<u32> {
  var seen = vec2<u32>(0u, select(token.end, token.position + 1u, p.causal != 0u));
  if (p.window != 0u) {
    seen.x = max(token.position + p.causal, p.window) - p.window;
    seen.y = min(seen.y, token.position + p.window + 1u);
  }
  return seen;
}
// Positions of a part, whole pages, where several workgroups share what a token sees.
fn part_len(seen: vec2<u32>) -> u32 {
  let pages_seen = (seen.y + PAGE - 1u) / PAGE - seen.x / PAGE;
  return (pages_seen + p.splits - 1u) / p.splits * PAGE;
}
