//! Properties of digests: what they refuse, repeat, survive and cost.

use crate::digesting;
use pith_engine::digest::{
    ANSWERED_MIN, Block, BlockKind, Digest, DigestError, Limits, Noise, Page, QueryVectors, SummaryLength,
    SummaryOptions, Vectors, Verdict, prefixes,
};
use pollster::block_on;

fn block(kind: BlockKind, text: &str) -> Block {
    Block::new(kind, text)
}

fn page(title: &str, paragraphs: &[&str]) -> Page {
    Page {
        title: title.into(),
        blocks: paragraphs.iter().map(|text| block(BlockKind::Paragraph, text)).collect(),
        ..Page::default()
    }
}

fn digest(page: &Page) -> Digest {
    digesting::digest(page, &Limits::default()).unwrap()
}

fn summary(digest: &Digest, length: SummaryLength) -> Vec<&str> {
    let summary = digest.summarize(&SummaryOptions { length });
    summary.lines.iter().map(|line| digest.sentences()[line.sentence].text.as_str()).collect()
}

const MILL: [&str; 5] = [
    "The mill at Corran was built in 1702 and still grinds flour for three villages on the river. Its wheel is nine metres across.",
    "A flood destroyed the first wheel in 1744, and the miller rebuilt it from oak that he had cut in his own forest. The work took two winters.",
    "Visitors may watch the stones turn on every Sunday between April and October, when the volunteers of the society open the doors.",
    "The society was founded in 1968 by a schoolteacher who wanted to save the building from being turned into a garage for lorries.",
    "Flour from the mill is sold in the old stable, together with bread that a baker from the next village makes of it.",
];

#[test]
fn pages_without_prose_are_refused_with_a_count() {
    let code = Page { blocks: vec![block(BlockKind::Code, "let a = 1; let b = 2;")], ..Page::default() };
    let mut table = page("", &["Sign in"]);
    table
        .blocks
        .push(block(BlockKind::Table, "many words that stand in a table and are therefore not prose at all"));
    for (page, found) in [
        (Page::default(), 0),
        (page("A title", &[]), 0),
        (code, 0),
        (page("x", &["Hello world."]), 2),
        (table, 2),
    ] {
        match digesting::digest(&page, &Limits::default()) {
            Err(error @ DigestError::NoText { words_found, words_needed }) => {
                assert_eq!((words_found, words_needed), (found, 12));
                assert_eq!(error.code(), "no_text");
            }
            other => panic!("{:?}", other.err()),
        }
    }
    let banner = "We use cookies and similar techniques. Accept all cookies to go on. Click here to read our privacy policy today.";
    assert!(matches!(
        digesting::digest(&page("", &[banner]), &Limits::default()),
        Err(DigestError::NoText { .. })
    ));
}

#[test]
fn a_line_that_says_what_the_description_says_leads() {
    let mut mill = page("The mill at Corran", &MILL);
    let first =
        "The mill at Corran was built in 1702 and still grinds flour for three villages on the river.";
    assert!(summary(&digest(&mill), SummaryLength::Medium).contains(&first));
    mill.description = Some(format!("  {first}\u{200B}\n"));
    let with = digest(&mill);
    assert_eq!(with.description(), Some(first));
    // The line that says it has its place on the page, and whoever shows both knows it.
    let found = with.summarize(&SummaryOptions::default());
    assert!(found.is_described);
    assert_eq!(with.line_text(&found.lines[0]), first);
    // A description of nothing is none.
    mill.description = Some(" - ".into());
    assert_eq!(digest(&mill).description(), None);
}

#[test]
fn repeated_sentences_appear_once() {
    let again =
        "The mill at Corran, built in 1702, still grinds flour for three villages on the river today.";
    let mut texts = MILL.to_vec();
    texts.extend([again, MILL[0], again, MILL[1]]);
    for length in [SummaryLength::Short, SummaryLength::Long] {
        let mill = digest(&page("Corran", &texts));
        let lines = summary(&mill, length);
        assert_eq!(lines.iter().filter(|line| line.contains("1702")).count(), 1, "{lines:#?}");
        assert!(lines.iter().filter(|line| line.contains("1744")).count() <= 1, "{lines:#?}");
    }
    let hits = digesting::ask(&digest(&page("Corran", &texts)), "When was the mill built?", None, 5);
    assert_eq!(hits.iter().filter(|hit| hit.passage.text.contains("1702")).count(), 1, "{hits:#?}");
}

