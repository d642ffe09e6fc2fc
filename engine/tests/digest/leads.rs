//! Which sentence leads an answer: replies, questions of the page, kinds of answers, several pages; and how many texts are embedded for it.

use crate::answers::{K1, digest, paragraphs, row};
use crate::digesting;
use pith_engine::digest::{
    Block, BlockKind, Limits, Page, QUESTION_BLOCKS_MAX, QUESTION_SENTENCES_MAX, QueryVectors, Vectors,
    Verdict,
};
use pollster::block_on;

#[test]
fn what_a_reply_contradicts_is_not_the_answer() {
    let mut blocks = paragraphs(&K1);
    blocks.push(Block::new(BlockKind::Heading, "2 Answers"));
    blocks.extend(paragraphs(&[
        "Each part of the pipe has its own counter, which is thrown away in the end.",
        "Export the counter before the loop and it will work.",
        "answered by guest9",
        "No, it does not: a part cannot change what its parent has.",
        "Put the timer in front of the window.",
        "No lid is needed for that.",
    ]));
    let page = digest(blocks);
    let hits = digesting::ask(&page, "Does it work to export the counter before the loop?", None, 3);
    assert!(hits[0].passage.text.starts_with("No, it does not"), "{hits:#?}");
    let hits = digesting::ask(&page, "Where do I put the timer?", None, 3);
    assert!(hits[0].passage.text.starts_with("Put the timer"), "{hits:#?}");
}

#[test]
fn announcements_answer_nothing() {
    let mut blocks = paragraphs(&K1);
    blocks.extend(paragraphs(&[
        "First, let’s take a look at the ownership rules.",
        "Each value has an owner, and the ownership rules allow only one of them at a time.",
    ]));
    let hits = digesting::ask(&digest(blocks), "What are the ownership rules?", None, 3);
    assert!(hits[0].passage.text.starts_with("Each value"), "{hits:#?}");
    assert!(hits.iter().all(|hit| !hit.passage.text.starts_with("First")), "{hits:#?}");
}

/// Of two posts that say much the same, the accepted one leads, and one with votes against it does not.
#[test]
fn votes_and_acceptance_count() {
    let post = |text: &str, votes: i32, accepted: bool| Block {
        votes: Some(votes),
        accepted,
        ..Block::new(BlockKind::Paragraph, text)
    };
    let texts = [
        "Export the counter and the loop will work.",
        "Redirect the file and the loop will work.",
        "Use a pipe and the loop works.",
    ];
    for accepted in [1, 2] {
        let mut blocks = paragraphs(&K1);
        blocks.push(post(texts[0], -3, false));
        blocks.push(post(texts[1], 5, accepted == 1));
        blocks.push(post(texts[2], 4, accepted == 2));
        let hits = digesting::ask(&digest(blocks), "How does the loop work?", None, 3);
        assert_eq!(hits[0].passage.text, texts[accepted], "{hits:#?}");
        assert!(hits.iter().all(|hit| hit.passage.text != texts[0]), "{hits:#?}");
    }
}

/// A question of the page answers nothing: what stands behind it does.
#[test]
fn questions_of_the_page_lead_to_their_answers() {
    let mut blocks = paragraphs(&K1);
    blocks.extend(paragraphs(&[
        "Q: Can I take the kettle on a plane?",
        "A: Only when its base is empty and wrapped.",
        "Q: Is the lid washable?",
        "A: By hand, without soap.",
    ]));
    let page = digest(blocks);
    for (question, text) in
        [("Can I take the kettle on a plane?", "A: Only when"), ("Is the lid washable?", "A: By hand")]
    {
        let hits = digesting::ask(&page, question, None, 3);
        assert!(hits[0].passage.text.starts_with(text), "{question}: {hits:#?}");
        assert!(hits.iter().all(|hit| !hit.passage.text.ends_with('?')), "{question}: {hits:#?}");
    }
}

/// The neighbours have the words of the question, and one sentence the time that it asks for.
#[test]
fn the_kind_of_answer_decides_between_neighbours() {
    let mut blocks = paragraphs(&K1);
    blocks.extend(paragraphs(&[
        "Heat the oven to 200 °C before the bread goes into the oven.",
        "Put the bread in the oven for 45 minutes.",
        "Take the bread out of the oven.",
    ]));
    let page = digest(blocks);
    for (question, part, verdict) in [
        ("How long is the bread in the oven?", "45 minutes", Verdict::Answered),
        ("How much does the oven cost?", "", Verdict::NotOnPage),
        ("How heavy is the kettle?", "", Verdict::NotOnPage),
    ] {
        let answer = digesting::answer(&page, question, None, 3);
        assert_eq!(answer.verdict, verdict, "{question}: {answer:#?}");
        assert!(answer.hits[0].passage.text.contains(part), "{question}: {answer:#?}");
    }
}

