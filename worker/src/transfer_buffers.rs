//! The four buffers through which every weight passes.

/// Most bytes that are read at once.
pub const TRANSFER_BYTES_MAX: usize = 1 << 20;

/// Transfers between two waits for the device, so that uploads in flight stay bounded.
pub const BUFFERS: usize = 4;

/// Four buffers of 1 MiB, used in turn. They are allocated once and kept, because the wasm heap never shrinks anyway.
#[derive(Default)]
pub struct TransferBuffers {
    buffers: Vec<Vec<u8>>,
    turn: usize,
}

impl TransferBuffers {
    /// The next buffer, `len_bytes` long (at most [`TRANSFER_BYTES_MAX`]), and whether it closes a round.
    pub fn next(&mut self, len_bytes: usize) -> (&mut [u8], bool) {
        if self.buffers.is_empty() {
            self.buffers = (0..BUFFERS).map(|_| vec![0; TRANSFER_BYTES_MAX]).collect();
        }
        self.turn = (self.turn + 1) % BUFFERS;
        let closes_round = self.turn == 0;
        let buffer = self.buffers.get_mut(self.turn).map(Vec::as_mut_slice).unwrap_or_default();
        let len_bytes = len_bytes.min(buffer.len());
        (buffer.get_mut(..len_bytes).unwrap_or_default(), closes_round)
    }
    /// What they take.
    pub fn bytes(&self) -> u64 {
        (self.buffers.len() * TRANSFER_BYTES_MAX) as u64
    }
}