#[test]
fn a_summary_is_shorter_than_its_page() {
    for (paragraphs, lines) in [(1, 1), (2, 3), (5, 6)] {
        let mill = digest(&page("Corran", &MILL[..paragraphs]));
        assert_eq!(summary(&mill, SummaryLength::Long).len(), lines, "{paragraphs}");
    }
}

#[test]
fn noise_is_told_from_prose() {
    use BlockKind::{ListItem, Paragraph};
    for (kind, text, expected) in [
        (Paragraph, "We use cookies to make this site work.", Some(Noise::Boilerplate)),
        (Paragraph, "The bakery bakes cookies and sells them at the harbour on Sundays.", None),
        (Paragraph, "Many households subscribe to the service, which costs nine pounds a month.", None),
        (Paragraph, "Subscribe to our newsletter for more.", Some(Noise::Boilerplate)),
        (Paragraph, "Home | News | Sport | Travel | More", Some(Noise::Boilerplate)),
        (Paragraph, "Share prices fell again in the afternoon.", None),
        (ListItem, "Share", Some(Noise::Boilerplate)),
        (ListItem, "Read more about this", Some(Noise::Boilerplate)),
        (ListItem, "Children who read more books learn words faster than others do.", None),
        (ListItem, "[12] Ellison, M. (1999). Mills of the north.", Some(Noise::Reference)),
        (ListItem, "↑ Harbour Courier, 4 May 1951.", Some(Noise::Reference)),
        (ListItem, "Retrieved 3 May 2020 from the archive of the town.", Some(Noise::Reference)),
        (Paragraph, "By Mara Ellison", Some(Noise::Fragment)),
        (Paragraph, "12 / 14 / 16 - 18:30 (+3)", Some(Noise::Fragment)),
        (ListItem, "two cups of flour", Some(Noise::Fragment)),
        (ListItem, "Mix the flour and the butter until no lumps are left", None),
        (Paragraph, "Posted by Jonna on 14 September · 6 min read · 23 comments", Some(Noise::Boilerplate)),
        (Paragraph, "Index » Heating » Heat pumps | Register | Log in", Some(Noise::Boilerplate)),
        (Paragraph, "版权所有，未经许可不得转载。", Some(Noise::Boilerplate)),
        (Paragraph, "分享经验对社区里的每个人都有好处。", None),
    ] {
        let page = Page {
            blocks: vec![
                block(kind, text),
                block(BlockKind::Paragraph, MILL[0]),
                block(BlockKind::Paragraph, MILL[1]),
            ],
            ..Page::default()
        };
        assert_eq!(digest(&page).sentences()[0].noise, expected, "{text}");
    }
}

#[test]
fn vectors_are_checked() {
    assert_eq!(Vectors::new(&[0, 1], vec![vec![1.0, 0.0], vec![1.0]]).unwrap_err().code(), "bad_vector");
    assert_eq!(Vectors::new(&[0], vec![vec![f32::NAN]]).unwrap_err().code(), "bad_vector");
    assert_eq!(Vectors::new(&[0], vec![vec![]]).unwrap_err().code(), "bad_vector");
    let scaled = Vectors::new(&[3], vec![vec![3.0, 4.0]]).unwrap();
    assert_eq!(scaled.get(3), Some([0.6, 0.8].as_slice()));
    assert_eq!(scaled.get(0), None);
    // Zero vectors and sentences that are not there hide nothing.
    let mill = digest(&page("Corran", &MILL));
    let odd = Vectors::new(&[0, 900], vec![vec![0.0, 0.0], vec![0.0, 1.0]]).unwrap();
    let query = QueryVectors { question: &[0.0, 1.0], sentences: &odd, answered_cosine: 0.48 };
    assert!(
        digesting::ask(&mill, "When was the mill built?", Some(query), 3)[0].passage.text.contains("1702")
    );
}

#[test]
fn embeddings_find_what_words_do_not() {
    let mill = digest(&page("Corran", &MILL));
    let question = "How can a tourist see it?";
    assert!(digesting::ask(&mill, question, None, 3).first().is_none_or(|hit| hit.score < ANSWERED_MIN));
    let all: Vec<usize> = (0..mill.sentences().len()).collect();
    let answer = mill.sentences().iter().position(|sentence| sentence.text.starts_with("Visitors")).unwrap();
    let rows = all
        .iter()
        .map(|&at| if at == answer { vec![0.9, 0.4] } else { vec![0.1, 1.0 + at as f32 * 0.01] })
        .collect();
    let sentences = Vectors::new(&all, rows).unwrap();
    let query = QueryVectors { question: &[5.0, 0.0], sentences: &sentences, answered_cosine: 0.48 };
    let hits = digesting::ask(&mill, question, Some(query), 3);
    assert!(hits[0].passage.text.starts_with("Visitors") && hits[0].score >= ANSWERED_MIN, "{hits:#?}");
    // A question's vector of another width is ignored.
    let query = QueryVectors { question: &[1.0], sentences: &sentences, answered_cosine: 0.48 };
    assert!(
        digesting::ask(&mill, "When was the mill built?", Some(query), 3)[0].passage.text.contains("1702")
    );
}

