//! Prompt-lookup decoding: output often quotes the prompt. If the last n-gram of ids occurred before, the ids that followed it are
//! proposed, and one small batch verifies which of them the model would have chosen.
//!
//! Whether this saves time depends on the acceptance rate and on the cost of a batch relative to single steps. The rate is
//! measured at every token, also while nothing is proposed; the caller reports the cost.

use std::collections::HashMap;

/// Runs of up to this many ids are looked up, longest first.
const RUN_MAX: usize = 4;

/// Shorter ones say too little.
const RUN_MIN: usize = 2;

/// Lengths of runs.
const RUNS: usize = RUN_MAX - RUN_MIN + 1;

/// How much the last observation counts in a running average.
const NEWEST: f64 = 0.125;

/// What a further token of a batch costs beside a single step, before one was measured.
const FURTHER_UNKNOWN: f64 = 0.2;

/// Tokens per time that a batch must give, where single steps give 1: averages are not exact.
const GAIN_MIN: f64 = 1.1;

/// Fills a key of a shorter run. No vocabulary has this id.
const NO_ID: u32 = u32::MAX;

/// How proposals fared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PromptLookupStats {
    /// Ids that were proposed and run.
    pub drafted: usize,
    /// Those that the model would have chosen.
    pub accepted: usize,
}

/// Where each run of a sequence's ids was last. The ids are the caller's; every call takes all of them.
#[derive(Debug)]
pub struct PromptLookup {
    /// Ids that were read so far.
    len: usize,
    /// Runs of ids to the position behind their last occurrence. Only of runs that something follows.
    after: HashMap<[u32; RUN_MAX], usize>,
    /// How often what follows a run of each length was what followed it before.
    right: [f64; RUNS],
    /// Milliseconds of a single step; 0 until there was one.
    single_ms: f64,
    /// Milliseconds that each further token adds to a batch.
    further_ms: Option<f64>,
    stats: PromptLookupStats,
}

impl PromptLookup {
    /// For a sequence that will hardly get longer than `capacity_tokens`.
    pub fn new(capacity_tokens: usize) -> Self {
        PromptLookup {
            len: 0,
            after: HashMap::with_capacity(capacity_tokens * RUNS),
            right: [0.5; RUNS],
            single_ms: 0.0,
            further_ms: None,
            stats: PromptLookupStats::default(),
        }
    }

    /// Reads ids that were given, not chosen: the prompt, in the place of all that was read before.
    pub fn read(&mut self, ids: &[u32]) {
        self.after.clear();
        (0..ids.len()).for_each(|len| self.append(&ids[..len]));
        self.len = ids.len();
    }

    /// Reads the ids that the model has chosen since the last call, behind those.
    pub fn push(&mut self, ids: &[u32]) {
        for len in self.len..ids.len() {
            let before = &ids[..len];
            if let Some((run, at)) = self.find(before) {
                let right = &mut self.right[run - RUN_MIN];
                *right += NEWEST * (f64::from(u8::from(ids[at] == ids[len])) - *right);
            }
            self.append(before);
        }
        self.len = ids.len();
    }

    /// Notes that something follows the runs at the end of `ids`.
    fn append(&mut self, ids: &[u32]) {
        for run in RUN_MIN..=RUN_MAX.min(ids.len()) {
            self.after.insert(key(ids, run), ids.len());
        }
    }

    /// The longest run at the end of `ids` that occurred before, and the position behind its last occurrence.
    fn find(&self, ids: &[u32]) -> Option<(usize, usize)> {
        let runs = (RUN_MIN..=RUN_MAX.min(ids.len())).rev();
        runs.into_iter().find_map(|run| Some((run, *self.after.get(&key(ids, run))?)))
    }

    /// Proposes the ids that follow `ids`: as many as pay, at most `most`; none where none do. `out` is overwritten.
    pub fn propose(&self, ids: &[u32], most: usize, out: &mut Vec<u32>) {
        out.clear();
        if let Some((run, at)) = self.find(ids) {
            quote(ids, at, self.worthwhile(run, most), out);
        }
    }

