//! Any page and question: nothing panics, limits hold, and every text stands where its positions say.
#![no_main]

use std::cell::Cell;

use libfuzzer_sys::fuzz_target;
use pith_engine::digest::{
    Block, BlockKind, Digest, DigestError, ItemKind, Limits, Page, SummaryLength, SummaryOptions, Vectors,
};
use pollster::block_on;

const KINDS: [BlockKind; 8] = [
    BlockKind::Paragraph,
    BlockKind::ListItem,
    BlockKind::Quote,
    BlockKind::Heading,
    BlockKind::Code,
    BlockKind::Table,
    BlockKind::Caption,
    BlockKind::Comment,
];
const LANGUAGES: [Option<&str>; 8] =
    [None, Some("en"), Some("de-AT"), Some("zh"), Some("th"), Some("ar"), Some("hi"), Some("-\u{1F600}")];

// Three bytes say what the limits are, the rest is text: title, description, question and blocks, a line each. The first
// character of a block says its kind.
fuzz_target!(|input: &[u8]| {
    let [sizes, language, stop, text @ ..] = input else { return };
    let text = String::from_utf8_lossy(text);
    let mut lines = text.split('\n');
    let mut line = || lines.next().unwrap_or_default().to_owned();
    let (title, description, question) = (line(), line(), line());
    let blocks = lines.map(|line| {
        let kind = line.bytes().next().unwrap_or_default();
        let headers = if kind % 2 == 0 { Vec::new() } else { line.split(' ').map(Into::into).collect() };
        let speaker = (kind % 3 == 0).then(|| line.chars().rev().take(7).collect());
        let item = [None, Some(ItemKind::Ordered), Some(ItemKind::Term), Some(ItemKind::Definition)]
            [usize::from(kind / 16 % 4)];
        let votes = (kind % 5 == 0).then(|| i32::from(kind) - 100);
        let kind = KINDS[usize::from(kind) % KINDS.len()];
        Block { kind, text: line.to_owned(), headers, speaker, level: kind as u8 % 7, item, votes, accepted: votes.is_some() }
    });
    let page = Page {
        title,
        description: Some(description).filter(|text| !text.is_empty()),
        language: LANGUAGES[usize::from(*language) % LANGUAGES.len()].map(Into::into),
        types: (sizes % 5 == 0).then(|| question.clone()).into_iter().collect(),
        blocks: blocks.collect(),
        starts: vec![usize::from(*stop)],
    };
    let limits = Limits {
        sentences_max: usize::from(sizes % 16) + 1,
        sentence_chars_max: 20 << (sizes >> 5),
        words_min: 1,
        ..Limits::default()
    };
    let turns = Cell::new(0);
    let stopped = block_on(Digest::new(&page, &limits, &async || {
        turns.set(turns.get() + 1);
        turns.get() <= usize::from(*stop)
    }));
    assert_eq!(stopped.is_err_and(|error| error == DigestError::Stopped), turns.get() > usize::from(*stop));
    let Ok(digest) = block_on(Digest::new(&page, &limits, &async || true)) else { return };
    check(&digest, &page, &limits, &question);
});

fn check(digest: &Digest, page: &Page, limits: &Limits, question: &str) {
    assert!(digest.sentences().len() <= limits.sentences_max);
    assert!(digest.title().chars().count() <= 300);
    assert!(digest.description().is_none_or(|text| text.chars().count() <= 1_000));
    let mut end = (0, 0);
    for sentence in digest.sentences() {
        assert!((sentence.block, sentence.start_bytes) >= end);
        end = (sentence.block, sentence.end_bytes);
        let (bytes, utf16) =
            (sentence.start_bytes..sentence.end_bytes, sentence.start_utf16..sentence.end_utf16);
        stands(page, &sentence.text, sentence.block, bytes, utf16);
        assert!(sentence.text.chars().count() <= limits.sentence_chars_max);
    }
    for length in [SummaryLength::Short, SummaryLength::Long] {
        let summary = digest.summarize(&SummaryOptions { length });
        assert!(summary.lines.len() <= length.lines_max());
        for part in summary.lines.iter().flat_map(|line| digest.line_parts(line)) {
            let units: Vec<u16> = page.blocks[part.block].text.encode_utf16().collect();
            assert_eq!(String::from_utf16_lossy(&units[part.start_utf16..part.end_utf16]), part.text);
        }
    }
    let turn = async || true;
    let asked = match block_on(digest.question(question, &turn)) {
        Ok(asked) => asked,
        Err(error) => return assert!(matches!(error, DigestError::QuestionTooLong { .. })),
    };
    let answer = block_on(digest.rank_question(&asked, None, 5, &turn)).expect("nobody stops it");
    assert_eq!(Ok(&answer), block_on(digest.rank_question(&asked, None, 5, &turn)).as_ref());
    for hit in &answer.hits {
        let passage = &hit.passage;
        let (bytes, utf16) = (passage.start_bytes..passage.end_bytes, passage.start_utf16..passage.end_utf16);
        stands(page, &passage.text, passage.block, bytes, utf16);
        assert!((0.0..=1.0).contains(&hit.score));
    }
    assert!(digest.worth_embedding_for(&asked, &Vectors::default(), 5).len() <= 5);
}

/// The text is what both kinds of positions cut out of the block.
fn stands(
    page: &Page,
    text: &str,
    block: usize,
    bytes: std::ops::Range<usize>,
    utf16: std::ops::Range<usize>,
) {
    let whole = &page.blocks[block].text;
    assert_eq!(&whole[bytes], text);
    let units: Vec<u16> = whole.encode_utf16().collect();
    assert_eq!(String::from_utf16(&units[utf16]).ok().as_deref(), Some(text));
}