/// A tokenizer that knows a language keeps its words whole.
#[test]
fn a_model_that_does_not_know_the_language_is_noticed() {
    let mill = digest(&page("Corran", &MILL));
    let whole = |text: &str| text.split_whitespace().count() + text.matches(['.', ',']).count();
    assert!(mill.is_readable_by(whole));
    assert!(!mill.is_readable_by(|text| text.chars().count() / 2));
    let chinese = digest(&page(
        "",
        &[
            "这座粮仓建于1921年，由当地商人集资修建，最多时储存过五千吨稻米。",
            "孩子们可以用它把归还的图书送到一楼。",
        ],
    ));
    assert!(chinese.is_readable_by(|text| text.chars().count() * 2 / 3));
    // An English model takes each character for a token of its own.
    assert!(!chinese.is_readable_by(|text| text.chars().count()));
    // One that does not have the letters takes all between two spaces for one unknown token.
    let thai =
        digest(&page("", &["โรงสีแห่งนี้สร้างขึ้นริมแม่น้ำเมื่อสองร้อยปีก่อน ปัจจุบันยังคงใช้งานอยู่และเปิดให้นักท่องเที่ยวเข้าชมทุกวัน"]));
    assert!(!thai.is_readable_by(|text| text.split(' ').count()));
    assert!(!thai.is_spelled_by(|text| text.split(' ').count()));
    // A vocabulary of many languages may need several tokens for a word.
    assert!(
        mill.is_spelled_by(|text| text.chars().count() / 2)
            && chinese.is_spelled_by(|text| text.chars().count())
    );
    // English is allowed more tokens for a word than French: it may be full of commands.
    let french = digest(&page(
        "",
        &[
            "Le moulin est au bord de la rivière et il est en service. Il moud la farine pour les gens du village.",
        ],
    ));
    for (text, expected) in [(&mill, true), (&french, false)] {
        assert_eq!(text.is_readable_by(|text| text.split_whitespace().count() * 17 / 10), expected);
    }
}

#[test]
fn general_questions_get_the_key_sentences() {
    let mill = digest(&page("Corran", &MILL));
    let hits = digesting::ask(&mill, "What is this page about?", None, 2);
    assert_eq!(hits.len(), 2);
    assert!(hits.iter().all(|hit| hit.score >= ANSWERED_MIN));
    assert_eq!(digesting::answer(&mill, "", None, 3).verdict, Verdict::TooVague);
    assert!(digesting::ask(&mill, "Who built it?", None, 0).is_empty());
}

#[test]
fn passages_join_neighbours_and_never_leave_their_block() {
    let mill = digest(&page("Corran", &MILL));
    let hits = digesting::ask(&mill, "How large is the wheel of the mill at Corran?", None, 5);
    assert!(hits[0].passage.text.contains("nine metres"), "{hits:#?}");
    for hit in &hits {
        let (first, last) = hit.passage.sentences;
        assert!(mill.sentences()[first..=last].iter().all(|sentence| sentence.block == hit.passage.block));
    }
    let mut taken: Vec<(usize, usize)> = hits.iter().map(|hit| hit.passage.sentences).collect();
    taken.sort_unstable();
    assert!(taken.windows(2).all(|pair| pair[0].1 < pair[1].0), "{taken:?}");
}