    /// How many ids to propose after a run of this length: the number with the most tokens per millisecond, 0 unless
    /// that is more than single steps give.
    fn worthwhile(&self, run: usize, most: usize) -> usize {
        let further = match self.further_ms {
            Some(further_ms) if self.single_ms > 0.0 => further_ms / self.single_ms,
            _ => FURTHER_UNKNOWN,
        };
        // Once the first id is right, the run is longer, and so is the next one.
        let right = |nth: usize| self.right[(run + nth).min(RUN_MAX) - RUN_MIN];
        let (mut best, mut best_rate) = (0, GAIN_MIN);
        let (mut tokens, mut reached) = (1.0, 1.0);
        for count in 1..=most {
            reached *= right(count - 1);
            tokens += reached;
            let rate = tokens / (1.0 + further * count as f64);
            if rate > best_rate {
                (best, best_rate) = (count, rate);
            }
        }
        best
    }

    /// Counts a batch with `drafted` proposed ids, of which the first `accepted` were right.
    pub fn count(&mut self, drafted: usize, accepted: usize) {
        self.stats.drafted += drafted;
        self.stats.accepted += accepted;
    }

    /// Takes the time of a batch of `tokens` tokens: 1 is a single step.
    pub fn measured(&mut self, tokens: usize, time_ms: f64) {
        let mix = |old: f64, new: f64| old + 2.0 * NEWEST * (new - old);
        if tokens <= 1 {
            self.single_ms = if self.single_ms > 0.0 { mix(self.single_ms, time_ms) } else { time_ms };
        } else if self.single_ms > 0.0 {
            let further = ((time_ms - self.single_ms) / (tokens - 1) as f64).max(0.0);
            self.further_ms = Some(self.further_ms.map_or(further, |old| mix(old, further)));
        }
    }

    /// How proposals fared so far.
    pub fn stats(&self) -> PromptLookupStats {
        self.stats
    }
}

/// The last `run` ids.
fn key(ids: &[u32], run: usize) -> [u32; RUN_MAX] {
    let mut key = [NO_ID; RUN_MAX];
    key[..run].copy_from_slice(&ids[ids.len() - run..]);
    key
}

