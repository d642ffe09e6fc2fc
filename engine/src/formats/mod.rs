//! Weight formats. One pair of files each: `x.rs` says how a stored block splits into planes and what its values are,
//! `x.wgsl` decodes 16 values of a row inside a kernel.
//!
//! A *plane* holds one kind of data of a whole matrix (codes, scales ...), row after row, every row starting on an
//! aligned word. GGUF blocks of 18, 34 or 210 bytes cannot be read with aligned loads; their planes can, and they are
//! no larger than the blocks.

mod bf16;
mod f16;
mod f32;
mod q4_0;
mod q4_k;
mod q6_k;
mod q8_0;

/// Every format, in the order of ggml's type numbers.
pub static FORMATS: &[&Format] =
    &[&f32::FORMAT, &f16::FORMAT, &q4_0::FORMAT, &q8_0::FORMAT, &q4_k::FORMAT, &q6_k::FORMAT, &bf16::FORMAT];

/// Values decoded at a time: it divides every block length, and no scale changes inside 16 aligned values.
pub const UNIT: usize = 16;

/// Most planes that a format may have: their bases and strides travel in two `vec4<u32>`.
pub const PLANES_MAX: usize = 4;

/// A weight format.
#[derive(Debug)]
pub struct Format {
    /// ggml's name, for example `Q4_K`.
    pub name: &'static str,
    /// ggml's type number.
    pub type_id: u32,
    /// Values in a stored block.
    pub block_len: usize,
    /// Bytes of a stored block.
    pub block_bytes: usize,
    /// How the blocks of a row are laid out for the executors.
    pub planes: &'static [Plane],
    /// Copies one stored block into one slice per plane, each [`Plane::block_bytes`] long.
    pub split: fn(block: &[u8], planes: &mut [&mut [u8]]),
    /// The values of one stored block: the reference decode.
    pub decode: fn(block: &[u8], out: &mut [f32]),
    /// The values of unit `unit` of a row from the row's planes: the twin of `decode16` in the WGSL file.
    pub decode16: fn(row: &[&[u8]], unit: usize) -> [f32; UNIT],
    /// `fn decode16(row: u32, unit: u32) -> mat4x4<f32>`, written against `access/`.
    pub wgsl: &'static str,
    /// Its path, for messages.
    pub wgsl_path: &'static str,
}

/// One plane of a format.
#[derive(Debug)]
pub struct Plane {
    /// What it holds.
    pub name: &'static str,
    /// Bytes that one stored block contributes.
    pub block_bytes: usize,
    /// Every row starts on a multiple of this: 16 for planes read as `vec4<u32>`, 4 for others.
    pub align_bytes: usize,
}

impl Format {
    /// The format of a ggml type number.
    pub fn by_id(type_id: u32) -> Option<&'static Format> {
        FORMATS.iter().copied().find(|f| f.type_id == type_id)
    }

    /// Bytes of a stored row of `cols` values, or `None` where blocks do not fit the row.
    pub fn row_bytes(&self, cols: usize) -> Option<usize> {
        if cols == 0 || !cols.is_multiple_of(self.block_len) {
            return None;
        }
        (cols / self.block_len).checked_mul(self.block_bytes)
    }

    /// Bytes from one row of plane `plane` to the next. Rows of formats without blocks are padded to whole units.
    pub fn plane_stride_bytes(&self, plane: usize, cols: usize) -> usize {
        let p = &self.planes[plane];
        let values = if self.block_len == 1 { cols.next_multiple_of(UNIT) } else { cols };
        (values / self.block_len * p.block_bytes).next_multiple_of(p.align_bytes)
    }

    /// Splits stored rows into planes. `out[i]` receives `rows * plane_stride_bytes(i)` bytes; padding becomes zero.
    pub fn split_rows(&self, stored: &[u8], cols: usize, out: &mut [Vec<u8>]) {
        let row_bytes = cols / self.block_len * self.block_bytes;
        let rows = stored.len() / row_bytes;
        for (i, plane) in out.iter_mut().enumerate() {
            plane.clear();
            plane.resize(rows * self.plane_stride_bytes(i, cols), 0);
        }
        for (r, row) in stored.chunks_exact(row_bytes).enumerate() {
            for (b, block) in row.chunks_exact(self.block_bytes).enumerate() {
                let mut pieces: [&mut [u8]; PLANES_MAX] = Default::default();
                for (i, plane) in out.iter_mut().enumerate() {
                    let n = self.planes[i].block_bytes;
                    let at = r * self.plane_stride_bytes(i, cols) + b * n;
                    pieces[i] = &mut plane[at..at + n];
                }
                (self.split)(block, &mut pieces[..self.planes.len()]);
            }
        }
    }
}

/// Little-endian f16 at `bytes[at..at + 2]`.
fn f16_at(bytes: &[u8], at: usize) -> f32 {
    half::f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}
