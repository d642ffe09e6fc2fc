//! Which passages answer a question, rows of tables among them, and what is said where none does.

use crate::digesting;
use pith_engine::digest::{
    ANSWERED_MIN, Block, BlockKind, Digest, Limits, Line, Page, QueryVectors, SummaryLength, SummaryOptions,
    Vectors, Verdict, answered_cosine,
};
use pollster::block_on;

pub const K1: [&str; 4] = [
    "The K1 boils a litre of water in three minutes and switches itself off when the water boils.",
    "Its lid opens with one hand, and the jug stands on a base that turns in both directions.",
    "Limescale makes every kettle slower, so that the maker recommends citric acid once a month.",
    "Spare lids are sold for as long as the kettle is made and for seven years after that.",
];

pub fn paragraphs(texts: &[&str]) -> Vec<Block> {
    texts.iter().map(|text| Block::new(BlockKind::Paragraph, *text)).collect()
}

pub fn row(text: &str, headers: &[&str]) -> Block {
    let headers = headers.iter().map(|header| (*header).into()).collect();
    Block { headers, ..Block::new(BlockKind::Table, text) }
}

pub fn digest(blocks: Vec<Block>) -> Digest {
    let page = Page { title: "The K1 kettle".into(), language: Some("en".into()), blocks, ..Page::default() };
    digesting::digest(&page, &Limits::default()).unwrap()
}

/// On a long page many sentences stand more than four deviations out; the one with all words is the best all the same.
#[test]
fn the_best_sentence_wins_wherever_it_stands() {
    let other = |n: usize| format!("The clerk number {n} wrote about trees, roads and weather on day {n}.");
    let mut texts: Vec<String> = (0..400).map(other).collect();
    texts[10] = "The harbour was painted by a clerk who liked roads and weather.".into();
    texts[390] = "The harbour lamp was repaired by the blacksmith Olsen.".into();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let hits =
        digesting::ask(&digest(paragraphs(&texts)), "Which blacksmith repaired the harbour lamp?", None, 5);
    assert!(hits[0].passage.text.contains("Olsen"), "{hits:#?}");
    // What ranks far behind the first passage is left out.
    assert_eq!(hits.len(), 1, "{hits:#?}");
}

#[test]
fn a_row_of_a_table_answers_with_its_headers() {
    let mut blocks = paragraphs(&K1);
    blocks.push(Block::new(BlockKind::Heading, "Technical data"));
    blocks.push(row("Noise\t45 dB\t52 dB", &["Property", "K1", "K2"]));
    blocks.push(row("Warranty\t2 years\t3 years", &["Property", "K1", "K2"]));
    // Without headers, and as single cells.
    blocks.push(row("Cord\t75 cm", &[]));
    blocks.push(row("900 g", &[]));
    blocks.push(row("", &["Property"]));
    let kettle = digest(blocks.clone());
    for (question, text, headers) in [
        ("What is the warranty of the K2?", "Warranty\t2 years\t3 years", &["Property", "K1", "K2"][..]),
        ("How much noise does it make?", "Noise\t45 dB\t52 dB", &["Property", "K1", "K2"]),
        ("How long is the cord?", "Cord\t75 cm", &[]),
    ] {
        let hit = &digesting::ask(&kettle, question, None, 3)[0];
        assert_eq!(hit.passage.text, text, "{question}");
        assert_eq!(hit.passage.headers, headers, "{question}");
        let whole = &blocks[hit.passage.block].text;
        assert_eq!(&whole[hit.passage.start_bytes..hit.passage.end_bytes], text);
    }
    let row = kettle.sentences().iter().find(|sentence| sentence.text.starts_with("Noise")).unwrap();
    assert_eq!(row.meaning(), "Property: Noise; K1: 45 dB; K2: 52 dB");
    assert!(kettle.sentences().iter().all(|sentence| sentence.text != "900 g"));
    for length in [SummaryLength::Short, SummaryLength::Long] {
        let lines = kettle.summarize(&SummaryOptions { length }).lines;
        // A row is no line of its own.
        let is_row = |line: &Line| line.pieces.is_empty() && kettle.sentences()[line.sentence].row.is_some();
        assert!(!lines.iter().any(is_row), "{lines:?}");
    }
    assert!(kettle.numbered_passages().iter().any(|entry| entry.passage.text.contains('\t')));
}

