//! Which sentences may stand in a summary: lines that make sense alone.

use crate::digesting;
use pith_engine::digest::{
    Block, BlockKind, Digest, Limits, Line, Noise, Page, SummaryLength, SummaryOptions,
};

fn digest(language: &str, blocks: Vec<Block>) -> Digest {
    let page = Page { language: Some(language.into()), blocks, ..Page::default() };
    digesting::digest(&page, &Limits::default()).unwrap()
}

fn paragraphs(texts: &[String]) -> Vec<Block> {
    texts.iter().map(|text| Block::new(BlockKind::Paragraph, text.as_str())).collect()
}

fn lines(digest: &Digest, length: SummaryLength) -> Vec<String> {
    let lines = digest.summarize(&SummaryOptions { length }).lines;
    lines.iter().map(|line| digest.sentences()[line.sentence].text.clone()).collect()
}

/// Pairs of sentences. The second needs the first, and is the longer one with more of the page's words.
const ENGLISH: [&str; 7] = [
    "Old mills of wood and stone need care all year round. This means that volunteers of the mill society at the river repair the wheel of every mill in spring.",
    "Stones that grind grain every day wear down within months. However, a mason of the society cuts new grooves into the stones of the mill by the river each winter.",
    "Flour in paper bags is sold daily in the former stable. It comes from wheat that farmers near the river bring to the mill of the society after the harvest.",
    "The roof of old slate leaked badly after the last storm. Therefore the society asked the town by the river for money and got tiles for the whole mill.",
    "School classes of the whole county visit often in early summer. They learn at the mill how grain from fields near the river becomes flour and bread.",
    "Electricity was added late, because nobody wanted cables on old walls. In addition, a small turbine of the society in the river now feeds the lamps of the mill.",
    "Floods after snow melts are a danger for everything built so low. For example, the river rose to the second floor of the mill when the society had just been founded.",
];
const GERMAN: [&str; 5] = [
    "Alte Mühlen aus Holz und Stein brauchen das ganze Jahr Pflege. Deshalb richten die Mitglieder des Vereins am Fluss das Rad der Mühle in jedem Frühjahr wieder her.",
    "Steine, die jeden Tag Korn mahlen, nutzen sich in Monaten ab. Außerdem schlägt ein Steinmetz des Vereins in jedem Winter neue Rillen in die Steine der Mühle am Fluss.",
    "Mehl in Tüten wird täglich im früheren Stall nebenan verkauft. Es stammt von dem Weizen, den die Bauern am Fluss nach der Ernte zur Mühle des Vereins bringen.",
    "Ein Dach aus altem Schiefer war nach dem letzten Sturm undicht. Daher bat der Verein die Stadt am Fluss um Geld und bekam Ziegel für die ganze Mühle.",
    "Schulklassen aus dem ganzen Kreis kommen im Frühsommer besonders oft. Sie lernen in der Mühle des Vereins, wie aus Korn von den Feldern am Fluss Mehl und Brot wird.",
];

#[test]
fn a_line_that_needs_the_sentence_before_is_not_shown_without_it() {
    for (language, texts) in [("en", &ENGLISH[..]), ("de", &GERMAN)] {
        let texts: Vec<String> = texts.iter().map(|text| (*text).into()).collect();
        let page = digest(language, paragraphs(&texts));
        let shown = page.summarize(&SummaryOptions { length: SummaryLength::Medium }).lines;
        // Every second sentence of the page needs the one before: it stands behind it, or without the word that joins it.
        let begins = |line: &&Line| {
            let second = &page.sentences()[line.sentence].text;
            page.line_text(line).starts_with(second.as_str())
        };
        let alone = shown.iter().filter(|line| {
            line.sentence % 2 == 1
                && begins(line)
                && !shown.iter().any(|other| other.sentence + 1 == line.sentence)
        });
        assert_eq!(alone.count(), 0, "{language}: {:#?}", lines(&page, SummaryLength::Medium));
    }
}

#[test]
fn a_line_never_only_announces_what_follows() {
    let lead = |n: usize, end: &str| {
        format!("To create the branch number {n} of the main project, type the command{end}")
    };
    let mut blocks = Vec::new();
    for (n, end) in [":", ":**", "："].iter().enumerate() {
        blocks.push(Block::new(BlockKind::Paragraph, lead(n, end)));
        blocks.push(Block::new(BlockKind::Code, "branch"));
    }
    // Broken off before its code.
    blocks.push(Block::new(BlockKind::Paragraph, lead(9, "")));
    blocks.push(Block::new(BlockKind::Code, "branch"));
    blocks.push(Block::new(
        BlockKind::Paragraph,
        "A branch of the main project is a name that points to a commit. It costs nothing.",
    ));
    for length in [SummaryLength::Short, SummaryLength::Medium, SummaryLength::Long] {
        let shown = lines(&digest("en", blocks.clone()), length);
        assert!(!shown.is_empty() && shown.iter().all(|line| !line.contains("command")), "{shown:#?}");
    }
}

#[test]
fn a_long_summary_has_eight_lines_where_the_page_has_more_sentences() {
    let sentence = |n: usize| {
        let subjects =
            ["mill", "baker", "bridge", "council", "ferry", "school", "market", "forest", "harbor", "tower"];
        format!(
            "The {} of the town was rebuilt in 19{n:02} after the great {} of that winter.",
            subjects[n],
            ["fire", "flood"][n % 2]
        )
    };
    for (sentences, expected) in [(10, 8), (9, 8), (5, 4), (1, 1)] {
        let texts: Vec<String> = (0..sentences).map(sentence).collect();
        assert_eq!(
            lines(&digest("en", paragraphs(&texts)), SummaryLength::Long).len(),
            expected,
            "{sentences}"
        );
    }
}

#[test]
fn lines_that_say_nothing_of_the_subject_are_told_from_prose() {
    use Noise::{Boilerplate, Fragment, Pointer};
    for (text, expected) in [
        ("Petra_K wrote:", Some(Fragment)),
        ("Am 3. Mai schrieb Jonas Keller:", Some(Fragment)),
        ("She wrote that the mill had burned down in the winter.", None),
        ("Published on 3 May 2024 at 10:15.", Some(Fragment)),
        ("Updated 12 September 2025, 18:30 by the editors.", Some(Fragment)),
        ("Published studies of the mill disagree about its age.", None),
        ("#rice #dinner #vegetarian", Some(Boilerplate)),
        ("Jump to recipe", Some(Boilerplate)),
        ("This question will not help you at all.", Some(Boilerplate)),
        ("Related: The last voyage of the Sula", Some(Boilerplate)),
        ("Refer to chapter 3 for the list of all commands.", Some(Pointer)),
        ("See also the manual of the mill for its wheels.", Some(Pointer)),
        ("Siehe auch das Kapitel über die Räder der Mühle.", Some(Pointer)),
        ("For more information about wheels, visit the library of the mill.", Some(Pointer)),
        ("Seen from the river the mill looks like a castle.", None),
    ] {
        let prose =
            "The mill at Corran was built in 1702 and still grinds flour for three villages on the river.";
        let page = digest("en", paragraphs(&[text.into(), prose.into()]));
        assert_eq!(page.sentences()[0].noise, expected, "{text}");
    }
}
