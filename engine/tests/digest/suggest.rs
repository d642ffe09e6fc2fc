//! Questions that a page is said to answer are questions that it answers.

use crate::digesting;
use pith_engine::digest::{Block, BlockKind, Digest, Limits, Page, SUGGESTIONS_MAX, Verdict};
use pollster::block_on;

fn digest(language: &str, blocks: &[(BlockKind, &str)]) -> Digest {
    let blocks = blocks.iter().map(|(kind, text)| Block::new(*kind, *text)).collect();
    let page = Page { title: "Corrin".into(), language: Some(language.into()), blocks, ..Page::default() };
    digesting::digest(&page, &Limits::default()).unwrap()
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
            (Paragraph, "The crossing costs 2 pounds for a car, because oak has become dear in the county."),
        ],
    );
    let found = block_on(english.suggest_questions(&async || true)).unwrap();
    assert!(!found.is_empty() && found.len() <= SUGGESTIONS_MAX, "{found:?}");
    assert!(found.contains(&"When was the stone bridge built?".to_owned()), "{found:?}");
    for question in &found {
        assert_eq!(digesting::answer(&english, question, None, 1).verdict, Verdict::Answered, "{question}");
    }
    assert!(found.contains(&"How much does the crossing cost?".to_owned()), "{found:?}");
}

/// A heading in quotation marks is no question that a person would ask.
#[test]
fn headings_that_are_no_questions_make_none() {
    use BlockKind::{Heading, Paragraph};
    let text = "The old ferry crossed the river here, and Corrin has had a stone bridge for two centuries.";
    for heading in ["Corrin", "The town of Corrin", "2.1 How the dams work", "Stone bridge[edit]", "Why?"] {
        let page = digest("en", &[(Heading, heading), (Paragraph, text)]);
        assert_eq!(block_on(page.suggest_questions(&async || true)).unwrap(), [""; 0], "{heading}");
    }
}

#[test]
fn questions_are_those_of_a_person_in_the_language_of_the_page() {
    use BlockKind::{Heading, ListItem, Paragraph, Table};
    let filler = |language: &str| match language {
        "de" => {
            "Die Brücke in Corrin verbindet die beiden Ufer des Flusses und trägt heute noch jeden Tag den Verkehr."
        }
        "fr" => {
            "Le pont de Corrin relie les deux rives de la rivière et porte encore la circulation de tous les jours."
        }
        "es" => {
            "El puente de Corrin une las dos orillas del río y lleva todavía el tráfico de todos los días del año."
        }
        "pl" => {
            "Most w mieście Corrin łączy oba brzegi rzeki i do dziś każdego dnia przenosi ruch kołowy przez dolinę."
        }
        "ja" => "コリンの橋は川の両岸を結び、今も毎日多くの車を通している。橋は石でできていて、とても古い。",
        "ar" => "يربط جسر كورين بين ضفتي النهر ولا يزال يحمل حركة المرور كل يوم في المدينة القديمة.",
        _ => {
            "The bridge in Corrin joins the two banks of the river and still carries the traffic of every day."
        }
    };
    let cases = [
        ("en", Heading, "Who paid the toll?[edit]", "Who paid the toll?"),
        ("en", Heading, "(11) How do I cross the bridge at night?", "How do I cross the bridge at night?"),
        (
            "en",
            Paragraph,
            "The crossing takes forty minutes when the wind is fair.",
            "How long does the crossing take?",
        ),
        ("en", Table, "Weight\t2.4 kg", "How heavy is it?"),
        ("de", Paragraph, "Die Überfahrt kostet 12 Euro für Erwachsene.", "Was kostet die Überfahrt?"),
        (
            "de",
            Paragraph,
            "Die Führung dauert zwei Stunden und endet am Hafen.",
            "Wie lange dauert die Führung?",
        ),
        (
            "fr",
            Paragraph,
            "La traversée dure quarante minutes par beau temps.",
            "Combien de temps dure la traversée ?",
        ),
        ("es", Paragraph, "El billete cuesta 12 euros para adultos y niños.", "¿Cuánto cuesta el billete?"),
        ("pl", ListItem, "Cena: 12 zł", "Ile to kosztuje?"),
        ("ja", Table, "価格\t1200円", "価格はいくらですか？"),
        ("ar", Heading, "من دفع رسوم الجسر في المدينة؟", "من دفع رسوم الجسر في المدينة؟"),
    ];
    for (language, kind, text, question) in cases {
        let below = match kind {
            Heading if language == "ar" => "كانت رسوم الجسر تدفع حتى عام 1834 من جميع التجار في المدينة.",
            Heading => {
                "The toll was paid by all who had to cross the bridge at night, but not by the merchants."
            }
            _ => filler(language),
        };
        let page = digest(language, &[(Paragraph, filler(language)), (kind, text), (Paragraph, below)]);
        assert_eq!(block_on(page.suggest_questions(&async || true)).unwrap(), [question], "{language}");
    }
}