/// What followed from position `at` on.
fn quote(ids: &[u32], at: usize, count: usize, out: &mut Vec<u32>) {
    for offset in 0..count {
        // Behind the end the proposal follows itself: a repetition goes on as it has begun.
        let id = match ids.get(at + offset) {
            Some(&id) => id,
            None => out[at + offset - ids.len()],
        };
        out.push(id);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn proposed(ids: &[u32], most: usize) -> Vec<u32> {
        let mut prompt_lookup = PromptLookup::new(ids.len());
        prompt_lookup.read(ids);
        let mut out = Vec::new();
        if let Some((_, at)) = prompt_lookup.find(ids) {
            quote(ids, at, most, &mut out);
        }
        out
    }

    #[test]
    fn what_followed_the_longest_run_last_is_proposed() {
        let rows: &[(&[u32], usize, &[u32])] = &[
            (&[], 4, &[]),
            (&[1], 4, &[]),
            (&[1, 2, 3, 4], 4, &[]),
            // A run of one is none.
            (&[1, 2, 3, 1], 4, &[]),
            (&[1, 2, 3, 4, 5, 1, 2], 3, &[3, 4, 5]),
            (&[1, 2, 3, 4, 5, 1, 2], 0, &[]),
            // The longer run wins over the later one.
            (&[7, 1, 2, 3, 8, 1, 2, 4, 9, 7, 1, 2], 1, &[3]),
            // Among runs of equal length the later one wins.
            (&[1, 2, 3, 8, 1, 2, 4, 9, 6, 1, 2], 2, &[4, 9]),
            // A repetition goes on.
            (&[1, 2, 1, 2, 1, 2], 5, &[1, 2, 1, 2, 1]),
            (&[5, 5, 5], 3, &[5, 5, 5]),
            (&[1, 2, 3, 1, 2, 3, 1], 4, &[2, 3, 1, 2]),
        ];
        for (ids, most, want) in rows {
            assert_eq!(proposed(ids, *most), *want, "{ids:?}");
        }
    }

    /// What a search through everything finds.
    fn searched(ids: &[u32], most: usize) -> Vec<u32> {
        for run in (RUN_MIN..=RUN_MAX).rev().filter(|run| *run < ids.len()) {
            let last = &ids[ids.len() - run..];
            if let Some(at) = (run..ids.len()).rev().find(|&at| &ids[at - run..at] == last) {
                let mut all = ids.to_vec();
                (0..most).for_each(|offset| all.push(all[at + offset]));
                return all[ids.len()..].to_vec();
            }
        }
        Vec::new()
    }

    #[test]
    fn the_index_finds_what_a_search_finds() {
        let mut state = 1_u32;
        let mut ids = Vec::new();
        let mut found = 0;
        for _ in 0..1500 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ids.push((state >> 24) % 9);
            let got = proposed(&ids, 5);
            assert_eq!(got, searched(&ids, 5), "{} ids", ids.len());
            found += usize::from(!got.is_empty());
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn positions_are_those_of_the_ids_that_are_left() {
        let mut ids: Vec<u32> = (0..40).collect();
        let mut prompt_lookup = PromptLookup::new(ids.len());
        prompt_lookup.read(&ids);
        ids.drain(..30);
        prompt_lookup.read(&ids);
        ids.extend([5, 6]);
        prompt_lookup.push(&ids);
        assert_eq!(prompt_lookup.find(&ids), None, "forgotten ids");
        ids.extend([31, 32]);
        prompt_lookup.push(&ids);
        assert_eq!(prompt_lookup.find(&ids), Some((2, 3)));
    }

    /// Feeds `text` as if it were chosen, with a batch costing `further` of a step per proposed token. Returns the time
    /// it took, in steps, and the statistics.
    fn write(prompt: &[u32], text: &[u32], further: f64) -> (f64, PromptLookupStats) {
        let mut prompt_lookup = PromptLookup::new(prompt.len() + text.len());
        prompt_lookup.read(prompt);
        prompt_lookup.measured(1, 1.0);
        let (mut at, mut time, mut draft, mut ids) = (0, 0.0, Vec::new(), prompt.to_vec());
        while at < text.len() {
            prompt_lookup.propose(&ids, 7, &mut draft);
            let right = draft.iter().zip(&text[at..]).take_while(|(a, b)| a == b).count();
            let cost = 1.0 + further * draft.len() as f64;
            prompt_lookup.measured(1 + draft.len(), cost);
            prompt_lookup.count(draft.len(), right);
            let end = text.len().min(at + right + 1);
            ids.extend_from_slice(&text[at..end]);
            prompt_lookup.push(&ids);
            (at, time) = (end, time + cost);
        }
        (time, prompt_lookup.stats())
    }

    #[test]
    fn proposals_never_cost_much_more_than_they_bring() {
        let prompt: Vec<u32> = (0..400).map(|i| (i * 7919) % 613).collect();
        let quotation = &prompt[100..300];
        // Pairs recur, but never what follows them.
        let misleading: Vec<u32> = (0..400).map(|i| if i % 3 < 2 { i % 3 } else { 1000 + i }).collect();
        for further in [0.02, 0.1, 0.5, 0.9, 2.0] {
            let (quoting, stats) = write(&prompt, quotation, further);
            assert!(quoting < 1.04 * quotation.len() as f64, "{further}: {quoting}");
            if further <= 0.1 {
                assert!(quoting < 0.35 * quotation.len() as f64, "{further}: {quoting}");
                assert!(stats.accepted * 10 > stats.drafted * 8, "{stats:?}");
            }
            let (misled, stats) = write(&misleading, &misleading, further);
            assert!(misled < 1.06 * misleading.len() as f64, "{further}: {misled} {stats:?}");
        }
    }
}
