// Records of the slice's tokens. Those of one sequence stand side by side, in order.
struct Token {
  id: u32, position: u32,
  pages_first: u32,  // where the page table of its sequence begins in `pages`
  end: u32,          // positions of its sequence that are cached once the slice has run
}
