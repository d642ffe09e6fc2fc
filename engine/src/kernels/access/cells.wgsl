// Cells of the KV cache: one per position and key head, CODE_WORDS words of codes and SCALE_WORDS of scales.
fn cell_of(position: u32, head: u32) -> u32 {
  return (pages[position / PAGE] * PAGE + position % PAGE) * p.kv_heads + head;
}
