//! Lines hold what their page has to say: whole sentences, members that matter, introductions, lists, and nothing that only announces.

use crate::blocks::{has, heading, item, lines, paragraph, read};
use pith_engine::digest::{Block, BlockKind, Page};

/// Sentences of a page that is about a mill, to which others are added.
fn mill() -> Vec<Block> {
    [
        "The mill at Corran grinds flour for three villages on the river, and its wheel is nine metres across.",
        "A flood destroyed the first wheel of the mill in 1744, and the miller rebuilt it from oak of his own forest.",
        "Visitors of the mill may watch the stones turn on every Sunday between April and October.",
        "The society of the mill was founded in 1968 by a teacher who wanted to save it from becoming a garage.",
        "Flour from the mill is sold in the old stable, with bread that a baker from the village makes of it.",
        "A turbine in the race of the mill has given light to the yard and the stable since the winter of 1926.",
        "The stones of the mill came by boat from a quarry forty kilometres up the river, two at a time.",
    ]
    .map(paragraph)
    .to_vec()
}

#[test]
fn a_line_has_thirty_words_where_it_has_clauses_and_sixty_at_most() {
    let clauses = "The cranes of the mill harbor at Corran turned again on Tuesday morning, watched by a crowd on the quay, after a strike of nineteen days \
                   that ended at dawn with wages fourteen percent higher for all who work there.";
    let none = format!(
        "The mill of Corran {}and the river",
        "has wheels of oak near stones of the mill ".repeat(12)
    );
    for (text, words_max) in [(clauses, 31), (&none, 61)] {
        let mut blocks = vec![paragraph(text)];
        blocks.extend(mill());
        let (_, found) = lines("The mill harbor of Corran", blocks);
        assert!(found.iter().all(|line| line.split_whitespace().count() <= words_max), "{found:#?}");
    }
}

#[test]
fn what_only_shows_announces_or_names_is_no_line() {
    let poor = [
        "The wheel of the mill in figure 4 has 36 blades of oak, which is what a mill of 1744 on the river needs.",
        "The mill of 1744 is built so: fn main() { let mill = wheel(36); mill.turn(9); } and the river turns it.",
        "In 1744 the mill of the river looked like this: stones----wheel----river of the mill, 36 blades of oak.",
        "To count the 36 blades of the mill in 1744, ask the river: $ blades --mill corran --river --oak",
        "Imagine the mill of 1744 with its wheel of 36 blades in the river, and the flour of three villages.",
        "BACK TO BASICS The wheel of the mill, a second name for the river",
    ];
    for text in poor {
        let mut blocks = mill();
        blocks.insert(1, paragraph(text));
        let (_, found) = lines("The mill of 1744 on the river", blocks);
        assert!(!has(&found, &text[..40]), "{text}: {found:#?}");
    }
    // In brackets the number is only a source, and a formula may stand before a comma.
    for text in [
        "The wheel of the mill has had 36 blades of oak since 1744 (figure 4), more than any mill on the river.",
        "The mill grinds f (n) , begun in 1744 with 36 sacks, for three villages on the river and in the forest.",
    ] {
        let mut blocks = mill();
        blocks.insert(1, paragraph(text));
        let (_, found) = lines("The mill of 1744 on the river", blocks);
        assert!(has(&found, "36"), "{text}: {found:#?}");
    }
}

#[test]
fn members_that_the_page_itself_uses_come_first_by_their_names() {
    let mut blocks = vec![
        heading("Struct Shelf", 1),
        paragraph("A growable row of books, kept in the order in which they were put there."),
        Block::new(BlockKind::Code, "let shelf = Shelf::new(); shelf.push(book); shelf.pop();"),
    ];
    for text in
        ["Books may be read from a shelf.", "To drain it takes time.", "Readers read, and read from it."]
    {
        blocks.push(paragraph(text));
    }
    for (name, given, gloss) in [
        (
            "pub fn read(&self, at: usize) -> Book",
            "at <usize> The place on the shelf",
            "Gives the book at a place.",
        ),
        (
            "pub fn drain(&mut self, range: Range)",
            "range <Range> Which books",
            "Takes some books away at once.",
        ),
        ("pub fn from(books: Row) -> Self", "books <Row> What to begin with", "Makes a shelf of a row."),
        ("pub fn push(&mut self, book: Book)", "book <Book> The book to be added", "Puts a book at the end."),
        (
            "pub fn pop(&mut self) -> Option<Book>",
            "Returns: <Book> if there is one",
            "Takes the last book away.",
        ),
        (
            "pub const fn new() -> Self",
            "Returns: <Shelf> without any books",
            "Makes an empty shelf of books.",
        ),
    ] {
        blocks.extend([heading(name, 3), item(given), paragraph(gloss)]);
    }
    let (kind, found) = lines("Shelf in library - Reference", blocks);
    assert_eq!(kind, "api-reference");
    assert!(
        found[0].contains("A growable row of books, kept in the order in which they were put there"),
        "{found:#?}"
    );
    assert!(found[1].contains("push: Puts a book at the end; pop: Takes the last book away"), "{found:#?}");
    assert!(found[1].contains("new: Makes an empty shelf"), "{found:#?}");
}

