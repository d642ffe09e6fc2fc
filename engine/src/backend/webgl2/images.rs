//! Textures of words, and transfers to and from them.

use std::collections::HashMap;

use glow::HasContext as _;

use super::context::{Gl, LINE, TEXEL_BYTES};
use crate::backend::error::DeviceError;

/// A texture of 32-bit words, four a texel, with a framebuffer to draw to it and to read it by.
pub struct Image {
    gl: Gl,
    pub texture: glow::Texture,
    pub framebuffer: glow::Framebuffer,
    pub lines: usize,
    /// Of what it was made for.
    pub words: usize,
}

/// Lines of a texture for so many words: whole strips.
fn lines(words: usize) -> usize {
    texels(words).div_ceil(LINE).max(1).next_multiple_of(4)
}

/// Bytes of a texture for so many words.
pub fn texture_bytes(words: usize) -> u64 {
    (lines(words) * LINE * TEXEL_BYTES) as u64
}

/// Whether so much more can be allocated: in textures, until one cannot be.
///
/// # Errors
/// `Lost`, or `Internal` where WebGL fails for another reason than memory.
pub fn can_hold(gl: &Gl, bytes: u64) -> Result<bool, DeviceError> {
    let most = gl.limits().buffer_bytes;
    let (mut held, mut held_bytes) = (Vec::new(), 0);
    while held_bytes < bytes {
        let size = most.min(bytes - held_bytes);
        let image = Image::new(gl, size.div_ceil(4) as usize);
        match image.and_then(|image| gl.check_errors().map(|()| image)) {
            Ok(image) => held.push(image),
            Err(DeviceError::OutOfMemory { .. }) => {
                // An incomplete framebuffer leaves an error behind too.
                return match gl.check_errors() {
                    Err(error @ DeviceError::Lost { .. }) => Err(error),
                    _ => Ok(false),
                };
            }
            Err(error) => return Err(error),
        }
        held_bytes += size;
    }
    Ok(true)
}

/// Texels of some words.
pub fn texels(words: usize) -> usize {
    words.div_ceil(4)
}

/// Texels of a strip of four lines; blocks of 8 x 4 texels in it follow each other, see `shaders/glsl/common.glsl`.
pub const STRIP: usize = 4 * LINE;
const BLOCK: usize = 32;

/// Column and line in a strip of its texel `i`.
fn spot_in_strip(i: usize) -> (usize, usize) {
    (i / BLOCK * 8 + i % 8, i / 8 % 4)
}

/// Rectangles (x, y, width, height) that hold texels `first` to `end` of weights, in order: part of a line, whole lines, part
/// of one.
fn rectangles(first: usize, end: usize) -> impl Iterator<Item = [usize; 4]> {
    let mut at = first;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let (x, y) = (at % LINE, at / LINE);
        let rectangle = if x != 0 || end - at < LINE {
            [x, y, (end - at).min(LINE - x), 1]
        } else {
            [0, y, LINE, (end - at) / LINE]
        };
        at += rectangle[2] * rectangle[3];
        Some(rectangle)
    })
}

