//! Weight formats. One pair of files each: `x.rs` says how a stored block splits into planes and what its values are,
//! `x.wgsl` decodes 16 values of a row inside a kernel.
//!
//! A *plane* holds one kind of data of a whole matrix (codes, scales ...), row after row, every row starting on an
//! aligned word. GGUF blocks of 18, 34 or 210 bytes cannot be read with aligned loads; their planes can, and they are
//! no larger than the blocks.

mod codes;
mod grids;
mod integers;
mod planes;
mod precision;
mod tile;
pub(crate) mod unpack;
mod values;

pub use codes::{Products, Quantised, Rows, Scales};
pub use integers::{Integers, Small};
pub use planes::{PLANES_MAX, Planes, UNIT};
pub use precision::Precision;
pub use tile::Tile;
use unpack::{floats, widen};

/// The record of a format whose planes are runs of a block's bytes, which `fields` names, and whose codes `Block` reads.
macro_rules! coded {
    ($path:literal; $($field:ident: $value:expr,)*) => {
        pub static FORMAT: $crate::formats::Format = $crate::formats::Format {
            $($field: $value,)*
            split: |block, planes| $crate::formats::copy(&fields(block), planes),
            rows: $crate::formats::Rows::of::<Block>(),
            wgsl: $crate::bare!($path),
            wgsl_path: $path,
        };
    };
}

macro_rules! registry {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// Every format, in the order of ggml's type numbers.
        pub static FORMATS: &[&Format] = &[$(&$name::FORMAT),*];
    };
}

registry! {
    f32
    f16
    q4_0
    q4_1
    q5_0
    q5_1
    q8_0
    q2_k
    q3_k
    q4_k
    q5_k
    q6_k
    iq2_xxs
    iq2_xs
    iq3_xxs
    iq1_s
    iq4_nl
    iq3_s
    iq2_s
    iq4_xs
    iq1_m
    bf16
    tq1_0
    tq2_0
    mxfp4
    nvfp4
    q1_0
    q2_0
}

/// Most bytes of a stored block.
const BLOCK_BYTES_MAX: usize = 256;

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
    /// What the CPU does with whole rows.
    pub rows: Rows,
    /// Codewords that codes point to, packed as the format likes; empty for most. A GPU executor puts them behind the
    /// planes of each shard, where `codeword(i)` in WGSL finds them. Not a constant array in the shader: compilers copy
    /// one that is indexed dynamically into the private memory of each thread (up to 4 KiB here), and it would be text
    /// to parse in every pipeline of the format. A few KiB behind a weight stay in the cache of any GPU.
    pub codebook: &'static [u16],
    /// `fn decode16(row: u32, unit: u32) -> mat4x4<f32>`, written against `shaders/wgsl`; or what `shaders/wgsl/coded.wgsl` makes it of:
    /// `APART`, how many units apart two lie that have words in common, and of such a pair's even or odd unit `codes16`, 16 signed bytes, and
    /// `scale16`, a factor for them and a summand, which is not read unless `HAS_MINIMUM`.
    pub wgsl: &'static str,
    /// Its path, for messages.
    pub wgsl_path: &'static str,
}

