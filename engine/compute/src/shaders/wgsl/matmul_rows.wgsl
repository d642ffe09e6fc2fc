//# all
// The tokens of tile `y` are neighbours: the first, and the end of them all.
const SORTED = false;
fn tile_of(y: u32) -> vec2<u32> { return vec2<u32>(y * 8u * COLS, row_count()); }
fn read_row(t: u32) -> u32 { return input_row(t); }
fn out_row(t: u32) -> u32 { return p.out_offset + t * p.out_stride + p.first; }
fn factor_of(t: u32) -> f32 { return factor(); }
// Whether the shard has output `r`, and the row of the weight that makes it, or another one.
fn is_made(r: u32) -> bool { return r < p.rows; }
fn weight_row(r: u32) -> u32 { return min(r, p.rows - 1u); }
//# sorted
// A tile has tokens of one expert, and so they are numbered here: by expert. sorted: where the tokens of each expert begin, and
// where the last ones end; then every token's number, token * used + slot.
const SORTED = true;
@group(0) @binding(8) var<storage, read> sorted: array<u32>;
var<private> own: u32;
fn tile_of(y: u32) -> vec2<u32> {
  let experts = p.outputs / p.expert_rows;
  var tiles = y;
  var begin = 0u;
  for (var e = 0u; e < experts; e++) {
    let end = sorted[p.sorted_offset + e + 1u];
    let n = (end - begin + 8u * COLS - 1u) / (8u * COLS);
    if (tiles < n) {
      own = e * p.expert_rows;
      return vec2<u32>(begin + tiles * 8u * COLS, end);
    }
    tiles -= n;
    begin = end;
  }
  return vec2<u32>(0u);
}
fn number_of(t: u32) -> u32 { return sorted[p.sorted_offset + p.outputs / p.expert_rows + 1u + t]; }
// `parts` numbers share a row of the input.
fn read_row(t: u32) -> u32 { return input_row(number_of(t) / p.parts); }
fn out_row(t: u32) -> u32 { return p.out_offset + number_of(t) * p.out_stride; }
fn factor_of(t: u32) -> f32 {
  let number = number_of(t);
  return p.scale * weight_of(number / p.used, number % p.used);
}
fn is_made(r: u32) -> bool {
  return r < p.expert_rows && own + r >= p.first && own + r < p.first + p.rows;
}
fn weight_row(r: u32) -> u32 {
  return clamp(own + min(r, p.expert_rows - 1u), p.first, p.first + p.rows - 1u) - p.first;
}
