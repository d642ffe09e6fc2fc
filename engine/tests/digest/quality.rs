//! The measure itself: ROUGE and the stemmer against the published Python packages, and the project's own set by words alone.

use std::collections::HashSet;
use std::path::Path;

use crate::checks;
use crate::digesting;
use crate::docs::{self, Doc, folded};
use crate::html;
use crate::porter;
use crate::rouge;
use pith_engine::digest::{BlockKind, Limits, SummaryOptions};

fn set() -> Vec<Doc> {
    docs::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quality")).unwrap()
}

/// Made with NLTK 3.9's `PorterStemmer`.
#[test]
fn stems_are_those_of_nltk() {
    const STEMS: &str = "caresses:caress ponies:poni ties:tie tied:tie died:die dying:die caress:caress cats:cat feed:feed \
         agreed:agre plastered:plaster bled:bled motoring:motor sing:sing conflated:conflat troubled:troubl \
         sized:size hopping:hop tanned:tan falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi \
         sky:sky skies:sky flies:fli enjoy:enjoy relational:relat conditional:condit rational:ration valenci:valenc \
         hesitanci:hesit digitizer:digit conformabli:conform radicalli:radic differentli:differ vileli:vile \
         analogousli:analog vietnamization:vietnam predication:predic operator:oper feudalism:feudal \
         decisiveness:decis hopefulness:hope callousness:callous formaliti:formal sensitiviti:sensit \
         sensibiliti:sensibl triplicate:triplic formative:form formalize:formal electriciti:electr electrical:electr \
         hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop \
         adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend \
         adoption:adopt homologou:homolog communism:commun activate:activ angulariti:angular homologous:homolog \
         effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control roll:roll news:news \
         innings:inning proceed:proceed succeed:succeed exceed:exceed generalizations:gener oscillators:oscil \
         biology:biolog geology:geolog biological:biolog usefully:use fully:fulli happily:happili employed:employ \
         employment:employ spied:spi say:say says:say saying:say played:play player:player boys:boy by:by";
    for pair in STEMS.split(' ') {
        let (word, stem) = pair.split_once(':').unwrap();
        assert_eq!(porter::stem(word), stem, "{word}");
    }
}

/// Made with `rouge_score` 0.1.2, `use_stemmer=True`.
#[test]
fn rouge_is_that_of_rouge_score() {
    for (reference, candidate, expected) in [
        (
            "The mill was rebuilt after the flood.\nIts owners sold flour to three villages.",
            "Owners of the mill sell flour to the villages.\nThe flood destroyed it, and the mill was rebuilding.",
            [56.25, 26.6667, 50.0],
        ),
        (
            "Dying skies and flying happily: relational conditionals were hopefully generalized.",
            "Hopeful generalization of conditional relations flies in the dying sky.",
            [70.0, 22.2222, 20.0],
        ),
        ("a b c d e f\ng h i j", "a c b d\ng g h j f e", [90.0, 11.1111, 70.0]),
    ] {
        let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
        let found = rouge::rouge(&lines(reference), &lines(candidate));
        for (found, expected) in [found.one, found.two, found.lsum].into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.001, "{candidate}: {found} {expected}");
        }
    }
}

#[test]
fn blocks_of_a_page_are_read() {
    let found = html::blocks(
        "<head><title>No</title></head><!-- <p>no --><h1>A &amp; B</h1><p>One <b>two</b>\nthree<ul><li>Four</ul><pre>a\n b</pre>\
         <table><tr><th>Name<th>Size</tr><tr><td>x<td>2&#160;kB</td></tr></table><dl><dt>-q<dd>Quiet</dl>",
    );
    let found: Vec<_> =
        found.iter().map(|block| (block.kind, block.text.as_str(), block.headers.len())).collect();
    let expected = [
        (BlockKind::Heading, "A & B", 0),
        (BlockKind::Paragraph, "One two three", 0),
        (BlockKind::ListItem, "Four", 0),
        (BlockKind::Code, "a\n b", 0),
        (BlockKind::Table, "x\t2 kB", 2),
        (BlockKind::Paragraph, "-q", 0),
        (BlockKind::Paragraph, "Quiet", 0),
    ];
    assert_eq!(found, expected);
}

