//! Draws that are ready: with programs, framebuffers and constants.

use std::ops::Range;
use std::rc::Rc;

use glow::HasContext as _;

use super::context::{Compiled, Gl};
use crate::shaders::{Target, Texture};

/// Draws whose constants share a buffer.
#[derive(Default)]
pub struct List {
    pub draws: Vec<Ready>,
    pub uniforms: Option<glow::Buffer>,
}

/// A draw with its program and framebuffers.
pub struct Ready {
    pub compiled: Rc<Compiled>,
    pub params: [i32; 2],
    pub reads: Vec<Texture>,
    pub target: Target,
    /// Where several textures are drawn to at once: by the side of the first.
    pub groups: [Option<glow::Framebuffer>; 2],
    pub each_token: bool,
    pub tokens: Range<u32>,
}

/// Frees what draws have of their own.
pub fn delete_framebuffers(gl: &Gl, framebuffers: &[Option<glow::Framebuffer>; 2]) {
    // SAFETY: the context is current; nobody else deletes them.
    framebuffers
        .iter()
        .flatten()
        .for_each(|framebuffer| unsafe { gl.calls().delete_framebuffer(*framebuffer) });
}