/// Four people of a thread; two of them write of the same thing.
#[test]
fn a_row_without_the_cell_that_is_asked_for_answers_nothing() {
    let mut blocks = paragraphs(&[
        "The harbour at Tallow Point was dug by hand between two winters, with stone from the valley.",
        "Its keeper has written down the height of the tide every morning since she came here.",
    ]);
    let headers = ["", "2023", "2024"];
    for text in ["Boats\t\t1,204", "Days of storm\t31", "Catch\t950 t\t987 t"] {
        blocks.push(row(text, &headers));
    }
    let harbour = digest(blocks);
    for (question, verdict) in [
        ("How many boats were there in 2023?", Verdict::NotOnPage),
        ("How many boats were there in 2024?", Verdict::Answered),
        ("How many days of storm were there in 2023?", Verdict::Answered),
    ] {
        let answer = digesting::answer(&harbour, question, None, 2);
        assert_eq!(answer.verdict, verdict, "{question}");
        if verdict == Verdict::NotOnPage {
            assert!(answer.hits.iter().all(|hit| hit.score < ANSWERED_MIN), "{question}");
        }
    }
}

#[test]
fn a_question_finds_what_somebody_says() {
    let said = |name: &str, text: &str| Block {
        speaker: Some(name.into()),
        ..Block::new(BlockKind::Paragraph, text)
    };
    let thread = digest(vec![
        said("Mina Okafor", "The kettle is loud, but it boils a litre of water in no time at all."),
        said("Jonas", "Mine leaks at the lid, and the shop says that this is how it should be."),
        said("Jonas", "I would not buy the kettle again, whatever the price may be this year."),
        said("petra_k", "petra_k: the kettle is fine once you descale it every month or so."),
        Block::new(
            BlockKind::Paragraph,
            "Four people have written in this thread about the same kettle so far.",
        ),
    ]);
    for (question, name, text) in [
        ("What does Mina Okafor say about the kettle?", Some("Mina Okafor"), "The kettle is loud"),
        ("What does Jonas think of the kettle?", Some("Jonas"), "I would not buy"),
        // The text begins with the name.
        ("What does petra_k say about the kettle?", None, "petra_k: the kettle"),
    ] {
        let hits = digesting::ask(&thread, question, None, 3);
        let best = &hits[0].passage;
        assert!(best.text.starts_with(text), "{question}: {hits:#?}");
        assert_eq!(best.speaker.as_deref(), name, "{question}");
    }
    let context = thread.prompt_context("0123456789abcdef").unwrap();
    let prompt = &context.answer("Who?", &[], &thread.numbered_passages())[1].content;
    assert!(prompt.contains("] Mina Okafor: The kettle is loud"), "{prompt}");
    assert!(prompt.contains("] petra_k: the kettle") && !prompt.contains("petra_k: petra_k"), "{prompt}");
    // A line may name who says what it says, and nobody else.
    let supported = |line: &str| block_on(thread.attribute(line, &async || true)).unwrap().is_supported();
    assert!(supported("Jonas would not buy the kettle again, whatever the price may be this year."));
    assert!(!supported("Mina Okafor would not buy the kettle again, whatever the price may be this year."));
    assert!(!supported("petra_k would not buy the kettle again, whatever the price may be this year."));
    assert!(!supported("Gerald would not buy the kettle again, whatever the price may be this year."));
}

#[test]
fn rows_are_bounded() {
    let mut blocks = paragraphs(&K1);
    let headers = vec!["h".repeat(10_000); 1_000];
    blocks.push(Block { headers, ..Block::new(BlockKind::Table, "cell\t".repeat(10_000)) });
    let kettle = digest(blocks);
    let row = kettle.sentences().iter().find(|sentence| sentence.row.is_some()).unwrap();
    assert!(row.text.chars().count() <= Limits::default().sentence_chars_max);
    assert!(row.meaning().len() < 64 * 130, "{}", row.meaning().len());
    let kept = kettle.headers(row.block);
    assert!(kept.len() <= 64 && kept.iter().all(|header| header.len() <= 120));
}

