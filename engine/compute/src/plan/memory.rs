//! What a model takes of a device's memory.

use std::ops::Add;

use super::{BufferId, Layout};

/// Bytes that a model takes on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// Planes of all shards, and vectors.
    pub weights_bytes: u64,
    /// Keys, values, and states of recurrent mixers.
    pub kv_bytes: u64,
    /// Everything else: activations, tables, constants, read-backs, and what the device adds to round sizes up.
    pub scratch_bytes: u64,
    /// Of the weights, what other workers of the CPU hold.
    pub remote_bytes: u64,
}

impl Memory {
    /// All of it.
    pub fn total_bytes(&self) -> u64 {
        self.weights_bytes + self.kv_bytes + self.scratch_bytes
    }

    /// What is held by the worker that runs the plan.
    pub fn local_bytes(&self) -> u64 {
        self.total_bytes().saturating_sub(self.remote_bytes)
    }

    /// Of an executor that holds `all_bytes`, of which these are for weights and each of the plan's buffers.
    pub fn of(
        layout: &Layout,
        weights_bytes: u64,
        buffer_bytes: impl Fn(BufferId) -> u64,
        all_bytes: u64,
    ) -> Memory {
        let kv_bytes = layout.kv.iter().map(|id| buffer_bytes(*id)).sum();
        let remote_bytes = layout.remote_shards_bytes();
        Memory { weights_bytes, kv_bytes, scratch_bytes: all_bytes - weights_bytes - kv_bytes, remote_bytes }
    }
}

impl Add for Memory {
    type Output = Memory;

    fn add(self, other: Memory) -> Memory {
        Memory {
            weights_bytes: self.weights_bytes + other.weights_bytes,
            kv_bytes: self.kv_bytes + other.kv_bytes,
            scratch_bytes: self.scratch_bytes + other.scratch_bytes,
            remote_bytes: self.remote_bytes + other.remote_bytes,
        }
    }
}

impl Layout {
    /// Bytes of all weights as the executors hold them.
    pub fn weights_bytes(&self) -> u64 {
        let shards = self.weights.iter().flat_map(|w| &w.shards);
        shards.map(|s| s.bytes as u64).sum::<u64>() + 4 * self.vectors_len as u64
    }

    /// Bytes of the shards that other workers of the CPU hold.
    pub fn remote_shards_bytes(&self) -> u64 {
        let shards = self.weights.iter().flat_map(|w| &w.shards).filter(|s| s.thread > 0);
        shards.map(|s| s.bytes as u64).sum()
    }

    /// Bytes of the KV cache and of the states of recurrent mixers.
    pub fn kv_bytes(&self) -> u64 {
        self.kv.iter().map(|id| self.buffer_bytes(*id)).sum()
    }

    fn buffer_bytes(&self, id: BufferId) -> u64 {
        4 * self.buffers[id.0].len as u64
    }

    /// What an executor takes that gives `bytes_of(bytes)` to whatever has `bytes`, and `more_bytes` to what is its own.
    pub fn memory(&self, bytes_of: impl Fn(u64) -> u64, more_bytes: u64) -> Memory {
        let shards = self.weights.iter().flat_map(|w| &w.shards).map(|s| s.bytes as u64);
        let buffers = self.buffers.iter().map(|b| 4 * b.len as u64);
        let all = shards.chain([4 * self.vectors_len as u64]).chain(buffers);
        let all_bytes = all.map(bytes_of).sum::<u64>() + more_bytes;
        Memory::of(self, self.weights_bytes(), |id| self.buffer_bytes(id), all_bytes)
    }
}