#[test]
fn a_long_introduction_sums_up_an_article() {
    let mut blocks = vec![
        heading("Corran", 1),
        Block::new(BlockKind::Table, "Area\t268 km²"),
        paragraph(
            "Corran is an island state in the western sea. Its two main islands and some sixty smaller ones cover 268 square kilometres. \
             Fishing boats from the mainland settled the islands between 1250 and 1300. The islands joined the league of the sea in 1840.",
        ),
        paragraph(
            "The capital of Corran is Wick, and its largest town is Aune. Corran is a republic, whose council has 21 members. \
             Most of its 49,000 people live from tourism and wool. Corran has two official languages, and one third of the people speak both of them.",
        ),
    ];
    for part in ["History", "Geography", "Etymology", "Demographics"] {
        blocks.push(heading(part, 2));
        blocks.push(paragraph(format!(
            "Since 1907 the {part} society of Corran has met 71 times, in Corran and in Corran's harbor (which has seven piers), for Corran and its islands."
        )));
    }
    blocks.extend([
        heading("See also", 2),
        item("Islands of the sea"),
        heading("References", 2),
        item("Wick 1911"),
    ]);
    let (kind, found) = lines("Corran", blocks);
    assert_eq!(kind, "encyclopedia");
    assert!(!has(&found, "society"), "{found:#?}");
}

#[test]
fn an_answer_that_is_a_list_is_told_by_its_items() {
    let mut blocks = vec![
        heading("Frequently asked questions", 1),
        heading("Which loom should I take?", 2),
        paragraph("The answer is not easy."),
        item("Beginners take the small loom, because it is the one with the fewest parts."),
        item("Weavers of rugs take the floor loom, which is as heavy as a piano."),
    ];
    for (asked, answer) in [
        ("How long is the warp?", "The warp is as long as the cloth and half a metre more for the knots."),
        ("What does wool cost?", "Wool costs between 12 and 30 euros for a kilogram, by its color."),
        ("Where do you sell?", "Our looms are sold in the shop at the harbor and nowhere else in town."),
        ("How is it cleaned?", "The frame is cleaned with a dry cloth and never with water of any kind."),
        ("Do you repair looms?", "Looms of every maker are repaired in the winter, when the shop is closed."),
        ("Who weaves here?", "Eleven weavers from the three villages at the river work in the house."),
    ] {
        blocks.extend([heading(asked, 2), paragraph(answer)]);
    }
    let (kind, found) = lines("Frequently asked questions about looms", blocks);
    assert_eq!(kind, "faq");
    assert!(found[0].contains("Beginners take the small loom"), "{found:#?}");
    assert!(found[0].contains("Weavers of rugs take the floor loom"), "{found:#?}");
}

#[test]
fn rules_and_main_parts_are_told_by_their_names() {
    let mut blocks = vec![
        heading("9.10. Lending tools", 2),
        paragraph(
            "In the last chapter the tools of the house were counted, and this chapter is about lending them out to others.",
        ),
    ];
    for part in ["Who may borrow", "Rules of the house", "What is never lent", "How a loan ends"] {
        blocks.push(heading(part, 3));
        if part.starts_with("Rules") {
            blocks.extend([
                item("No paper, no loan."),
                item("Every loan has an end."),
                item("Photograph it first."),
            ]);
        }
        for n in 0..4 {
            blocks.push(paragraph(format!(
                "We have seen {} loans of tools in the year {}, and {part} was asked by most of the borrowers who came to the house.",
                n + 12,
                n + 1990
            )));
        }
    }
    let (kind, found) = lines("Chapter 9: Lending tools", blocks);
    assert_eq!(kind, "book-chapter");
    assert!(
        has(&found, "Who may borrow; Rules of the house; What is never lent; How a loan ends"),
        "{found:#?}"
    );
    assert!(
        has(&found, "Rules of the house: No paper, no loan; Every loan has an end; Photograph it first"),
        "{found:#?}"
    );
}

#[test]
fn an_abstract_ends_where_the_next_name_stands() {
    let blocks = vec![
        paragraph("Tidelog"),
        paragraph("Abstract"),
        paragraph(
            "This draft describes a protocol by which tide gauges can send their levels to a harbor of another country. \
             The harbor that shows the levels need not own the gauges. Levels of 212 gauges were sent to eleven harbors for a year.",
        ),
        paragraph("Status of this Memo"),
        paragraph(
            "Results of this memo may be replaced by others at any time, which increased to 40 percent of the memos in 2014.",
        ),
        paragraph(
            "Received levels are significantly higher where the draft is in full conformance with rule 78 of the working group.",
        ),
        heading("1. Introduction", 2),
        paragraph(
            "Gauges stand in the water of many harbors, and every harbor reads its own ones in a way of its own, by hand or by radio.",
        ),
        heading("2. Methods", 2),
        paragraph(
            "A gauge opens a connection to the harbor that it was told, and sends one level a minute as a number of four bytes.",
        ),
        heading("3. Results", 2),
        paragraph(
            "A harbor that reads forty gauges needs one connection for each of them and less than a kilobyte of memory.",
        ),
    ];
    let (kind, found) = lines("Tidelog", blocks);
    assert_eq!(kind, "paper");
    let of_abstract = ["This draft describes a protocol", "need not own the gauges", "Levels of 212 gauges"];
    assert!(of_abstract.iter().all(|part| has(&found, part)), "{found:#?}");
    assert!(
        found.iter().filter(|line| line.contains("of this memo") || line.contains("rule 78")).count() < 2,
        "{found:#?}"
    );
}

