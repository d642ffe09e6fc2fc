// What is chosen for output row r, and the record of the token that it may become.
@group(0) @binding(3) var<storage, read_write> chosen: array<u32>;
@group(0) @binding(4) var<storage, read_write> tokens: array<Token>;
fn choose(r: u32, id: u32) {
  chosen[r] = id;
  if (state.feed == 1u) {
    let token = tokens[state.out_first + r];
    tokens[r] = Token(id, token.position + 1u, token.pages_first, token.end + 1u);
  }
}
