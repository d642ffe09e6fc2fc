//! What a long page costs, and what is left out of one that is too long.

use std::time::{Duration, Instant};

use crate::digesting;
use pith_engine::digest::{
    Block, BlockKind, Limits, Page, SummaryLength, SummaryOptions, Vectors, count_words,
};
use pollster::block_on;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// About `bytes` of prose in which every sentence is different.
fn long_page(bytes: usize) -> Page {
    const SUBJECTS: [&str; 7] = [
        "The miller",
        "A baker",
        "Our neighbour",
        "The council",
        "Every visitor",
        "The river",
        "An engineer",
    ];
    const VERBS: [&str; 7] =
        ["repairs", "paints", "measures", "follows", "describes", "remembers", "crosses"];
    let mut random = Random(0xFEED_BEEF_0000_0001);
    let mut blocks = Vec::new();
    let mut total = 0;
    while total < bytes {
        let mut text = String::new();
        for _ in 0..6 {
            let (one, two, three) = (random.below(20_000), random.below(20_000), random.below(500));
            text.push_str(&format!(
                "{} {} the wheel w{one} beside the bridge b{two} and counts {three} stones before the evening comes. ",
                SUBJECTS[random.below(7)],
                VERBS[random.below(7)]
            ));
        }
        total += text.len();
        blocks.push(Block::new(BlockKind::Paragraph, text.trim()));
    }
    Page { title: "The wheel beside the bridge".into(), blocks, ..Page::default() }
}

fn time(page: &Page) -> Duration {
    (0..3)
        .map(|_| {
            let started = Instant::now();
            let digest = digesting::digest(page, &Limits::default()).unwrap();
            let lines = digest.summarize(&SummaryOptions { length: SummaryLength::Long }).lines;
            assert_eq!(lines.len(), 8);
            let asked = block_on(digest.question("Who counts 77 stones?", &async || true)).unwrap();
            assert!(digest.worth_embedding_for(&asked, &Vectors::default(), 120).len() <= 120);
            assert!(!digesting::ask(&digest, "Who counts 77 stones?", None, 5).is_empty());
            started.elapsed()
        })
        .min()
        .unwrap()
}

#[test]
fn a_megabyte_is_digested_whole_in_near_linear_time() {
    let (small, large) = (long_page(125_000), long_page(1_000_000));
    let digest = digesting::digest(&large, &Limits::default()).unwrap();
    let coverage = digest.coverage();
    assert!(
        coverage.sentences_found > 9_000 && coverage.sentences_kept == coverage.sentences_found,
        "{coverage:?}"
    );
    assert_eq!(coverage.skipped_utf16, 0);
    let (small, large) = (time(&small), time(&large));
    println!("125 kB in {small:?}, 1 MB in {large:?}");
    // Eight times the text: eight times the time if linear, sixty-four if quadratic.
    assert!(large < small * 24, "{small:?} {large:?}");
}

#[test]
fn what_exceeds_the_limits_is_spread_and_reported() {
    let page = long_page(300_000);
    let limits = Limits { sentences_max: 500, ..Limits::default() };
    let digest = digesting::digest(&page, &limits).unwrap();
    let coverage = digest.coverage();
    assert!(
        coverage.sentences_kept <= 500 && coverage.sentences_kept > 450 && coverage.sentences_found > 2_500
    );
    // The beginning whole, and something of every tenth of the page.
    assert!(digest.sentences()[..40].windows(2).all(|pair| pair[1].block - pair[0].block <= 1));
    let tenth = page.blocks.len() / 10;
    for part in 0..10 {
        let kept = digest.sentences().iter().filter(|sentence| sentence.block / tenth == part).count();
        assert!(kept >= 30, "part {part}: {kept}");
    }
    // No word of the question is on the page: its sentences are looked at from all over it.
    let asked = block_on(digest.question("Which zeppelins?", &async || true)).unwrap();
    let worth = digest.worth_embedding_for(&asked, &Vectors::default(), 50);
    assert!(worth.len() <= 50 && worth.len() >= 45);
    assert!(worth.windows(2).all(|pair| pair[1] - pair[0] < 60), "{worth:?}");
    let limits = Limits { text_bytes_max: 10_000, ..Limits::default() };
    let coverage = digesting::digest(&page, &limits).unwrap().coverage();
    assert!(coverage.skipped_utf16 > 280_000, "{coverage:?}");
    // Where neighbours were left out, a passage does not reach over them.
    let text = page.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join(" ");
    let whole = Page { blocks: vec![Block::new(BlockKind::Paragraph, text)], ..page.clone() };
    let digest = digesting::digest(&whole, &Limits { sentences_max: 500, ..Limits::default() }).unwrap();
    let hits = digesting::ask(&digest, "Who repairs the wheel beside the bridge?", None, 20);
    assert!(hits.iter().all(|hit| count_words(&hit.passage.text) <= 70), "{hits:?}");
    let passages = digest.numbered_passages();
    assert!(passages.iter().all(|entry| count_words(&entry.passage.text) <= 60), "{passages:?}");
}
