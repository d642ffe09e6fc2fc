//! Lines in the form that a kind of page needs: threads, answered questions, terms, definitions.

use crate::blocks::{has, heading, item, lines, paragraph};
use pith_engine::digest::{Block, BlockKind};

#[test]
fn the_reply_with_the_most_votes_tells_the_steps() {
    let post = |text: &str, votes: i32| Block { votes: Some(votes), ..paragraph(text) };
    let blocks = vec![
        heading("Why does my kettle trip the fuse every morning?", 1),
        paragraph(
            "I have an old kettle of two kilowatts, and every morning at seven the fuse in the hall goes.",
        ),
        paragraph(
            "In the evening it never happens, and I have already put in a new fuse. Why only in the morning?",
        ),
        heading("2 Answers", 2),
        post(
            "Buy a new kettle, because old ones are always broken, and be done with it for good this time.",
            2,
        ),
        post(
            "The water heater and the kettle run on the same line, and at seven the heater starts by its timer.",
            57,
        ),
        post("1. Set the timer of the heater to five o'clock.", 57),
        post("2. Move the kettle to a socket of the other line.", 57),
        post("The two together draw 4.6 kilowatts, and the line carries 3.6 before the fuse goes.", 57),
        post("Just hold the fuse with a bit of wire, it works and nothing ever came of it in my house.", -8),
    ];
    let (kind, lines) = lines("Why does my kettle trip the fuse every morning?", blocks);
    assert_eq!(kind, "qa");
    assert!(lines[0].starts_with("Why does my kettle trip the fuse every morning? I have"), "{lines:#?}");
    assert!(has(&lines, "Set the timer of the heater to five o'clock; Move the kettle"), "{lines:#?}");
    assert!(!has(&lines, "bit of wire"), "{lines:#?}");
}

#[test]
fn what_came_of_it_is_told_and_not_the_thanks() {
    let by = |name: &str, text: &str| Block { speaker: Some(name.into()), ..paragraph(text) };
    let blocks = vec![
        heading("Tent leaks at the seams after two winters", 1),
        by("Orla", "My tent has begun to leak at the seams over the door, after two winters in a dry attic."),
        by(
            "Orla",
            "Water stands on the floor after one night of rain. What can I do without buying another?",
        ),
        by(
            "Pim",
            "The tape comes off because the glue is old. Peel it off, clean the seam and use a sealer.",
        ),
        by("Pim", "It takes an evening, and the sealer costs nine euros a tube."),
        by("Bero", "Mine did the same last year, and I threw it away, which I regret to this day."),
        by("Orla", "Thank you all so much, you are the best people in the world."),
        by("Orla", "Three nights of rain and 40 mm of water, and the tent stayed dry inside."),
    ];
    let (kind, lines) = lines("[SOLVED] Tent leaks at the seams after two winters | Camp forum", blocks);
    assert_eq!(kind, "forum");
    assert!(lines[0].starts_with("Tent leaks at the seams after two winters"), "{lines:#?}");
    assert!(has(&lines, "Three nights of rain and 40 mm"), "{lines:#?}");
    assert!(!has(&lines, "Thank you"), "{lines:#?}");
}

#[test]
fn short_answers_keep_their_question_and_tables_answer() {
    let row = |text: &str| Block::new(BlockKind::Table, text);
    let blocks = vec![
        heading("Questions and answers", 1),
        paragraph("What does a parcel cost?"),
        row("Size\tPrice"),
        row("Small\t4.20 euros"),
        row("Large\t9.80 euros"),
        paragraph("Can I send a parcel on Sunday?"),
        paragraph("Yes, from the machine at the harbour, which takes parcels until ten in the evening."),
        paragraph("How long does it take?"),
        paragraph("Two days within the island, and nine to the mainland when the ferry runs."),
        paragraph("Who pays for what is lost?"),
        paragraph("We pay up to 300 euros for a parcel that is lost, if you kept the receipt."),
    ];
    let (kind, lines) = lines("Questions and answers: parcels", blocks);
    assert_eq!(kind, "faq");
    assert!(
        lines.contains(&"What does a parcel cost? Small · 4.20 euros; Large · 9.80 euros".into()),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line.starts_with("Can I send a parcel on Sunday? Yes, from")),
        "{lines:#?}"
    );
}

