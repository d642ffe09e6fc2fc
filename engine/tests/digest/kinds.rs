//! The kinds of pages, and lines in the form that each needs.

use std::time::{Duration, Instant};

use crate::digesting;
use pith_engine::digest::{Block, BlockKind, DigestError, Limits, Page, SummaryLength, SummaryOptions};

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
    let found = tea.summarize(&SummaryOptions { length: SummaryLength::Long });
    assert_eq!(found.kind, "recipe");
    let text: Vec<String> = found.lines.iter().map(|line| tea.line_text(line)).collect();
    assert!(text.iter().any(|line| line.contains("Cut the apples")), "{text:?}");
    assert!(!text.iter().any(|line| line.contains("Step 1")), "{text:?}");
}

/// Longest work on any page of these tests; linear steps take less than a second.
const PAGE_MAX: Duration = Duration::from_secs(20);
/// Kinds that make no promise about a page's form.
const HONEST: [&str; 4] = ["prose", "list", "collection", "index"];

fn page(title: &str, blocks: Vec<Block>) -> Page {
    Page { title: title.into(), blocks, ..Page::default() }
}

fn paragraphs(texts: &[&str]) -> Vec<Block> {
    texts.iter().map(|text| Block::new(BlockKind::Paragraph, *text)).collect()
}

/// The kind of a page and how sure it is. All figures are in their bounds, whatever the page.
fn kind_of(page: &Page) -> (&'static str, f32) {
    let started = Instant::now();
    let digest = digesting::digest(page, &Limits::default()).unwrap();
    let kind = digest.kind();
    assert!(started.elapsed() < PAGE_MAX, "{:?}", started.elapsed());
    let sum: f32 = kind.candidates.iter().map(|one| one.confidence).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    assert!(
        kind.candidates.iter().all(|one| one.evidence.is_finite() && (0.0..=1.0).contains(&one.confidence))
    );
    assert!(kind.candidates.windows(2).all(|two| two[0].confidence >= two[1].confidence));
    assert_eq!(digest.summarize(&SummaryOptions::default()).kind, kind.name);
    (kind.name, kind.confidence)
}

#[test]
fn a_page_that_lies_about_its_type_is_not_believed() {
    let news = [
        "The town council voted on Monday to close the north ferry for the winter, officials said.",
        "The ferry carried 48,000 passengers last year, 11 percent fewer than in the year before.",
        "\"We cannot run a boat for nine people a day,\" said Mara Quist, who heads the harbour office.",
        "Residents of the north shore told the council that the road was often closed by snow.",
        "A bus is to replace the ferry from Tuesday. It will run four times a day, according to the plan.",
        "The vote was 9 to 4. The council will look at the matter again in April, a spokesman said.",
    ];
    for lie in [
        "Recipe",
        "HowTo",
        "FAQPage",
        "QAPage",
        "DiscussionForumPosting",
        "Product",
        "SoftwareApplication",
        "Review",
        "ItemList",
        "ScholarlyArticle",
        "GovernmentService",
        "BlogPosting",
        "OpinionNewsArticle",
    ] {
        let types = vec![lie.to_owned(), "Offer".to_owned(), "Recipe".to_owned()];
        let page = Page { types, ..page("North ferry closes for the winter", paragraphs(&news)) };
        assert_eq!(kind_of(&page).0, "news", "{lie}");
    }
}

#[test]
fn a_type_alone_does_not_make_a_kind() {
    let texts = [
        "The organ stands on the west gallery and was built by a man of whom little more than his name is known.",
        "It has nineteen stops on two manuals. Its front pipes were melted down in a war and made again later.",
        "The repair took four years. Behind the wind chest the builders found a shoe and a bill for two barrels of beer.",
        "Today it is played at noon on the first Wednesday of every month, and on most days of the year not at all.",
    ];
    for lie in [
        "Recipe",
        "HowTo",
        "FAQPage",
        "QAPage",
        "DiscussionForumPosting",
        "Product",
        "ScholarlyArticle",
        "ItemList",
    ] {
        let page = Page { types: vec![lie.to_owned()], ..page("An organ", paragraphs(&texts)) };
        let kind = kind_of(&page).0;
        assert!(["prose", "encyclopedia", "feature"].contains(&kind), "{lie}: {kind}");
    }
}

#[test]
fn a_list_of_ten_thousand_items_is_a_list() {
    let item = |n: usize| Block::new(BlockKind::ListItem, format!("Lot {n}: a lamp with {} arms", n % 7));
    let kind = kind_of(&page("Lots", (0..10_000).map(item).collect()));
    assert!(HONEST.contains(&kind.0), "{kind:?}");
    let item = |n: usize| Block::new(BlockKind::ListItem, format!("/files/archive/{n}/index"));
    let mut blocks =
        paragraphs(&["These are the files of the archive, one in each line, in no order at all."]);
    blocks.extend((0..10_000).map(item));
    let kind = kind_of(&page("Files", blocks));
    assert!(HONEST.contains(&kind.0), "{kind:?}");
}

#[test]
fn a_sentence_of_five_thousand_words_is_prose() {
    let words = ["water", "over", "stone", "and", "under", "the", "old", "bridge", "past", "every", "mill"];
    let sentence: Vec<&str> = (0..5_000).map(|n| words[n * 7 % words.len()]).collect();
    let kind = kind_of(&page("Water", paragraphs(&[&sentence.join(" ")])));
    assert_eq!(kind.0, "prose", "{kind:?}");
}

#[test]
fn text_without_a_sentence_is_refused_or_honest() {
    let names = [
        "north gate",
        "lamp room",
        "old quay",
        "salt pans",
        "rope walk",
        "tide mill",
        "bell tower",
        "pump house",
    ];
    let refused = digesting::digest(&page("", paragraphs(&names)), &Limits::default());
    assert!(matches!(refused, Err(DigestError::NoText { .. })));
    let fragments: Vec<String> =
        names.iter().map(|name| format!("{name} on the left bank, closed since the flood")).collect();
    let fragments: Vec<&str> = fragments.iter().map(String::as_str).collect();
    let kind = kind_of(&page("", paragraphs(&fragments)));
    assert!(HONEST.contains(&kind.0), "{kind:?}");
}

#[test]
fn a_table_alone_is_a_list() {
    let mut blocks =
        paragraphs(&["Heights are in metres above the chart datum, and all times are those of the harbour."]);
    let row =
        |n: usize| Block::new(BlockKind::Table, format!("{n}\t0{}:12\t4.{n}\t1{}:25\t0.{n}", n % 9, n % 9));
    blocks.extend((1..30).map(row));
    let kind = kind_of(&page("Tides in March", blocks));
    assert!(HONEST.contains(&kind.0), "{kind:?}");
}

#[test]
fn mixed_languages_are_not_mistaken() {
    let texts = [
        "The boat house stands on the left bank. It has two floors and a slate roof.",
        "Das Bootshaus steht am linken Ufer. Es hat zwei Stockwerke und ein Schieferdach.",
        "La maison des bateaux se trouve sur la rive gauche. Elle a deux étages et un toit d'ardoise.",
        "ボート小屋は左岸にあります。二階建てで、屋根はスレートです。",
        "بيت القوارب على الضفة اليسرى. له طابقان وسقف من الأردواز.",
    ];
    let (kind, confidence) = kind_of(&page("Boat house", paragraphs(&texts)));
    assert!(HONEST.contains(&kind) || kind == "encyclopedia", "{kind} {confidence}");
}
