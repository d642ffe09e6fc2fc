//# store
fn epilogue(at: u32, y: f32) { out[at] = act(y); }
//# add
fn epilogue(at: u32, y: f32) { out[at] += y; }
//# cap
fn epilogue(at: u32, y: f32) { out[at] = p.cap * tanh(clamp(y / p.cap, -15.0, 15.0)); }
//# gate
fn epilogue(at: u32, y: f32) { out[at] *= act(y); }
