//! The two buffers through which every weight passes.

/// Most bytes that are read at once.
pub const TRANSFER_BYTES_MAX: usize = 1 << 20;

/// Two buffers of 1 MiB: one is filled while the other one goes to the device. They are allocated once and kept, because
/// the wasm heap never shrinks anyway.
#[derive(Default)]
pub struct TransferBuffers {
    full: Buffer,
    free: Buffer,
}

/// A buffer, and how much of it holds something.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    len_bytes: usize,
}

impl Buffer {
    /// Its first bytes, at most [`TRANSFER_BYTES_MAX`].
    fn first(&mut self, len_bytes: usize) -> &mut [u8] {
        self.bytes.resize(TRANSFER_BYTES_MAX, 0);
        self.len_bytes = len_bytes.min(TRANSFER_BYTES_MAX);
        self.bytes.get_mut(..self.len_bytes).unwrap_or_default()
    }
}

impl TransferBuffers {
    /// The buffer that is filled first, `len_bytes` long (at most [`TRANSFER_BYTES_MAX`]).
    pub fn filled(&mut self, len_bytes: usize) -> &mut [u8] {
        self.free.first(len_bytes)
    }

    /// What was filled last, and the other buffer, `len_bytes` long, to fill meanwhile.
    pub fn turn(&mut self, len_bytes: usize) -> (&[u8], &mut [u8]) {
        std::mem::swap(&mut self.full, &mut self.free);
        let full = self.full.bytes.get(..self.full.len_bytes).unwrap_or_default();
        (full, self.free.first(len_bytes))
    }

    /// What they take.
    pub fn bytes(&self) -> u64 {
        (self.full.bytes.len() + self.free.bytes.len()) as u64
    }
}
