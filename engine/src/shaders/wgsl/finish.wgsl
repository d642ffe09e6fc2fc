//# store
fn finish(at: u32, y: f32) { out[at] = act(y); }
//# add
fn finish(at: u32, y: f32) { out[at] += y; }
//# cap
fn finish(at: u32, y: f32) { out[at] = p.cap * tanh(clamp(y / p.cap, -15.0, 15.0)); }
//# gate
fn finish(at: u32, y: f32) { out[at] *= act(y); }