#[test]
fn terms_name_what_is_paid() {
    let mut blocks = vec![heading("Terms of Use", 1)];
    for text in [
        "By using Oakshare you agree to these terms of use, and you must be 18 years old.",
        "You may list any tool that belongs to you, and you may take it off the list at any time.",
        "You may not lend a tool that you have borrowed from another member to somebody else.",
        "We keep a fee of 12% of each loan, and the price of the loan is set by its lender.",
        "The service is provided as it is, and we are not liable for tools that break in your hands.",
        "Members shall treat each other with respect in messages and when they meet at the door.",
        "We may close an account that breaks these terms, and you must return all tools at once.",
        "Photographs that you post stay yours, and you let us show them to the other members.",
    ] {
        blocks.push(paragraph(text));
    }
    let (kind, lines) = lines("Terms of Use - Oakshare", blocks);
    assert_eq!(kind, "licence");
    assert!(has(&lines, "a fee of 12%"), "{lines:#?}");
    assert!(has(&lines, "You may not lend"), "{lines:#?}");
}

/// An article of an encyclopedia; `intro`: its first paragraph.
fn article(intro: Vec<Block>) -> Vec<Block> {
    let mut blocks = vec![heading("Grale Mill", 1)];
    blocks.extend(intro);
    blocks.push(heading("History", 2));
    for text in [
        "A first mill stood at the weir before 1400, and was burnt by soldiers who were not paid.",
        "The owners of the weir sold the water to a paper maker in 1866, who left after a year.",
        "In the last war the wheel drove a saw, which the village still has in its museum.",
    ] {
        blocks.push(paragraph(text));
    }
    blocks.push(heading("See also", 2));
    blocks.push(item("List of mills on the Grale"));
    blocks
}

#[test]
fn a_pronoun_for_the_subject_is_replaced_by_its_name_in_brackets() {
    let intro = "The Grale Mill is a water mill on the river Grale in the north of the island. \
        It was built in 1804 by the miller Tarn Oster and drove three pairs of stones for 120 years. \
        It takes a dry summer to see the wheel stand still.";
    let (kind, lines) = lines("Grale Mill - Encyclopedia", article(vec![paragraph(intro)]));
    assert_eq!(kind, "encyclopedia");
    assert!(lines[0].starts_with("The Grale Mill is a water mill"), "{lines:#?}");
    let is_named = |line: &String| {
        line.starts_with("[Grale Mill] was built in 1804") || line.contains("island. It was built in 1804")
    };
    assert!(lines.iter().any(is_named), "{lines:#?}");
    assert!(!has(&lines, "[Grale Mill] takes"), "{lines:#?}");
}

#[test]
fn a_definition_that_ends_in_a_colon_goes_on_in_its_list() {
    let intro = vec![
        paragraph("In island law, a Grale mill is a mill such that:"),
        item("it takes water from the Grale;"),
        item("it has at least one wheel;"),
        item("it grinds grain for others."),
    ];
    let (kind, lines) = lines("Grale mill - Encyclopedia", article(intro));
    assert_eq!(kind, "encyclopedia");
    let expected = "In island law, a Grale mill is a mill";
    assert!(
        lines[0].starts_with(expected) && lines[0].contains("it takes water from the Grale"),
        "{lines:#?}"
    );
}

#[test]
fn what_people_of_a_story_ask_each_other_heads_no_section() {
    let mut blocks = vec![heading("The lamp on the pier", 1)];
    for text in [
        "Mara stood on the pier and held the lamp so that the light fell on the water.",
        "“Who is out there at this hour?”",
        "The old man did not turn his head, and went on to mend his net in the dark.",
        "“Would you tell me if you knew?”",
        "He laughed for the first time since the storm, and the dog lifted its head.",
        "“Why did you never go back to her?”",
        "The tide had turned, and the boats swung round one after the other like horses.",
        "“Do you think that she waits?”",
        "Nobody answered, and the lamp went out before the moon was over the hill.",
    ] {
        blocks.push(paragraph(text));
    }
    let (kind, lines) = lines("The lamp on the pier", blocks);
    assert_ne!(kind, "faq");
    assert!(!has(&lines, "?"), "{lines:#?}");
}

