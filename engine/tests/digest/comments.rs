//! Comments under an article: asked, not summarised, and named by number and words.

use pith_engine::digest::{Block, BlockKind, Comments, Digest, Limits, Page, SummaryLength, SummaryOptions};

use crate::digesting;

const ARTICLE: [&str; 5] = [
    "The ferry across the narrow sound will stop in October, because the council has found nobody to run it.",
    "For ninety years the ferry has carried farmers, schoolchildren and, in the last summers, many bicycles.",
    "The skipper would go on for two more winters if somebody paid for a new engine for the old boat.",
    "Until a bridge is built, the way around the sound takes fifty minutes by car on a narrow road.",
    "The council will decide about the bridge and about its cost when the new year has begun.",
];
const SAID: [(&str, &str); 4] = [
    ("Marit", "A bridge would cost forty times what the engine of this ferry costs, as everybody knows."),
    ("Marit", "And the engine could be paid for by the bicycles of a single summer."),
    ("Per", "The bridge is a promise, the engine is a bill, and the postmistress has counted both of them."),
    ("Ane", "Build the bridge at last, and keep the engine in a museum for our grandchildren to look at."),
];

fn digest_page(page: &Page) -> Digest {
    digesting::digest(page, &Limits::default()).unwrap()
}

fn page(comments: &[(&str, &str)]) -> Page {
    let mut blocks: Vec<Block> = ARTICLE.iter().map(|text| Block::new(BlockKind::Paragraph, *text)).collect();
    for (speaker, text) in comments {
        let speaker = (!speaker.is_empty()).then(|| (*speaker).to_string());
        blocks.push(Block { speaker, ..Block::new(BlockKind::Comment, *text) });
    }
    Page {
        title: "The last ferry".into(),
        description: None,
        language: Some("en".into()),
        types: Vec::new(),
        blocks,
        starts: Vec::new(),
    }
}

#[test]
fn comments_are_counted_by_person_and_named_by_their_words() {
    let found = digest_page(&page(&SAID)).comments().cloned().unwrap();
    assert_eq!(found.count, 3);
    assert!(found.about.len() <= 4 && found.about.contains(&"bridge".to_string()), "{:?}", found.about);
    assert!(found.about.contains(&"engine".to_string()), "{:?}", found.about);
    let nobody: Vec<(&str, &str)> = SAID.iter().map(|(_, text)| ("", *text)).collect();
    assert_eq!(digest_page(&page(&nobody)).comments().unwrap().count, 4);
    assert_eq!(digest_page(&page(&[])).comments(), None);
    let few = digest_page(&page(&[("Per", "Yes!")])).comments().cloned();
    assert_eq!(few, Some(Comments { count: 1, about: vec![] }));
}

#[test]
fn the_lines_are_those_of_the_article_alone() {
    let options = SummaryOptions { length: SummaryLength::Long };
    let lines = |page: &Page| -> Vec<String> {
        let digest = digest_page(page);
        digest.summarize(&options).lines.iter().map(|line| digest.line_text(line)).collect()
    };
    let with = lines(&page(&SAID));
    for (_, text) in SAID {
        assert!(with.iter().all(|line| !text.contains(line.trim_end_matches('…'))), "{with:?}");
    }
    let kind = |page: &Page| digest_page(page).kind().name;
    assert_eq!(kind(&page(&SAID)), kind(&page(&[])));
}

#[test]
fn comments_answer_questions() {
    let digest = digest_page(&page(&SAID));
    let hits = digesting::ask(&digest, "What has the postmistress counted?", None, 3);
    assert_eq!(hits[0].passage.text, SAID[2].1);
    assert_eq!(hits[0].passage.speaker.as_deref(), Some("Per"));
}
