//! Lines in the form that the kind of a page needs.

use crate::digesting;
use pith_engine::digest::{Block, BlockKind, Limits, Page, SummaryLength, SummaryOptions};

#[test]
fn steps_are_shown_by_what_they_say() {
    let mut blocks = vec![
        Block::new(BlockKind::Heading, "Apple tea"),
        Block::new(BlockKind::Paragraph, "Apple tea is a warm drink for the end of a long walk in the cold."),
        Block::new(BlockKind::Paragraph, "Old sorts of apples have more taste than those from the market."),
        Block::new(BlockKind::Heading, "Ingredients"),
        Block::new(BlockKind::ListItem, "2 apples"),
        Block::new(BlockKind::ListItem, "1 liter of water"),
        Block::new(BlockKind::Heading, "Method"),
    ];
    let steps = [
        "Cut the apples into thin slices.",
        "Pour the boiling water over them.",
        "Wait ten minutes and strain the tea.",
    ];
    for (at, step) in steps.into_iter().enumerate() {
        blocks.push(Block::new(BlockKind::Heading, format!("Step {}", at + 1)));
        blocks.push(Block::new(BlockKind::Paragraph, step));
    }
    let tea =
        digesting::digest(&Page { title: "Apple tea".into(), blocks, ..Page::default() }, &Limits::default())
            .unwrap();
    let found = tea.summarize(None, &SummaryOptions { length: SummaryLength::Long });
    assert_eq!(found.kind, "recipe");
    let text: Vec<String> = found.lines.iter().map(|line| tea.line_text(line)).collect();
    assert!(text.iter().any(|line| line.contains("Cut the apples")), "{text:?}");
    assert!(!text.iter().any(|line| line.contains("Step 1")), "{text:?}");
}
