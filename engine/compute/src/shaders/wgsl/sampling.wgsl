// How a row's next id is drawn; id i of its history lies at i % SHORTLIST.
struct Sampling {
  top_k: u32, window: u32, temperature: f32, top_p: f32,
  min_p: f32, penalty: f32, count: u32, step: u32,
  draws: array<f32, STEPS>, history: array<u32, SHORTLIST>,
}