/// Headings, code and tables give context or nothing, but never a line.
#[test]
fn only_prose_is_ranked_and_headings_help_questions() {
    let mut guide = page("Guide", &[]);
    for (heading, text) in [
        ("Installing", "Run the setup command and wait until it prints a green line."),
        ("Removing", "Run the setup command with the minus sign and wait for the same line."),
    ] {
        guide.blocks.push(block(BlockKind::Heading, heading));
        guide.blocks.push(block(
            BlockKind::Code,
            "setup --now # the setup command installs and removes everything on this machine",
        ));
        guide.blocks.push(block(BlockKind::Paragraph, text));
    }
    let guide = digest(&guide);
    assert_eq!(guide.sentences().len(), 2);
    let hits = digesting::ask(&guide, "How do I remove it?", None, 1);
    assert!(hits[0].passage.text.contains("minus sign"), "{hits:#?}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn text(&mut self) -> String {
        let length = self.below(400);
        let mut text = String::new();
        for _ in 0..length {
            match self.below(10) {
                0 => text.extend(char::from_u32(self.below(0x11_0000) as u32)),
                1 => text.push_str([". ", "。", "? ", "! ", "…", "\n", " ", "[1]"][self.below(8)]),
                2 => text.push_str(
                    ["😀", "👩‍🚀", "𝔘𝔫", "नमस्ते", "ไทยแลนด์", "漢字", "كتاب", "\u{200B}"][self.below(8)],
                ),
                _ => text.push_str(
                    ["the ", "mill ", "river ", "Dr. ", "5.5 ", "wheel ", "turns ", "of "][self.below(8)],
                ),
            }
        }
        text
    }
}

#[test]
fn any_page_keeps_its_positions_and_order_and_gives_the_same_twice() {
    const KINDS: [BlockKind; 5] =
        [BlockKind::Paragraph, BlockKind::ListItem, BlockKind::Quote, BlockKind::Heading, BlockKind::Code];
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mut digested = 0;
    for round in 0..400 {
        let page = Page {
            title: random.text().chars().take(40).collect(),
            description: (round % 3 == 0).then(|| random.text()),
            language: [None, Some("de".into()), Some("x-\u{1F600}-y".into())][round % 3].clone(),
            blocks: (0..random.below(8)).map(|_| block(KINDS[random.below(5)], &random.text())).collect(),
            ..Page::default()
        };
        let limits = Limits { sentences_max: 1 + random.below(40), ..Limits::default() };
        let (Ok(one), Ok(two)) = (digesting::digest(&page, &limits), digesting::digest(&page, &limits))
        else {
            continue;
        };
        digested += 1;
        assert!(one.sentences().len() <= limits.sentences_max);
        for sentence in one.sentences() {
            let text = &page.blocks[sentence.block].text;
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(&text[sentence.start_bytes..sentence.end_bytes], sentence.text);
            assert_eq!(
                String::from_utf16(&units[sentence.start_utf16..sentence.end_utf16]).unwrap(),
                sentence.text
            );
        }
        let summary = one.summarize(&SummaryOptions { length: SummaryLength::Long });
        assert_eq!(summary, two.summarize(&SummaryOptions { length: SummaryLength::Long }));
        for line in &summary.lines {
            assert!((0.0..=1.0).contains(&line.score) && line.sentence < one.sentences().len());
            for part in one.line_parts(line) {
                let units: Vec<u16> = page.blocks[part.block].text.encode_utf16().collect();
                assert_eq!(String::from_utf16(&units[part.start_utf16..part.end_utf16]).unwrap(), part.text);
            }
        }
        let question: String = random.text().chars().take(1_000).collect();
        let hits = digesting::ask(&one, &question, None, 4);
        assert_eq!(hits, digesting::ask(&two, &question, None, 4));
        for hit in &hits {
            let text = &page.blocks[hit.passage.block].text;
            assert_eq!(&text[hit.passage.start_bytes..hit.passage.end_bytes], hit.passage.text);
            assert!((0.0..=1.0).contains(&hit.score));
        }
        let [worth, again] = [&one, &two].map(|digest| {
            let asked = block_on(digest.question(&question, &async || true)).unwrap();
            digest.worth_embedding_for(&asked, &Vectors::default(), 5)
        });
        assert!(worth.len() <= 5 && worth.windows(2).all(|pair| pair[0] < pair[1]) && worth == again);
    }
    assert!(digested > 200, "{digested}");
}

#[test]
fn encoders_get_the_marks_that_they_were_trained_with() {
    for (model, question, passage) in [
        ("Multilingual E5 Small", "query: ", "passage: "),
        ("e5-base-v2", "query: ", "passage: "),
        ("embeddinggemma-300M", "task: search result | query: ", "title: none | text: "),
        ("nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("Snowflake Arctic Embed L v2.0", "query: ", ""),
        ("all-MiniLM-L6-v2", "", ""),
        // The letters stand in it, but not as a word.
        ("Granite5 Embedding", "", ""),
        ("", "", ""),
    ] {
        let found = prefixes(model);
        assert_eq!((found.question, found.passage), (question, passage), "{model}");
    }
    assert!(prefixes("Qwen3 Embedding 0.6B").question.ends_with("\nQuery:"));
    assert!(prefixes("snowflake-arctic-embed-m-v1.5").question.starts_with("Represent"));
}