/// No subject that a question could name: pronouns, openings, parts of a sentence.
#[test]
fn sentences_without_a_plain_subject_make_no_question() {
    use BlockKind::Paragraph;
    for text in [
        "It takes forty minutes to cross the river in fair weather, and it costs nothing at all.",
        "Usually the crossing by boat takes forty minutes, unless the wind comes from the north.",
        "In winter this takes forty minutes and more, because the ice has to be broken first.",
    ] {
        let page = digest("en", &[(Paragraph, text)]);
        assert_eq!(block_on(page.suggest_questions(&async || true)).unwrap(), [""; 0], "{text}");
    }
}

/// Sentences of every kind that makes a question, and headings without a mark.
#[test]
fn what_a_sentence_states_is_asked_for() {
    use BlockKind::{Heading, Paragraph};
    let cases = [
        (
            "en",
            "Marie Skard was born in 1867 in a village near Corrin, and went to sea at twelve.",
            "When was Marie Skard born?",
        ),
        (
            "en",
            "The mill was designed by Anna Lund for the monks of the valley and their guests.",
            "Who designed the mill?",
        ),
        (
            "en",
            "The canal has twelve stone locks between the harbor and the upper mills of the valley.",
            "How many stone locks does the canal have?",
        ),
        (
            "en",
            "Mortar is made of lime and sand, and old mortar has a little hair of horses in it.",
            "What is mortar made of?",
        ),
        (
            "en",
            "The museum opens at 10 in the morning on all days but Mondays, and is free for pupils.",
            "When does the museum open?",
        ),
        (
            "en",
            "The pool will close on 3 May for repairs that its owners have put off for years.",
            "When will the pool close?",
        ),
        (
            "en",
            "Puffins live in burrows behind the old wall of the garden, and all puffins feed at sea.",
            "Where do puffins live?",
        ),
        (
            "en",
            "The rash is caused by a mite that lives in the skin, and passes after two weeks.",
            "What causes the rash?",
        ),
        (
            "en",
            "The old bridge is closed because its arches have cracked under the weight of the lorries.",
            "Why is the old bridge closed?",
        ),
        (
            "de",
            "Die Mühle wurde 1702 von den Mönchen des Klosters gebaut und mahlt bis heute Mehl.",
            "Wann wurde die Mühle gebaut?",
        ),
        (
            "fr",
            "Le moulin a été construit en 1702 par les moines de la vallée, et il tourne encore.",
            "Quand a été construit le moulin ?",
        ),
        (
            "es",
            "El molino fue construido en 1702 por los monjes del valle, y todavía muele harina.",
            "¿Cuándo fue construido el molino?",
        ),
        (
            "pt",
            "O moinho foi construído em 1702 pelos monges do vale, e ainda hoje faz farinha.",
            "Quando foi construído o moinho?",
        ),
        (
            "nl",
            "De molen werd in 1702 door de monniken van het dal gebouwd, en maalt nog steeds meel.",
            "Wanneer werd de molen gebouwd?",
        ),
    ];
    for (language, text, question) in cases {
        let page = digest(language, &[(Paragraph, text)]);
        assert_eq!(block_on(page.suggest_questions(&async || true)).unwrap(), [question], "{text}");
    }
    let below = "Take the filter out, rinse it under cold water, and let it dry before you clean the rest of the machine.";
    for (heading, question) in [
        ("3. How to clean the filter", Some("How do I clean the filter?")),
        ("What is the filter", Some("What is the filter?")),
        ("How the filter works", None),
        ("Why the filter smells", None),
        ("How to clean the filter:", None),
    ] {
        let page = digest("en", &[(Heading, heading), (Paragraph, below)]);
        let found = block_on(page.suggest_questions(&async || true)).unwrap();
        assert_eq!(found.first().map(String::as_str), question, "{heading}");
    }
}

/// What looks like one of these and is not.
#[test]
fn sentences_that_state_no_such_thing_make_no_question() {
    for text in [
        "The bridge was not finished in 1766, as the town had no money for the last arch of it.",
        "The company has 40 years of experience with mills of all kinds, and mends them as well.",
        "The county has 30 percent of all mills in the land, but most of them stand still today.",
        "The door opens on both sides, so that carts can go through without turning in the yard.",
        "The road will lead on to the harbor and the mills, where the carts wait for their flour.",
        "The delicate case is a bridge of stone that nobody may close for more than a single night.",
        "Ada Lund is a mason from the valley who has worked on most of the bridges of the county.",
        "The method above is a way of finding cracks that are too small for the eye of the mason.",
        "A dividend was first paid in 1802, and the owners of the canal drank to it the whole night.",
        "The yard opens in 3 places to the street, so that the carts need not turn around in it.",
        "The mill was sold by mistake to the wrong monks, who kept it for a hundred years or so.",
    ] {
        let page = digest("en", &[(BlockKind::Paragraph, text)]);
        assert_eq!(block_on(page.suggest_questions(&async || true)).unwrap(), [""; 0], "{text}");
    }
}