/// One plane of a format.
#[derive(Debug)]
pub struct Plane {
    /// What it holds.
    pub name: &'static str,
    /// Bytes that one stored block contributes; 0 for the plane that holds one f32 a row, the scale of the whole tensor,
    /// which a file keeps in another tensor.
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
        if p.block_bytes == 0 {
            return size_of::<f32>();
        }
        let values = if self.block_len == 1 { cols.next_multiple_of(UNIT) } else { cols };
        (values / self.block_len * p.block_bytes).next_multiple_of(p.align_bytes)
    }

    /// The plane with the scales of tensors, where the format has one.
    pub fn tensor_scale_plane(&self) -> Option<usize> {
        self.planes.iter().position(|p| p.block_bytes == 0)
    }

    /// Whether GPUs can multiply its codes.
    pub fn is_coded(&self) -> bool {
        self.wgsl.contains("fn codes16(")
    }

    /// Products in integers, where the format has codes.
    pub fn products(&self) -> Option<&Products> {
        match &self.rows {
            Rows::Values(_) => None,
            Rows::Codes(products) => Some(products),
        }
    }

    /// The values of a row from its planes, padded to whole units.
    pub fn unpack(&self, row: &[&[u8]], out: &mut [f32]) {
        match &self.rows {
            Rows::Values(values) => (values.unpack)(row[0], out),
            Rows::Codes(products) => products.values(row, out),
        }
    }

    /// The values of a stored block, without the scale of a tensor.
    pub fn decode(&self, block: &[u8], out: &mut [f32]) {
        let Rows::Codes(products) = &self.rows else { return self.unpack(&[block], out) };
        let mut planes = [[0; BLOCK_BYTES_MAX]; PLANES_MAX];
        let mut fields: [&mut [u8]; PLANES_MAX] = Default::default();
        for ((field, bytes), plane) in fields.iter_mut().zip(&mut planes).zip(self.planes) {
            bytes[..4].copy_from_slice(&1.0f32.to_le_bytes());
            *field = &mut bytes[..plane.block_bytes];
        }
        (self.split)(block, &mut fields[..self.planes.len()]);
        products.values(&planes.each_ref().map(<[u8; BLOCK_BYTES_MAX]>::as_slice), out);
    }

    /// Splits stored rows into planes. `out[i]` receives `rows * plane_stride_bytes(i)` bytes; padding becomes zero, the
    /// scale of a tensor one.
    pub fn split_rows(&self, stored: &[u8], cols: usize, out: &mut [Vec<u8>]) {
        let row_bytes = cols / self.block_len * self.block_bytes;
        let rows = stored.len() / row_bytes;
        for (i, plane) in out.iter_mut().enumerate() {
            plane.clear();
            plane.resize(rows * self.plane_stride_bytes(i, cols), 0);
            if self.planes[i].block_bytes == 0 {
                plane.as_chunks_mut::<4>().0.fill(1.0f32.to_le_bytes());
            }
        }
        for (r, row) in stored.chunks_exact(row_bytes).enumerate() {
            for (b, block) in row.chunks_exact(self.block_bytes).enumerate() {
                let mut fields: [&mut [u8]; PLANES_MAX] = Default::default();
                for (i, plane) in out.iter_mut().enumerate() {
                    let n = self.planes[i].block_bytes;
                    let at = r * self.plane_stride_bytes(i, cols) + b * n;
                    fields[i] = &mut plane[at..at + n];
                }
                (self.split)(block, &mut fields[..self.planes.len()]);
            }
        }
    }
}

/// Copies the fields of a block into the slices of its planes: a `split` for blocks whose planes are runs of bytes.
fn copy(fields: &[&[u8]], planes: &mut [&mut [u8]]) {
    for (plane, piece) in planes.iter_mut().zip(fields) {
        plane.copy_from_slice(piece);
    }
}

/// Scales and minima of the groups of 32 in blocks with 6-bit pairs. A block's head is two f16, then 12 bytes with eight
/// pairs: the first four in the low six bits of bytes 0..8, the others as a nibble of bytes 8..12 plus the two top bits
/// of the former.
#[inline(always)]
fn scale_mins(heads: &[u8], scales: &mut [f32], mins: &mut [f32]) {
    let blocks = scales.as_chunks_mut::<8>().0.iter_mut().zip(mins.as_chunks_mut::<8>().0);
    for ((scales, mins), head) in blocks.zip(heads.as_chunks::<16>().0) {
        let (d, m) = (f16_at(head, 0), f16_at(head, 2));
        let [low, high, nibbles] = [4, 8, 12].map(|at| u32_at(head, at));
        let tops = [low, high].map(|word| word >> 2 & 0x3030_3030);
        let bytes = [
            low & 0x3f3f_3f3f,
            nibbles & 0x0f0f_0f0f | tops[0],
            high & 0x3f3f_3f3f,
            nibbles >> 4 & 0x0f0f_0f0f | tops[1],
        ];
        let all = floats(bytemuck::cast(bytes), 0, [d, m]);
        scales.copy_from_slice(&all[..8]);
        mins.copy_from_slice(&all[8..]);
    }
}

/// The values that IQ4 codes stand for.
const NON_LINEAR: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// The values that E2M1 codes stand for, doubled.
const E2M1_DOUBLED: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Seven signs, and an eighth that makes the number of minus signs even.
fn even_signs(seven: u32) -> u8 {
    let seven = seven & 127;
    (seven | (seven.count_ones() & 1) << 7) as u8
}

/// Little-endian u16 at `bytes[at..at + 2]`.
#[inline(always)]
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Little-endian u32 at `bytes[at..at + 4]`.
#[inline(always)]
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Little-endian f16 at `bytes[at..at + 2]`.
#[inline(always)]
fn f16_at(bytes: &[u8], at: usize) -> f32 {
    widen(u16_at(bytes, at))
}
