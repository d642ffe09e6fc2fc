#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;

/// A sequence, and a memory that says of each place of each page which tokens made it.
struct Cache {
    pool: PagePool,
    memory: Vec<[Vec<u32>; PAGE_TOKENS]>,
}

struct Run {
    pages: Vec<u32>,
    trail: Trail,
    /// What it has, from the first on.
    ids: Vec<u32>,
}

impl Cache {
    fn new(total: usize) -> Self {
        let memory = (0..total).map(|_| std::array::from_fn(|_| Vec::new())).collect();
        Cache { pool: PagePool::new(total, true), memory }
    }

    /// What a position holds depends on the body and on all ids up to it.
    fn made_by(run: &Run, position: usize) -> Vec<u32> {
        let key = [run.trail.key.body as u32, run.trail.key.factor_bits];
        key.into_iter().chain(run.ids[..=position].iter().copied()).collect()
    }

    fn check(&self, run: &Run) {
        for position in 0..run.trail.len_tokens() {
            let page = run.pages[position / PAGE_TOKENS] as usize;
            let want = Self::made_by(run, position);
            assert!(self.memory[page][position % PAGE_TOKENS] == want, "position {position}");
        }
    }

    fn begin(&mut self, key: BodyKey, ids: &[u32]) -> Run {
        let mut trail = Trail::new(key);
        let pages = self.pool.adopt(&mut trail, ids);
        assert_eq!(pages.len() * PAGE_TOKENS, trail.len_tokens());
        let ids = ids[..trail.len_tokens()].to_vec();
        let run = Run { pages, trail, ids };
        self.check(&run);
        run
    }

    fn feed(&mut self, run: &mut Run, ids: &[u32]) -> Result<(), Error> {
        let start = run.trail.len_tokens();
        self.pool.reserve(&mut run.pages, start + ids.len())?;
        run.ids.truncate(start);
        run.ids.extend_from_slice(ids);
        self.pool.settle(&run.pages, &mut run.trail, &run.ids);
        for position in start..run.trail.len_tokens() {
            let page = run.pages[position / PAGE_TOKENS] as usize;
            self.memory[page][position % PAGE_TOKENS] = Self::made_by(run, position);
        }
        Ok(())
    }

    /// A sequence of `ids`, and how many of them were there already.
    fn run(&mut self, key: BodyKey, ids: &[u32]) -> (Run, usize) {
        let mut run = self.begin(key, ids);
        let reused = run.trail.len_tokens();
        self.feed(&mut run, &ids[reused..]).unwrap();
        (run, reused)
    }

    fn end(&mut self, run: Run) {
        self.pool.release(run.pages);
    }

    fn unused(&self) -> usize {
        self.pool.free.len() + self.pool.idle.len()
    }
}

fn ids(range: std::ops::Range<u32>) -> Vec<u32> {
    range.collect()
}

const PLAIN: BodyKey = BodyKey { body: 0, factor_bits: 0 };

#[test]
fn a_prefix_is_reused_page_by_page_but_never_the_last_token() {
    let rows: &[(Vec<u32>, BodyKey, usize)] = &[
        (ids(0..100), PLAIN, 96),
        (ids(0..96), PLAIN, 64),
        (ids(0..97), PLAIN, 96),
        (ids(0..32), PLAIN, 0),
        (ids(0..33), PLAIN, 32),
        // The same ids in another place are something else.
        (ids(32..100), PLAIN, 0),
        ([ids(0..32), ids(64..100)].concat(), PLAIN, 32),
        ([vec![7], ids(1..100)].concat(), PLAIN, 0),
        (ids(0..100), BodyKey { body: 1, ..PLAIN }, 0),
        (ids(0..100), BodyKey { factor_bits: 1, ..PLAIN }, 0),
        (ids(0..1), PLAIN, 0),
        (ids(0..0), PLAIN, 0),
    ];
    for running in [false, true] {
        for (later, key, want) in rows {
            let mut cache = Cache::new(16);
            let (first, reused) = cache.run(PLAIN, &ids(0..100));
            assert_eq!(reused, 0);
            let kept = if running { Some(first) } else { (cache.end(first), None).1 };
            let second = cache.begin(*key, later);
            assert_eq!(second.trail.len_tokens(), *want, "{} ids, running: {running}", later.len());
            cache.end(second);
            kept.into_iter().for_each(|run| cache.end(run));
            assert_eq!(cache.unused(), 16);
        }
    }
}

