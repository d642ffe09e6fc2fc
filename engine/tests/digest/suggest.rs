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