impl Image {
    /// Zeros.
    ///
    /// # Errors
    /// `OutOfMemory` where the texture cannot be drawn to, `Internal` where WebGL makes no object.
    pub fn new(gl: &Gl, words: usize) -> Result<Image, DeviceError> {
        let lines = lines(words);
        let calls = gl.calls();
        let internal = |detail: String| DeviceError::Internal { detail };
        // SAFETY: the context is current, and lives as long as what is made of it.
        let image = unsafe {
            let texture = calls.create_texture().map_err(internal)?;
            calls.bind_texture(glow::TEXTURE_2D, Some(texture));
            calls.tex_storage_2d(glow::TEXTURE_2D, 1, glow::RGBA32UI, LINE as i32, lines as i32);
            for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                calls.tex_parameter_i32(glow::TEXTURE_2D, filter, glow::NEAREST as i32);
            }
            let framebuffer = framebuffer(gl, &[texture]).inspect_err(|_| calls.delete_texture(texture))?;
            calls.clear_buffer_u32_slice(glow::COLOR, 0, &[0; 4]);
            Image { gl: gl.clone(), texture, framebuffer, lines, words }
        };
        gl.count(|c| c.objects_created += 1);
        Ok(image)
    }

    /// Bytes of the texture.
    pub fn bytes(&self) -> u64 {
        (self.lines * LINE * TEXEL_BYTES) as u64
    }

    /// Writes whole texels of a weight from texel `first` on.
    pub fn write_lines(&self, first: usize, bytes: &[u8]) {
        let mut rest = bytes;
        for rectangle in rectangles(first, first + bytes.len() / TEXEL_BYTES) {
            let (now, later) = rest.split_at(rectangle[2] * rectangle[3] * TEXEL_BYTES);
            rest = later;
            self.write_rectangle(rectangle, now);
        }
    }

    /// Writes from texel `first` on, where a block begins. What follows in the last block becomes zero.
    pub fn write(&self, first: usize, bytes: &[u8]) {
        debug_assert_eq!(first % BLOCK, 0);
        let (mut first, mut rest) = (first, bytes);
        while !rest.is_empty() {
            let (strip, within) = (first / STRIP, first % STRIP);
            let (now, later) = rest.split_at(rest.len().min((STRIP - within) * TEXEL_BYTES));
            let width = now.len().div_ceil(BLOCK * TEXEL_BYTES) * 8;
            let mut blocks = vec![0; width * 4 * TEXEL_BYTES];
            for (i, texel) in now.chunks(TEXEL_BYTES).enumerate() {
                let (x, y) = spot_in_strip(i);
                blocks[(y * width + x) * TEXEL_BYTES..][..texel.len()].copy_from_slice(texel);
            }
            self.write_rectangle([within / BLOCK * 8, 4 * strip, width, 4], &blocks);
            (first, rest) = ((strip + 1) * STRIP, later);
        }
    }

    fn write_rectangle(&self, rectangle: [usize; 4], bytes: &[u8]) {
        let [x, y, width, height] = rectangle.map(|v| v as i32);
        let calls = self.gl.calls();
        // SAFETY: as in `new`; the bytes are those of the rectangle.
        unsafe {
            calls.bind_texture(glow::TEXTURE_2D, Some(self.texture));
            calls.tex_sub_image_2d(
                glow::TEXTURE_2D,
                0,
                x,
                y,
                width,
                height,
                glow::RGBA_INTEGER,
                glow::UNSIGNED_INT,
                glow::PixelUnpackData::Slice(Some(bytes)),
            );
        }
        self.gl.count(|c| c.queue_writes += 1);
    }

    /// Copies the blocks that hold texels `first` to `end` to a buffer, from byte `to` on. [`unblocked`] reads them.
    pub fn copy_to(&self, first: usize, end: usize, buffer: glow::Buffer, to: usize) {
        let calls = self.gl.calls();
        let [x, y, width, height] = covering(first, end).map(|v| v as i32);
        // SAFETY: as in `new`; the buffer has room.
        unsafe {
            calls.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            calls.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer));
            let data = glow::PixelPackData::BufferOffset(to as u32);
            calls.read_pixels(x, y, width, height, glow::RGBA_INTEGER, glow::UNSIGNED_INT, data);
            calls.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        }
    }
}

/// The rectangle (x, y, width, height) that holds texels `first` to `end`: neighbours in a line of a block, blocks of a strip,
/// or whole strips.
pub fn covering(first: usize, end: usize) -> [usize; 4] {
    let (strip, last) = (first / STRIP, (end - 1) / STRIP);
    if first / 8 == (end - 1) / 8 {
        let (x, y) = spot_in_strip(first % STRIP);
        return [x, 4 * strip + y, end - first, 1];
    }
    if strip != last {
        return [0, 4 * strip, LINE, 4 * (last - strip + 1)];
    }
    let (begin, end) = (first % STRIP / BLOCK, (end - 1) % STRIP / BLOCK + 1);
    [8 * begin, 4 * strip, 8 * (end - begin), 4]
}

/// Bytes that [`Image::copy_to`] copies.
pub fn copied_bytes(first: usize, end: usize) -> usize {
    let [_, _, width, height] = covering(first, end);
    width * height * TEXEL_BYTES
}

/// The words of texels `first` to `end`, of what was copied.
pub fn unblocked(first: usize, end: usize, bytes: &[u8]) -> impl Iterator<Item = u32> {
    let [left, top, width, _] = covering(first, end);
    (first..end).flat_map(move |i| {
        let (x, y) = spot_in_strip(i % STRIP);
        let at = (i / STRIP * 4 + y - top) * width + x - left;
        let texel = &bytes[at * TEXEL_BYTES..][..TEXEL_BYTES];
        std::array::from_fn::<u32, 4, _>(|k| {
            let word = &texel[4 * k..];
            u32::from_le_bytes([word[0], word[1], word[2], word[3]])
        })
    })
}