#[test]
fn rows_are_told_with_their_values_and_columns_are_no_rows() {
    let headers = || vec!["Application".into(), "Fee".into()];
    let row = |text: &str| Block { headers: headers(), ..Block::new(BlockKind::Table, text) };
    let blocks = vec![
        heading("Apply for a permit to fell a tree", 1),
        paragraph(
            "You need a permit from the city council to fell a tree whose trunk is over 100 cm around.",
        ),
        heading("Who needs a permit", 2),
        paragraph("You must apply if the tree stands on your land, whatever its kind may be."),
        paragraph("Tenants apply together with the owner of the land, who signs the form as well."),
        paragraph("Dead trees need no permit, but a photograph of the tree has to be sent first."),
        heading("Fees", 2),
        Block::new(BlockKind::Table, "Application\tFee"),
        row("One tree\t€ 96.50, which is paid when the application is sent"),
        row("Two to five trees that stand on the same piece of land\t€ 180"),
        row("More than five trees\t€ 290"),
        heading("How long it takes", 2),
        paragraph("The council decides within eight weeks of the day that it has all papers."),
        paragraph(
            "Felling begins six weeks later at the earliest, because neighbours may object until then.",
        ),
        paragraph("Whoever fells a tree without a permit pays a fine of up to € 5,000 and plants another."),
    ];
    let (kind, lines) = lines("Apply for a permit to fell a tree", blocks);
    assert_eq!(kind, "government");
    let fees = lines.iter().find(|line| line.starts_with("Fees: ")).unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(!fees.contains("Application"), "{fees}");
    assert!(fees.contains("One tree · € 96.50"), "{fees}");
    for row in fees.trim_start_matches("Fees: ").split("; ") {
        assert!(row.contains(" · "), "a row without its value: {row}, of {fees}");
    }
}

#[test]
fn a_long_signature_is_told_by_its_name() {
    let mut blocks = vec![
        heading("keel.logbook", 1),
        paragraph("The module keel.logbook stores the readings of a boat's instruments in one file."),
    ];
    for (signature, gloss) in [
        (
            "append(frame, *, on_late='raise', flush=False, chunk=None)",
            "Adds one frame at the end of the file.",
        ),
        (
            "compact(target=None, *, codec=None, chunk_rows=None, keep=False)",
            "Writes the file anew with full chunks.",
        ),
        ("read(start=None, stop=None, *, channels=None, raw=False)", "Returns the rows between two times."),
        ("close()", "Closes the file, after which nothing can be read."),
    ] {
        blocks.push(heading(signature, 2));
        blocks.push(paragraph(gloss));
        blocks.push(Block::new(BlockKind::Code, "book.call()"));
    }
    let (kind, lines) = lines("keel.logbook", blocks);
    assert_eq!(kind, "api-reference");
    assert!(
        has(&lines, "compact: Writes the file anew with full chunks; read: Returns the rows"),
        "{lines:#?}"
    );
    assert!(lines.iter().all(|line| line.matches('(').count() == line.matches(')').count()), "{lines:#?}");
}

#[test]
fn a_heading_in_front_of_its_paragraph_is_no_line() {
    let clause = |text: &str| paragraph(text);
    let blocks = vec![
        heading("Tidewater Shared Source License", 1),
        clause(
            "1. Grant of Rights. You may use, copy and change the program for any purpose but the one of clause 3.",
        ),
        clause("2. Duties of the User. You must keep this notice and name every file that you have changed."),
        clause("3. Limits of the Grant. You may not offer the program to others as a service for money."),
        clause(
            "4. Limitation of Liability. In no event is the licensor liable for any damage that the program does.",
        ),
        clause(
            "5. End of the Licence. The licence ends thirty days after a breach that is not cured by then.",
        ),
    ];
    let (kind, lines) = lines("Tidewater Shared Source License", blocks);
    assert_eq!(kind, "licence");
    for heading in ["1. Grant of Rights.", "4. Limitation of Liability.", "5. End of the Licence."] {
        assert!(lines.iter().all(|line| line.trim() != heading), "{lines:#?}");
    }
}