#[test]
fn questions_without_content_get_an_answer_of_their_own() {
    let mut texts = K1.to_vec();
    texts.push("It was first sold on 3 May 2019 for 39 euros in all shops of the maker.");
    let kettle = digest(paragraphs(&texts));
    for (question, verdict, part) in [
        ("tl;dr", Verdict::KeySentences, "boils a litre"),
        ("Summarize this page", Verdict::KeySentences, "boils a litre"),
        ("list all dates", Verdict::Listed, "3 May 2019"),
        ("What prices are mentioned?", Verdict::Listed, "39 euros"),
        ("Who painted the ceiling of the chapel?", Verdict::NotOnPage, ""),
    ] {
        let answer = digesting::answer(&kettle, question, None, 5);
        assert_eq!(answer.verdict, verdict, "{question}");
        assert!(answer.hits.is_empty() == part.is_empty(), "{question}: {:#?}", answer.hits);
        assert!(
            part.is_empty() || answer.hits.iter().any(|hit| hit.passage.text.contains(part)),
            "{question}"
        );
    }
    let plain = digest(paragraphs(&K1));
    for (question, verdict) in [("list all dates", Verdict::NothingToList), ("Why?", Verdict::TooVague)] {
        let answer = digesting::answer(&plain, question, None, 5);
        assert_eq!((answer.verdict, answer.hits.len()), (verdict, 0), "{question}");
    }
}

#[test]
fn code_belongs_to_the_sentence_that_announces_it() {
    let mut blocks = paragraphs(&K1);
    blocks.extend(paragraphs(&["The timer is set from a computer. To set it, type:"]));
    blocks.push(Block::new(BlockKind::Code, "kettle --wake 07:30"));
    blocks.extend(paragraphs(&["The maker thanks the people of Corran."]));
    blocks.push(Block::new(BlockKind::Code, "kettle --wake never"));
    let kettle = digest(blocks);
    let hits = digesting::ask(&kettle, "How is the timer set from a computer?", None, 1);
    assert_eq!((hits[0].passage.block, hits[0].passage.code), (4, Some(5)), "{hits:#?}");
    assert!(hits[0].passage.text.ends_with("To set it, type:"), "{hits:#?}");
}

/// The term of a definition, an option of a command: what is below is about it.
#[test]
fn a_label_counts_for_the_block_below_it() {
    let mut blocks = paragraphs(&K1);
    blocks.extend(paragraphs(&[
        "-q, --quiet",
        "The clerk says nothing of what he does.",
        "The clerk writes down what he does.",
    ]));
    let hits = digesting::ask(&digest(blocks), "What does the clerk do with quiet?", None, 1);
    assert!(hits[0].passage.text.contains("says nothing"), "{hits:#?}");
}

