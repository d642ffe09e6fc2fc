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
            (
                Paragraph,
                "The repairs of the northern arch took two years, because oak had become dear in the county.",
            ),
        ],
    );
    let found = block_on(english.suggest_questions(&async || true)).unwrap();
    assert!(!found.is_empty() && found.len() <= SUGGESTIONS_MAX, "{found:?}");
    assert!(found.contains(&"When was the stone bridge built?".to_owned()), "{found:?}");
    for question in &found {
        assert_eq!(digesting::answer(&english, question, None, 1).verdict, Verdict::Answered, "{question}");
    }
    let german = digest(
        "de",
        &[
            (Heading, "Der Zoll"),
            (
                Paragraph,
                "Der Zoll wurde bis 1834 bezahlt, als der letzte Anteil der Lotterie an die Stadt zurückgegeben war.",
            ),
        ],
    );
    assert_eq!(
        block_on(german.suggest_questions(&async || true)).unwrap(),
        ["Was steht hier über „Der Zoll“?"]
    );
}

#[test]
fn the_title_of_the_page_is_no_question() {
    use BlockKind::{Heading, Paragraph};
    let text = "Corrin is a town on the river, and Corrin has had a stone bridge for two centuries.";
    let found = |heading: &str| {
        let page = digest("en", &[(Heading, heading), (Paragraph, text)]);
        block_on(page.suggest_questions(&async || true)).unwrap()
    };
    assert!(found("The town of Corrin").iter().any(|question| question.contains("Corrin")));
    assert_eq!(found("Corrin"), [""; 0]);
}

#[test]
fn headings_become_questions_in_the_language_of_the_page() {
    use BlockKind::{Heading, Paragraph};
    let cases = [
        (
            "en",
            "2.1 “How the dams work”",
            "How the dams work slowly: the dams hold the water of the spring back.",
            "What does it say about “How the dams work”?",
        ),
        (
            "de",
            "Wie die Dämme wirken",
            "Die Dämme wirken langsam, weil sie das Wasser der Quelle zurückhalten.",
            "Was steht hier über „Wie die Dämme wirken“?",
        ),
        (
            "fr",
            "Les péages",
            "Les péages du pont ont été payés jusqu'en 1834 par tous les marchands.",
            "Que dit ce texte sur « Les péages » ?",
        ),
        (
            "es",
            "El peaje",
            "El peaje del puente se pagó hasta 1834 por todos los comerciantes.",
            "¿Qué dice sobre «El peaje»?",
        ),
        (
            "ja",
            "水車の歴史",
            "水車の歴史は長く、水車は川のほとりに建てられ、今も使われている。",
            "「水車の歴史」について何と書かれていますか？",
        ),
        (
            "zh",
            "水车的历史",
            "水车的历史很长，这座水车建在河边，至今仍在使用。",
            "文中关于“水车的历史”说了什么？",
        ),
        (
            "ko",
            "방앗간의 역사",
            "방앗간의 역사는 길며 방앗간은 강가에 지어져 지금도 쓰이고 있다.",
            "“방앗간의 역사”에 대해 무엇이라고 쓰여 있나요?",
        ),
        (
            "ar",
            "رسوم الجسر",
            "كانت رسوم الجسر تدفع حتى عام 1834 من جميع التجار في المدينة.",
            "ماذا يقول النص عن «رسوم الجسر»؟",
        ),
        (
            "hi",
            "पुल का शुल्क",
            "पुल का शुल्क शहर के सभी व्यापारियों ने 1834 तक चुकाया।",
            "यहाँ “पुल का शुल्क” के बारे में क्या लिखा है?",
        ),
        (
            "sv",
            "Broavgiften",
            "Broavgiften betalades till 1834 av alla köpmän i staden vid floden.",
            "Broavgiften?",
        ),
        ("fa", "عوارض پل", "عوارض پل تا سال 1834 از همه بازرگانان شهر کنار رودخانه گرفته می‌شد.", "عوارض پل؟"),
        (
            "ar",
            "من دفع رسوم الجسر؟",
            "كانت رسوم الجسر تدفع حتى عام 1834 من جميع التجار في المدينة.",
            "من دفع رسوم الجسر؟",
        ),
    ];
    for (language, heading, text, question) in cases {
        let page = digest(language, &[(Heading, heading), (Paragraph, text), (Paragraph, text)]);
        assert_eq!(block_on(page.suggest_questions(&async || true)).unwrap(), [question], "{language}");
    }
}
