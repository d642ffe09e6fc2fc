// What every kernel of attention knows: its constants, and which positions a token sees.
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
