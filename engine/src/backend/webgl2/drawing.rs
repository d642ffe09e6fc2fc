//! Draws lists.

use glow::HasContext as _;

use super::context::{Compiled, LINE, PARAMS_BINDING};
use super::executor::GlExecutor;
use super::images::{covering, texels};
use super::lists::{List, Ready};
use crate::plan::{Kv, STATE_SLOTS_MAX, State};
use crate::shaders::Region;

impl GlExecutor {
    pub(super) fn draw_list(&mut self, list: &List, state: &State) {
        let Some(uniforms) = list.uniforms else { return };
        let mut rest = &list.draws[..];
        while let Some(first) = rest.first() {
            if !first.each_token {
                if first.tokens.contains(&state.tokens) {
                    self.draw(first, uniforms, state, None);
                }
                rest = &rest[1..];
                continue;
            }
            // Draws that alternate, token after token.
            let (group, behind) = rest.split_at(rest.len().min(2));
            for token in 0..state.tokens {
                for draw in group {
                    self.draw(draw, uniforms, state, Some(token));
                }
            }
            rest = behind;
        }
    }

    fn draw(&mut self, draw: &Ready, uniforms: glow::Buffer, state: &State, token: Option<u32>) {
        // Slices are of one sequence where mixers keep states, so that its slot is all there is.
        let slot = (state.slots as usize).min(STATE_SLOTS_MAX - 1);
        let side = self.side(draw.target.texture, slot) ^ usize::from(draw.target.twin);
        let Some(image) = self.sides(draw.target.texture)[side] else { return };
        let framebuffer = draw.groups[side].unwrap_or(image.framebuffer);
        let calls = self.gl.calls();
        let compiled = &draw.compiled;
        // SAFETY: the context is current, and everything here is of it.
        unsafe {
            calls.use_program(Some(compiled.program));
            calls.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let [offset, len] = draw.params;
            calls.bind_buffer_range(glow::UNIFORM_BUFFER, PARAMS_BINDING, Some(uniforms), offset, len);
            for (unit, read) in draw.reads.iter().enumerate() {
                calls.active_texture(glow::TEXTURE0 + unit as u32);
                calls.bind_texture(glow::TEXTURE_2D, self.image(*read, slot).map(|image| image.texture));
            }
            if let Some(token) = token {
                calls.uniform_1_u32(compiled.step_token.as_ref(), token);
            }
            if let Region::Cells(kv) = &draw.target.region {
                self.draw_cells(compiled, kv, image.lines, state.tokens);
            } else if let Some([x, y, width, height]) = rectangle(&draw.target.region, state, token) {
                calls.viewport(x, y, width, height);
                calls.draw_arrays(glow::TRIANGLES, 0, 3);
                self.gl.count(|c| c.dispatches += 1);
            }
        }
        if let Some(id) = draw.target.twin_of() {
            let sides = &mut self.buffers[id.0];
            if sides.is_state {
                sides.current[slot] = side;
            } else {
                sides.current = [side; STATE_SLOTS_MAX];
            }
        }
    }

    /// An instance for every run of words.
    fn draw_cells(&self, compiled: &Compiled, kv: &Kv, lines: usize, tokens: u32) {
        let calls = self.gl.calls();
        let runs = if kv.format.scale_words(kv.head_len) == 0 { 2 } else { 4 };
        // SAFETY: as in `draw`.
        unsafe {
            calls.viewport(0, 0, LINE as i32, lines as i32);
            calls.uniform_2_f32(compiled.size.as_ref(), LINE as f32, lines as f32);
            calls.uniform_1_u32(compiled.first_scale.as_ref(), kv.first_scale() as u32);
            calls.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, runs * tokens as i32);
        }
        self.gl.count(|c| c.dispatches += 1);
    }
}

/// The rectangle (x, y, width, height) of blocks that covers a region.
fn rectangle(region: &Region, state: &State, token: Option<u32>) -> Option<[i32; 4]> {
    let (first, end) = match *region {
        Region::Rows { offset, stride, cols, rows } => {
            let count = rows.of(state) as usize;
            let (row, count) = token.map_or((0, count), |token| (token as usize, 1));
            if count == 0 {
                return None;
            }
            let first = offset + row * stride;
            (first / 4, texels(first + (count - 1) * stride + cols))
        }
        Region::Slot { words } => {
            let first = state.slots as usize * words;
            (first / 4, texels(first + words))
        }
        Region::Cells(_) => return None,
    };
    Some(covering(first, end).map(|v| v as i32))
}
