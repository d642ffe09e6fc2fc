// Cells of the KV cache: one per position and key head, CODE_WORDS words of codes and SCALE_WORDS of scales.
fn cell_of(token: Token, position: u32, head: u32) -> u32 {
  return (pages[token.pages_first + position / PAGE] * PAGE + position % PAGE) * p.kv_heads + head;
}
