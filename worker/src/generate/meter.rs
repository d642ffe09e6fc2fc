//! What a generation costs.

use pith_engine::backend::Counters;
use pith_engine::runtime::GenerationCounts;

use crate::browser::{heap_bytes, now_ms};
use crate::protocol::GenerationStats;
use crate::residency::Resident;

/// Measures what a generation costs.
pub struct Meter {
    start_ms: f64,
    start_bytes: u64,
    at_start: Counters,
    /// When the prompt was read. The choices begin there.
    at_read: Counters,
    first_ms: Option<f64>,
    /// Made before the device was lost.
    choices_before: usize,
    /// What was known before the loss is read again.
    reads_again: bool,
}

impl Meter {
    /// From now on.
    pub fn start(resident: &Resident) -> Self {
        let at_start = resident.chosen.device.counters();
        let (start_ms, start_bytes) = (now_ms(), heap_bytes());
        Meter {
            start_ms,
            start_bytes,
            at_start,
            at_read: at_start,
            first_ms: None,
            choices_before: 0,
            reads_again: false,
        }
    }

    /// Counts on another device.
    pub fn resume(&mut self, resident: &Resident, counts: GenerationCounts) {
        self.at_start = resident.chosen.device.counters();
        self.at_read = self.at_start;
        self.choices_before = counts.choices;
        self.reads_again = true;
    }

    /// Choices begin after this.
    pub fn has_read(&mut self, resident: &Resident) {
        if self.first_ms.is_none() || self.reads_again {
            self.at_read = resident.chosen.device.counters();
        }
    }

    /// The first choice waits for the prompt, so it belongs to it.
    pub fn has_chosen(&mut self) {
        self.first_ms.get_or_insert_with(now_ms);
        self.reads_again = false;
    }

    /// Of all of it; of its device, with what others did there meanwhile.
    pub fn stats(
        &self,
        resident: &Resident,
        (prompt_tokens, tokens): (usize, usize),
        counts: GenerationCounts,
    ) -> GenerationStats {
        let (end_ms, at_end) = (now_ms(), resident.chosen.device.counters());
        let first_ms = self.first_ms.unwrap_or(end_ms);
        let per_token = |of: fn(&Counters) -> u64| {
            let choices = (counts.choices - self.choices_before).max(1);
            (of(&at_end) - of(&self.at_read)) as f64 / choices as f64
        };
        GenerationStats {
            prompt_tokens: prompt_tokens as u32,
            tokens: tokens as u32,
            prefill_ms: first_ms - self.start_ms,
            decode_ms: end_ms - first_ms,
            objects_created: (at_end.objects_created - self.at_start.objects_created) as u32,
            dispatches_per_token: per_token(|c| c.dispatches),
            submits_per_token: per_token(|c| c.submits),
            queue_writes_per_token: per_token(|c| c.queue_writes),
            readback_bytes_per_token: per_token(|c| c.readback_bytes),
            heap_growth_bytes: heap_bytes() - self.start_bytes,
            reused_tokens: counts.reused as u32,
            slices: counts.slices as u32,
            drafted: counts.prompt_lookup.drafted as u32,
            accepted: counts.prompt_lookup.accepted as u32,
            shared_tokens: counts.shared as u32,
            slides: counts.slides as u32,
            seed: None,
            restored_tokens: 0,
            recoveries: 0,
        }
    }
}