#[test]
fn a_title_that_counts_its_headings_is_that_of_a_list() {
    let mut blocks = vec![heading("These are the 5 finest mills of the coast", 1)];
    blocks.push(paragraph("The mills of this coast are old and many, and to help you choose there is a word about each of them here."));
    for name in ["Corran ($3)", "Wick ($2)", "Aune ($4)", "Hallin ($1)", "Skarve ($3)"] {
        blocks.push(heading(name, 3));
        blocks.push(paragraph("Its wheel turns all day in the summer, and the baker beside it sells bread and flour to everyone who comes by."));
    }
    let (kind, found) = lines("These are the 5 finest mills of the coast", blocks);
    assert_eq!(kind, "list");
    assert!(has(&found, "Corran ($3); Wick ($2); Aune ($4); Hallin ($1); Skarve ($3)"), "{found:#?}");
}

#[test]
fn a_scene_does_not_lead_though_a_program_copied_it_into_the_description() {
    let scene =
        "The man at the stop keeps a small squared notebook and a pencil behind his ear, summer and winter.";
    let mut blocks = vec![heading("Free buses", 1), paragraph(scene)];
    for text in [
        "Journeys by bus went up by 9 percent in the year after the fares were abolished, and traffic of cars fell by 0.6 percent.",
        "The town pays 22 million a year for the buses that are free, and hired no driver and bought no bus of the money.",
        "In the next town the fares stayed, the buses came every ten minutes, and journeys went up by 31 percent in a year.",
        "Fares of one pound fifty would pay for a bus every ten minutes on nine routes, from seven until eleven at night.",
        "Two routes of the buses were cut in spring, because what they cost was needed for those that are free to all.",
        "Six in ten of the new riders of free buses said that they had walked before, as the survey of the council found.",
    ] {
        blocks.push(paragraph(text));
    }
    let page = Page {
        title: "Free buses".into(),
        description: Some(
            "The man at the stop keeps a small squared notebook and a pencil behind his ear, sum...".into(),
        ),
        blocks,
        language: Some("en".into()),
        ..Page::default()
    };
    let (_, found) = read(&page);
    assert!(!has(&found, "squared notebook"), "{found:#?}");
}

#[test]
fn names_of_a_few_writers_make_no_thread() {
    let mut blocks = Vec::new();
    for (at, name) in
        ["Olympic games", "The Beatles", "Metaverse", "Drinks", "Sports", "Brains"].iter().enumerate()
    {
        for part in ["today", "tomorrow", "in the city"] {
            blocks.push(heading(&format!("{name} {part}"), 2));
            let writer = if part == "today" && at < 3 { Some(format!("Writer Number{at}")) } else { None };
            blocks.push(Block {
                speaker: writer,
                ..item(&format!(
                    "What {} happened with {name} {part}, and why more of it is to come.",
                    if at == 5 { "I think" } else { "has" }
                ))
            });
        }
    }
    let (kind, found) = lines("The Corran Times", blocks);
    assert_eq!(kind, "index");
    assert!(has(&found, "The Beatles today"), "{found:#?}");
}

#[test]
fn a_version_in_the_title_is_a_release_whatever_the_engineers_tell() {
    let mut blocks = vec![heading("Quern 4.0: a faster cache, and how we lost the old backend", 1)];
    for text in [
        "Today we are happy to announce Quern 4.0, which we have built in our production cluster for a year.",
        "We measured the latency of our cache and our database on 40 servers, and we are now 3 times as fast.",
    ] {
        blocks.push(paragraph(text));
    }
    blocks.push(heading("Highlights", 2));
    blocks.extend([
        item("The cache of our backend has 9 MB instead of 48 MB."),
        item("We read 10,000 files in 3 seconds."),
    ]);
    blocks.push(heading("Breaking changes", 2));
    blocks.extend([
        item("We no longer support the old database backend."),
        item("Our pipeline returns dates as dates."),
    ]);
    let (kind, found) = lines("Quern 4.0: a faster cache, and how we lost the old backend", blocks);
    assert_eq!(kind, "release-notes");
    assert!(has(&found, "Highlights: The cache of our backend has 9 MB instead of 48 MB"), "{found:#?}");
}