#[test]
fn a_model_without_reuse_begins_anew() {
    let mut pool = PagePool::new(4, false);
    let (mut pages, mut trail) = (Vec::new(), Trail::new(PLAIN));
    pool.reserve(&mut pages, 70).unwrap();
    pool.settle(&pages, &mut trail, &ids(0..70));
    pool.release(pages);
    assert!(pool.adopt(&mut Trail::new(PLAIN), &ids(0..70)).is_empty());
    assert_eq!(pool.free.len(), 4);
}

#[test]
fn what_was_not_used_for_longest_is_overwritten_first() {
    let mut cache = Cache::new(6);
    for range in [0..65, 100..165] {
        let (run, _) = cache.run(PLAIN, &ids(range));
        cache.end(run);
    }
    // Four pages are known, two free. Three are needed: the second page of the older sequence goes.
    let (run, _) = cache.run(PLAIN, &ids(200..296));
    assert_eq!(cache.begin(PLAIN, &ids(0..65)).trail.len_tokens(), 32);
    assert_eq!(cache.begin(PLAIN, &ids(100..165)).trail.len_tokens(), 64);
    // Everything is in use now.
    let mut none = Vec::new();
    assert_eq!(cache.pool.reserve(&mut none, 1), Err(Error::CacheFull { pages: 6 }));
    assert!(none.is_empty());
    cache.end(run);
    assert_eq!(cache.unused(), 3);
}

#[test]
fn a_shared_page_stays_until_both_have_ended() {
    let mut cache = Cache::new(4);
    let (first, _) = cache.run(PLAIN, &ids(0..40));
    let (second, reused) = cache.run(PLAIN, &ids(0..50));
    assert_eq!((reused, first.pages[0] == second.pages[0]), (32, true));
    cache.end(first);
    assert_eq!(cache.unused(), 2);
    cache.check(&second);
    cache.end(second);
    assert_eq!(cache.unused(), 4);
}

#[test]
fn rewinding_never_writes_to_what_others_read() {
    let mut cache = Cache::new(8);
    let (mut first, _) = cache.run(PLAIN, &ids(0..70));
    assert_eq!(cache.pool.rewind(&mut first.pages, &mut first.trail, 66), 66);
    // The page between was settled; alone in it, the sequence takes it back.
    assert_eq!(cache.pool.rewind(&mut first.pages, &mut first.trail, 40), 40);
    assert_eq!(first.pages.len(), 2);
    cache.feed(&mut first, &ids(500..530)).unwrap();
    cache.check(&first);
    let second = cache.begin(PLAIN, &ids(0..70));
    assert_eq!(second.trail.len_tokens(), 32);
    // The first page has two readers: it can only be left as a whole.
    assert_eq!(cache.pool.rewind(&mut first.pages, &mut first.trail, 20), 0);
    assert_eq!(first.pages.len(), 0);
    cache.feed(&mut first, &ids(900..990)).unwrap();
    cache.check(&first);
    cache.check(&second);
}

#[test]
fn random_sequences_find_only_what_is_theirs() {
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut cache = Cache::new(24);
    let mut runs: Vec<Run> = Vec::new();
    let mut reused = 0;
    for _ in 0..4000 {
        match random(4) {
            0 if runs.len() < 5 => {
                // Prompts of two values have many prefixes in common.
                let prompt: Vec<u32> = (0..3).flat_map(|_| [random(2) as u32; 40]).collect();
                let key = BodyKey { body: random(2) as usize, ..PLAIN };
                let mut run = cache.begin(key, &prompt);
                let start = run.trail.len_tokens();
                reused += start;
                let _ = cache.feed(&mut run, &prompt[start..]);
                runs.push(run);
            }
            1 if !runs.is_empty() => {
                let run = runs.swap_remove(random(runs.len() as u64) as usize);
                cache.end(run);
            }
            2 if !runs.is_empty() => {
                let at = random(runs.len() as u64) as usize;
                let len = runs[at].trail.len_tokens();
                let to = random(len as u64 + 1) as usize;
                let run = &mut runs[at];
                let left = cache.pool.rewind(&mut run.pages, &mut run.trail, to);
                assert!(left <= to && run.trail.len_tokens() == left);
            }
            _ if !runs.is_empty() => {
                let at = random(runs.len() as u64) as usize;
                let more = vec![random(2) as u32; random(40) as usize];
                // A full cache is refused without harm.
                let _ = cache.feed(&mut runs[at], &more);
            }
            _ => {}
        }
        runs.iter().for_each(|run| cache.check(run));
    }
    assert!(reused > 10_000, "{reused}");
    runs.into_iter().for_each(|run| cache.end(run));
    assert_eq!(cache.unused(), 24);
}