/// Two pages that are read as one answer what each of them answers, also where one is much longer.
#[test]
fn two_pages_answer_no_worse_than_one() {
    let mut kettle = paragraphs(&K1);
    kettle.push(row("Weight\t1.5 kg", &[]));
    kettle.push(row("Price\t129 euros", &[]));
    let other = |n: usize| {
        format!("The clerk of room {n} weighs letters and writes down what each of them costs in {n} years.")
    };
    let mut console: Vec<Block> = (0..120).map(|n| Block::new(BlockKind::Paragraph, other(n))).collect();
    console
        .push(Block::new(BlockKind::Paragraph, "The console is heavy at 8.4 pounds, more than any other."));
    let both = |first: &[Block], second: &[Block]| {
        let blocks = [first, second].concat();
        let starts = vec![first.len()];
        let page = Page {
            title: "Two pages".into(),
            language: Some("en".into()),
            blocks,
            starts,
            ..Page::default()
        };
        digesting::digest(&page, &Limits::default()).unwrap()
    };
    for (question, parts) in
        [("How heavy is it?", &["1.5 kg", "8.4 pounds"][..]), ("How much does it cost?", &["129 euros"])]
    {
        assert!(
            digesting::answer(&digest(kettle.clone()), question, None, 5).verdict.is_answer(),
            "{question}"
        );
        for page in [both(&kettle, &console), both(&console, &kettle)] {
            let answer = digesting::answer(&page, question, None, 5);
            assert_eq!(answer.verdict, Verdict::Answered, "{question}: {answer:#?}");
            for part in parts {
                assert!(
                    answer.hits.iter().any(|hit| hit.passage.text.replace('\t', " ").contains(part)),
                    "{part}: {answer:#?}"
                );
            }
        }
    }
}

/// Texts that an encoder is given for a question on a long page: many for the first, few for another, none for the same one.
#[test]
fn vectors_of_a_page_are_made_once() {
    let text = |n: usize| format!("The clerk of room {n} likes the roads and trees of valley {}.", n % 37);
    let texts: Vec<String> = (0..600).map(text).collect();
    let page = digest(paragraphs(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
    let mut vectors = Vectors::default();
    let mut encoded = |question: &str| {
        let vector =
            |text: &str| vec![1.0, text.len() as f32 / 100.0, text.bytes().map(f32::from).sum::<f32>() / 1e4];
        let asked = block_on(page.question(question, &async || true)).unwrap();
        let worth = page.worth_embedding_for(&asked, &vectors, QUESTION_SENTENCES_MAX);
        for &at in &worth {
            vectors.insert(at, vector(page.sentences()[at].meaning())).unwrap();
        }
        let given = QueryVectors { question: &vector(question), sentences: &vectors, answered_cosine: 0.5 };
        let blocks = page.blocks_worth_embedding_for(&asked, given, QUESTION_BLOCKS_MAX, &async || true);
        let blocks = block_on(blocks).unwrap();
        for &block in &blocks {
            vectors.insert_block(block, vector(&page.block_text(block))).unwrap();
        }
        worth.len() + blocks.len()
    };
    let first = encoded("Who likes the roads of valley 12?");
    assert!(first > 100 && first <= QUESTION_SENTENCES_MAX + QUESTION_BLOCKS_MAX, "{first}");
    assert_eq!(encoded("Who likes the roads of valley 12?"), 0);
    let later = encoded("Which clerk of room 31 likes trees?");
    assert!(later > 0 && later <= (QUESTION_SENTENCES_MAX + QUESTION_BLOCKS_MAX) / 4, "{later}");
    assert_eq!(encoded("Which clerk of room 31 likes trees?"), 0);
}

/// "How do I merge two series?" is answered by the section "Merging series": by its first sentence, below its heading.
#[test]
fn a_heading_answers_with_the_beginning_of_its_section() {
    let mut blocks = paragraphs(&K1);
    blocks.push(Block::new(BlockKind::Heading, "Merging two series"));
    blocks.extend(paragraphs(&[
        "The function bind puts them beside each other. Gaps are filled.",
        "It is slow on long ones.",
    ]));
    blocks.push(Block::new(BlockKind::Heading, "Plotting"));
    blocks.extend(paragraphs(&["Two lines of the lamp are drawn above each other by the function lay."]));
    let hits = digesting::ask(&digest(blocks), "How do I merge series?", None, 3);
    let best = &hits[0].passage;
    assert!(best.text.starts_with("The function bind"), "{hits:#?}");
    assert_eq!(best.heading.as_deref(), Some("Merging two series"));
    assert!(
        hits[1..].iter().all(|hit| hit.passage.heading.is_none() || hit.passage.text.starts_with("It is"))
    );
}