/// A framebuffer over textures of one size, bound when it comes back.
///
/// # Errors
/// `OutOfMemory` where the framebuffer is incomplete, `Internal` where WebGL makes no object.
pub fn framebuffer(gl: &Gl, textures: &[glow::Texture]) -> Result<glow::Framebuffer, DeviceError> {
    let calls = gl.calls();
    // SAFETY: as in `Image::new`.
    unsafe {
        let framebuffer = calls.create_framebuffer().map_err(|detail| DeviceError::Internal { detail })?;
        calls.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let points = [0, 1, 2, 3].map(|i| glow::COLOR_ATTACHMENT0 + i);
        for (point, texture) in points.iter().zip(textures) {
            calls.framebuffer_texture_2d(glow::FRAMEBUFFER, *point, glow::TEXTURE_2D, Some(*texture), 0);
        }
        calls.draw_buffers(&points[..textures.len()]);
        gl.count(|c| c.objects_created += 1);
        match calls.check_framebuffer_status(glow::FRAMEBUFFER) {
            glow::FRAMEBUFFER_COMPLETE => Ok(framebuffer),
            status => {
                calls.delete_framebuffer(framebuffer);
                Err(DeviceError::OutOfMemory { detail: format!("a framebuffer is incomplete: {status:#x}") })
            }
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let calls = self.gl.calls();
        // SAFETY: as in `new`; nobody else deletes them.
        unsafe {
            calls.delete_framebuffer(self.framebuffer);
            calls.delete_texture(self.texture);
        }
    }
}

/// Texels of which only some bytes have come so far: uploads end where rows end, which need not be the end of a texel.
#[derive(Debug, Default)]
pub struct Edges(HashMap<(usize, usize, usize), [u8; TEXEL_BYTES]>);

impl Edges {
    /// Writes bytes at any offset. `key` names the image.
    pub fn write(&mut self, image: &Image, key: (usize, usize), offset_bytes: usize, bytes: &[u8]) {
        let head = (offset_bytes.next_multiple_of(TEXEL_BYTES) - offset_bytes).min(bytes.len());
        let (head, rest) = bytes.split_at(head);
        let (whole, tail) = rest.split_at(rest.len() / TEXEL_BYTES * TEXEL_BYTES);
        self.edge(image, key, offset_bytes, head);
        image.write_lines((offset_bytes + head.len()) / TEXEL_BYTES, whole);
        self.edge(image, key, offset_bytes + head.len() + whole.len(), tail);
    }

    fn edge(&mut self, image: &Image, key: (usize, usize), offset_bytes: usize, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let (texel, within) = (offset_bytes / TEXEL_BYTES, offset_bytes % TEXEL_BYTES);
        let all = self.0.entry((key.0, key.1, texel)).or_default();
        all[within..][..bytes.len()].copy_from_slice(bytes);
        image.write_lines(texel, &all[..]);
    }

    /// Forgets what is complete by now.
    pub fn clear(&mut self) {
        self.0 = HashMap::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_hold_every_texel_once() {
        for (first, end) in
            [(0, 1), (5, 5), (LINE - 1, LINE + 1), (0, 3 * LINE), (7, 2 * LINE + 9), (LINE, 2 * LINE)]
        {
            let mut at = first;
            for [x, y, width, height] in rectangles(first, end) {
                assert_eq!(y * LINE + x, at);
                assert!(x + width <= LINE && (height == 1 || (x, width) == (0, LINE)));
                at += width * height;
            }
            assert_eq!(at, end);
        }
    }

    #[test]
    fn blocks_give_back_what_lies_in_them() {
        for (first, end) in [(0, 1), (3, 40), (31, 33), (STRIP - 5, STRIP + 5), (0, 2 * STRIP)] {
            let [left, top, width, height] = covering(first, end);
            assert!(left + width <= LINE && copied_bytes(first, end) == width * height * TEXEL_BYTES);
            let mut bytes = vec![0; width * height * TEXEL_BYTES];
            for i in first..end {
                let (x, y) = spot_in_strip(i % STRIP);
                let at = ((i / STRIP * 4 + y - top) * width + x - left) * TEXEL_BYTES;
                bytes[at..at + 4].copy_from_slice(&(i as u32).to_le_bytes());
            }
            let firsts: Vec<u32> = unblocked(first, end, &bytes).step_by(4).collect();
            assert_eq!(firsts, (first as u32..end as u32).collect::<Vec<_>>());
        }
    }
}