/// Questions to pages that the extension read: two halves of different pages, whose answers stand there.
#[test]
fn the_questions_to_readings_are_whole() {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quality");
    let mut pages = HashSet::new();
    for half in ["develop", "held"] {
        let mut docs = docs::read(&set.join("asked").join(half)).unwrap();
        docs::read_pages(&mut docs, &set.join("summaries.jsonl")).unwrap();
        let counts = |answerable: bool| {
            let questions = docs.iter().flat_map(|doc| &doc.questions);
            questions.filter(|question| question.answerable == answerable).count()
        };
        assert!(counts(true) >= 75 && counts(false) >= 50, "{half}");
        for doc in docs {
            assert!(pages.insert(doc.page.clone()), "{}", doc.id);
            for question in &doc.questions {
                let stands = |answer: &String| {
                    doc.blocks.iter().any(|block| folded(&block.text).contains(&folded(answer)))
                };
                let is_answered = question.answers.iter().any(stands);
                assert_eq!(is_answered, question.answerable, "{}: {}", doc.id, question.text);
            }
        }
    }
}

#[test]
fn the_set_is_whole() {
    let set = set();
    let ids: HashSet<&str> = set.iter().map(|doc| doc.id.as_str()).collect();
    assert!(set.len() >= 30 && ids.len() == set.len());
    assert!(set.iter().filter(|doc| doc.reference.is_some()).count() >= 20);
    let questions: Vec<(&Doc, &docs::Question)> =
        set.iter().flat_map(|doc| doc.questions.iter().map(move |question| (doc, question))).collect();
    let answerable = questions.iter().filter(|(_, question)| question.answerable).count();
    assert!(questions.len() >= 150 && (questions.len() - answerable) * 3 >= questions.len());
    for (doc, question) in questions {
        let stands =
            |answer: &String| doc.blocks.iter().any(|block| folded(&block.text).contains(&folded(answer)));
        assert_eq!(question.answers.is_empty(), !question.answerable, "{}: {}", doc.id, question.text);
        assert!(question.answers.iter().all(stands), "{}: {}", doc.id, question.text);
    }
}

/// By words alone, which takes milliseconds; `cargo xtask quality` measures with the embedded model, too.
#[test]
fn words_alone_answer_and_summarize_the_set() {
    let (mut answerable, mut first, mut lines, mut hanging) = (0, 0, 0, 0);
    for doc in set() {
        let digest = digesting::digest(&doc.page(), &Limits::default()).unwrap();
        for question in doc.questions.iter().filter(|question| question.answerable) {
            let hits = digesting::ask(&digest, &question.text, None, 5);
            let text = hits.first().map(|hit| folded(&hit.passage.text)).unwrap_or_default();
            answerable += 1;
            first += usize::from(question.answers.iter().any(|answer| text.contains(&folded(answer))));
        }
        let summary = digest.summarize(&SummaryOptions::default());
        let shown: Vec<usize> = summary.lines.iter().map(|line| line.sentence).collect();
        for &at in &shown {
            let line = &digest.sentences()[at].text;
            assert!(!checks::ends_in_colon(line), "{}: {line}", doc.id);
            lines += 1;
            let before = shown.iter().any(|other| other + 1 == at);
            hanging += usize::from(checks::refers_back(line, digest.language()) && !before);
        }
    }
    println!("first right {first} of {answerable}, hanging {hanging} of {lines}");
    assert!(first * 100 >= answerable * 66, "{first} of {answerable}");
    assert!(hanging * 100 <= lines * 8, "{hanging} of {lines}");
}
