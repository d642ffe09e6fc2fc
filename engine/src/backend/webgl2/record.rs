//! Makes draws ready.

use super::context::LINE;
use super::executor::GlExecutor;
use super::images::{Image, framebuffer};
use super::lists::{List, Ready, delete_framebuffers};
use super::needs::{slot, uniforms_bytes};
use super::transfers::uniform_buffer;
use crate::backend::error::DeviceError;
use crate::shaders::{DrawCall, Region, Target, scratch_words};

impl GlExecutor {
    /// Programs, framebuffers and constants of draws.
    pub(super) fn record(&mut self, draws: Vec<DrawCall>) -> Result<List, DeviceError> {
        draws.iter().try_for_each(|draw| self.gl.request(&draw.program))?;
        draws.iter().try_for_each(|draw| self.prepare(&draw.target))?;
        let mut has_grown = false;
        for (scratch, words) in scratch_words(&self.plan.layout, &draws) {
            if self.scratch.get(&scratch).map_or(0, |image| 4 * LINE * image.lines) < words {
                self.scratch.insert(scratch, Image::new(&self.gl, words)?);
                has_grown = true;
            }
        }
        if has_grown {
            self.regroup()?;
        }
        let mut contents = vec![0; uniforms_bytes(&draws)];
        let mut at = 0;
        let mut ready = Vec::with_capacity(draws.len());
        for draw in draws {
            contents[at..at + draw.params.len()].copy_from_slice(&draw.params);
            let params = [at as i32, draw.params.len() as i32];
            at += slot(&draw);
            let groups = self.groups(&draw.target)?;
            let compiled = self.gl.program(&draw.program)?;
            let DrawCall { reads, target, each_token, tokens, .. } = draw;
            ready.push(Ready { compiled, params, reads, target, groups, each_token, tokens });
        }
        if ready.is_empty() {
            return Ok(List::default());
        }
        let uniforms = Some(uniform_buffer(&self.gl, &contents, glow::STATIC_DRAW)?);
        self.buffers_bytes += contents.len();
        Ok(List { draws: ready, uniforms })
    }

    /// Makes the twin of what is changed in place.
    fn prepare(&mut self, target: &Target) -> Result<(), DeviceError> {
        let Some(id) = target.twin_of() else { return Ok(()) };
        let sides = &mut self.buffers[id.0];
        sides.is_state = matches!(target.region, Region::Slot { .. });
        if sides.images[1].is_none() {
            sides.images[1] = Some(Image::new(&self.gl, self.plan.layout.buffers[id.0].len)?);
        }
        Ok(())
    }

    /// Framebuffers of earlier lists for scratch that is larger now.
    fn regroup(&mut self) -> Result<(), DeviceError> {
        let mut bodies = std::mem::take(&mut self.bodies);
        for draw in bodies.iter_mut().flatten().flat_map(|list| &mut list.draws) {
            delete_framebuffers(&self.gl, &draw.groups);
            draw.groups = self.groups(&draw.target)?;
        }
        self.bodies = bodies;
        Ok(())
    }

    /// Both sides of what is drawn, each with the textures that are drawn at the same time.
    fn groups(&self, target: &Target) -> Result<[Option<glow::Framebuffer>; 2], DeviceError> {
        let mut groups = [None, None];
        let others: Vec<_> =
            target.others.iter().flatten().filter_map(|other| self.sides(*other)[0]).collect();
        if others.is_empty() {
            return Ok(groups);
        }
        for (group, image) in groups.iter_mut().zip(self.sides(target.texture)) {
            let Some(image) = image else { continue };
            let textures: Vec<_> = [image].iter().chain(&others).map(|image| image.texture).collect();
            *group = Some(framebuffer(&self.gl, &textures)?);
        }
        Ok(groups)
    }
}