/// Among many sentences one is close to any question.
#[test]
fn a_long_page_must_be_closer_to_answer() {
    let verdict = |sentences: usize| {
        let texts: Vec<String> =
            (0..sentences).map(|n| format!("The clerk of room {n} likes roads and trees.")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let page = digest(paragraphs(&texts));
        let sentences = Vectors::new(&[3], vec![vec![0.6, 0.8]]).unwrap();
        let given = QueryVectors { question: &[1.0, 0.0], sentences: &sentences, answered_cosine: 0.51 };
        digesting::answer(&page, "Is it any good?", Some(given), 3).verdict
    };
    assert_eq!((verdict(20), verdict(300)), (Verdict::Answered, Verdict::NotOnPage));
}

/// A page about millers has their word all over; "house" and "painted" are anybody's.
#[test]
fn a_word_that_the_page_is_full_of_counts_for_more() {
    let mut texts: Vec<String> =
        (0..30).map(|n| format!("The miller of valley {n} grinds barley at dawn.")).collect();
    texts.push("One house was painted in the color of the old ferry.".into());
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let page = digest(paragraphs(&texts));
    for (question, expected) in [
        ("What does the miller of the valley grind?", Verdict::Answered),
        ("Which house has steep stairs and ladders?", Verdict::NotOnPage),
    ] {
        assert_eq!(digesting::answer(&page, question, None, 3).verdict, expected, "{question}");
    }
}

#[test]
fn a_fragment_of_three_words_is_no_passage() {
    let mut blocks = paragraphs(&K1);
    blocks.push(Block::new(BlockKind::ListItem, "Lids and bases"));
    blocks.push(Block::new(BlockKind::ListItem, "Lids: 4 euros"));
    let hits = digesting::ask(&digest(blocks), "lids and bases in euros", None, 5);
    assert!(hits.iter().any(|hit| hit.passage.text == "Lids: 4 euros"), "{hits:#?}");
    assert!(hits.iter().all(|hit| hit.passage.text != "Lids and bases"), "{hits:#?}");
}

/// Where all sentences are about as close to a question, the page is about it: its mean is not taken off.
#[test]
fn a_page_that_is_close_all_over_answers() {
    let kettle = digest(paragraphs(&K1));
    let all: Vec<usize> = (0..kettle.sentences().len()).collect();
    let at = |cosine: f32| vec![cosine, (1.0 - cosine * cosine).sqrt()];
    let ask = |cosine: f32| {
        let sentences = Vectors::new(&all, all.iter().map(|_| at(cosine)).collect()).unwrap();
        let given = QueryVectors {
            question: &[1.0, 0.0],
            sentences: &sentences,
            answered_cosine: answered_cosine("all-MiniLM-L6-v2"),
        };
        digesting::answer(&kettle, "Is it any good in daily life?", Some(given), 3).verdict
    };
    assert_eq!(ask(0.6), Verdict::Answered);
    assert_eq!(ask(0.3), Verdict::NotOnPage);
}

#[test]
fn whole_blocks_move_the_ranking_and_are_given_with_their_heading() {
    let texts = [
        "The lamp blinks twice. Press the lever for ten seconds and wait until the light is green again.",
        "The lamp blinks twice. The maker painted the lever in the color of the old ferry.",
    ];
    let mut blocks = paragraphs(&K1);
    blocks.push(Block::new(BlockKind::Heading, "  If the kettle\nfails "));
    blocks.extend(paragraphs(&texts));
    let kettle = digest(blocks);
    let all: Vec<usize> = (0..kettle.sentences().len()).collect();
    let rows = || {
        all.iter().map(|&at| {
            if kettle.sentences()[at].text.contains("blinks") { vec![1.0, 0.5] } else { vec![0.1, 1.0] }
        })
    };
    let mut sentences = Vectors::new(&all, rows().collect()).unwrap();
    let asked = block_on(kettle.question("What now?? It glows oddly", &async || true)).unwrap();
    const QUESTION: [f32; 2] = [1.0, 0.0];
    fn given(sentences: &Vectors) -> QueryVectors<'_> {
        QueryVectors { question: &QUESTION, sentences, answered_cosine: 0.43 }
    }
    let worth =
        block_on(kettle.blocks_worth_embedding_for(&asked, given(&sentences), 3, &async || true)).unwrap();
    assert!(worth.len() == 3 && worth.contains(&5) && worth.contains(&6), "{worth:?}");
    assert_eq!(kettle.block_text(5), format!("If the kettle fails. {}", texts[0]));
    assert_eq!(kettle.block_text(0), format!("The K1 kettle. {}", K1[0]));
    assert_eq!(kettle.block_text(99), "");
    for (good, bad) in [(5, 6), (6, 5)] {
        sentences.insert_block(good, vec![1.0, 0.1]).unwrap();
        sentences.insert_block(bad, vec![0.0, 1.0]).unwrap();
        let answer =
            block_on(kettle.rank_question(&asked, Some(given(&sentences)), 3, &async || true)).unwrap();
        assert_eq!(answer.hits[0].passage.block, good);
    }
}
