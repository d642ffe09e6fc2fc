//! Questions that a page is said to answer are questions that it answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/digest.rs"]
mod common;

use pith_engine::digest::{Block, BlockKind, Digest, Limits, Page, SUGGESTIONS_MAX, Verdict};
use pollster::block_on;

fn digest(language: &str, blocks: &[(BlockKind, &str)]) -> Digest {
    let blocks = blocks.iter().map(|(kind, text)| Block::new(*kind, *text)).collect();
    let page = Page { title: "Corrin".into(), language: Some(language.into()), blocks, ..Page::default() };
    common::digest(&page, &Limits::default()).unwrap()
}

#[test]
fn every_suggestion_is_answered() {
    use BlockKind::{Heading, Paragraph};
    let english = digest(
        "en",
        &[
            (
                Paragraph,
                "The stone bridge was built in 1766 to plans by the mason Elias Wray and still carries traffic.",
            ),
            (Heading, "The toll"),
            (
                Paragraph,
                "The toll was paid until 1834, when the last share of the lottery had been returned to the town.",
            ),
            (Heading, "Repairs"),
            (
                Paragraph,
                "The repairs of the northern arch took two years, because oak had become dear in the county.",
            ),
        ],
    );
    let found = block_on(english.suggest_questions(&async || true)).unwrap();
    assert!(!found.is_empty() && found.len() <= SUGGESTIONS_MAX, "{found:?}");
    assert!(found.contains(&"When was the stone bridge built?".to_owned()), "{found:?}");
    for question in &found {
        assert_eq!(common::answer(&english, question, None, 1).verdict, Verdict::Answered, "{question}");
    }
    let german = digest(
        "de",
        &[
            (Heading, "Der Zoll"),
            (
                Paragraph,
                "Der Zoll wurde bis 1834 bezahlt, als der letzte Anteil der Lotterie an die Stadt zurückgegeben war.",
            ),
        ],
    );
    assert_eq!(
        block_on(german.suggest_questions(&async || true)).unwrap(),
        ["Was steht hier über Der Zoll?"]
    );
}
