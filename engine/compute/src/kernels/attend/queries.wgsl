// What kernels that read the cache share: their bindings, and which queries a workgroup has. A tile holds the heads of
// a group (or of a piece of one, if groups are large) for some neighbouring tokens.
@group(0) @binding(3) var<storage, read> pages: array<u32>;
@group(0) @binding(4) var<storage, read> q: array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;
@group(0) @binding(8) var<storage, read> gates: array<f32>;
@group(0) @binding(9) var<storage, read> vectors: array<f32>;
const FOURS = (HEAD + 3u) / 4u;

struct Tile { first: u32, end: u32, kv_head: u32, head: u32, split: u32 }  // tokens; first head
fn tile_of(g: vec3<u32>) -> Tile {
  let first = g.x * p.tile_tokens;
  let split = g.y % p.splits;
  let piece = g.y / p.splits % p.pieces;
  let kv_head = g.y / p.splits / p.pieces;
  return Tile(first, min(first + p.tile_tokens, state.tokens), kv_head, piece * p.piece_heads, split);
}
struct Query { token: u32, head: u32, valid: bool }
fn query_of(tile: Tile, row: u32) -> Query {
  let token = tile.first + row / p.piece_heads;
  let head = tile.head + row % p.piece_heads;
  let valid = token < tile.end && head < p.group;
  return Query(min(token, tile.end - 1u), tile.kv_head * p.group + min(head, p.group - 1u), valid);
}
// Tokens first up to, but without, `end` are of one sequence; together they see the positions x up to y.
struct Run { end: u32, seen: vec2<u32> }
fn run_from(first: u32, last: u32) -> Run {
  let sequence = tokens[first].pages_first;
  var run = Run(first + 1u, seen_by(tokens[first]));
  while (run.end < last && tokens[run.end].pages_first == sequence) {
    let seen = seen_by(tokens[run.end]);
    run.seen = vec2<u32>(min(run.seen.x, seen.x), max(run.seen.y, seen.y));
    run.end++;
  }
  return run;
}
fn query_four(query: Query, i: u32) -> vec4<f32> {
  let at = p.q_offset + query.token * p.q_stride + query.head * HEAD + 4u * i;
  var v = vec4<f32>(q[at], q[at + 1u], 0.0, 0.0);
  if (4u * i + 2u < HEAD) { v = vec4<f32>(v.xy, q[at + 2u], q[at + 3u]); }
  return v;
}
fn bounded(score: vec4<f32>) -> vec4<f32> {
  let s = p.scale * score;
  if (p.cap == 0.0) { return s; }
  return p.cap * tanh(clamp(s / p.cap, vec4<f32>(-15.0), vec4<f32>(15.0)));
}
// A sink is seen by every query of its head and adds nothing: the running softmax begins with it.
fn first_score(head: u32) -> f32 {
  if (p.sunk == 0u) { return LOWEST; }
  return vectors[p.sinks + head];
}
fn put(at: u32, i: u32, v: vec4<f32>) {
  out[at + 4u * i] = v.x;
  out[at + 4u * i + 1u] = v.y;
  if (4u * i + 2u < HEAD) {
    out[at + 4u * i + 2u] = v.z;
    out[at + 4u * i + 3u] = v.w;
  }
}
fn store(query: Query, i: u32, mean: vec4<f32>) {
  var y = mean;
  if (p.gated != 0u) {
    let at = p.gate_offset + query.token * p.gate_stride + (2u * query.head + 1u) * HEAD + 4u * i;
    var gate = vec4<f32>(gates[at], gates[at + 1u], 0.0, 0.0);
    if (4u * i + 2u < HEAD) { gate = vec4<f32>(gate.xy, gates[at + 2u], gates[at + 3u]); }
    y /= 1.0 + exp(min(-gate, vec4<f32>(80.0)));
  }
  put(p.out_offset + query.token * p.out_stride + query.head * HEAD, i, y);
}
