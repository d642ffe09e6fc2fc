//! The buffer through which every weight passes.

/// Most bytes that are read at once.
pub const TRANSFER_BYTES_MAX: usize = 1 << 20;

/// A buffer of 1 MiB. It is allocated once and kept, because the wasm heap never shrinks anyway. One is enough: the
/// browser reads files ahead, and copies what is uploaded before the upload returns.
#[derive(Default)]
pub struct TransferBuffer(Vec<u8>);

impl TransferBuffer {
    /// Its first `len_bytes`, at most [`TRANSFER_BYTES_MAX`].
    pub fn first(&mut self, len_bytes: usize) -> &mut [u8] {
        self.0.resize(TRANSFER_BYTES_MAX, 0);
        self.0.get_mut(..len_bytes.min(TRANSFER_BYTES_MAX)).unwrap_or_default()
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64
    }
}
