//! Pages that were made to keep a digest busy: its host gets a turn in time, whatever a page holds, and bounds hold.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use crate::blocks::paragraph;
use pith_engine::digest::{
    Block, BlockKind, Digest, DigestError, Limits, Page, SummaryLength, SummaryOptions, Vectors,
};
use pollster::block_on;

/// Longest work between two turns, here. Browsers on slow devices take several times as long, and have 50 ms.
const SLICE_MAX: Duration = Duration::from_millis(20);
/// Longest work on a page. Linear steps take a few seconds at most on a slow machine.
const PAGE_MAX: Duration = Duration::from_secs(30);
const TEXT_BYTES: usize = 4 << 20;

/// A page of a sentence that makes it one, and 4 MiB of a unit.
fn filled(unit: &str) -> Page {
    let words = "A page needs a dozen words of prose, or it is refused as one without any text.";
    let blocks = vec![paragraph(words), paragraph(unit.repeat(TEXT_BYTES / unit.len()))];
    Page { title: "A wheel".into(), blocks, ..Page::default() }
}

fn prose(sentences: usize) -> String {
    let sentence =
        |n| format!("The miller number {n} repairs wheel w{n} at the bridge and counts stones before dusk. ");
    (0..sentences).map(sentence).collect()
}

/// Characters of Chinese in an order without repetition.
fn rare_han() -> String {
    let of = |n: u32| {
        if n % 300 == 299 { '。' } else { char::from_u32(0x4E00 + n.wrapping_mul(40_503) % 20_000).unwrap() }
    };
    (0..TEXT_BYTES as u32 / 3).map(of).collect()
}

fn pages() -> Vec<(&'static str, Page)> {
    let of = |title: String, blocks| Page { title, blocks, ..Page::default() };
    let heading = Block::new(BlockKind::Heading, prose(11_000));
    let described =
        Page { description: Some(prose(11_000)), ..of("t".into(), vec![paragraph(prose(1_000))]) };
    let items =
        (0..100_000).map(|n| Block::new(BlockKind::ListItem, format!("The miller {n} paints wheels.")));
    let rare = (0..TEXT_BYTES / 8).map(|n| format!("{:07x} ", n * 7_919 % 0xFFF_FFFF));
    vec![
        ("a title of 1 MB", of(prose(11_000), vec![paragraph(prose(1_000))])),
        ("a description of 1 MB", described),
        ("a language of 1 MB", Page { language: Some("x".repeat(1 << 20)), ..filled("Stones roll. ") }),
        ("a heading of 1 MB", of("t".into(), vec![heading, paragraph(prose(8_000))])),
        ("prose", of("t".into(), vec![paragraph(prose(46_000))])),
        ("100,000 blocks", of("t".into(), items.collect())),
        (
            "a sentence again and again",
            filled("The miller repairs the old wheel beside the stone bridge before the evening. "),
        ),
        ("words that occur once", of("t".into(), vec![paragraph(rare.collect::<String>())])),
        ("pairs that occur once", of("t".into(), vec![paragraph(rare_han())])),
        ("one word", filled("a")),
        ("one word of digits", filled("7")),
        ("letters with stops", filled("a. ")),
        ("sentences of a letter", filled("A! ")),
        ("sentences of a character", filled("水。")),
        ("combining marks", filled("\u{301}")),
        ("a word between marks", filled("a'\u{301}\u{301}\u{301}")),
        ("marks behind a middle letter", filled(&format!("a:{}", "\u{301}".repeat(700)))),
        ("Thai letters", filled("ก ")),
        ("abbreviations", filled("e.g. ")),
        ("brackets before digits", filled(&format!(". {}{}", ")".repeat(20), "1".repeat(60_000)))),
        ("spaces before digits", filled(&format!("a.{}{}", " ".repeat(22), "1 ".repeat(30_000)))),
        ("brackets and stops", filled("(.")),
        ("opening brackets", filled("(")),
        ("joined emoji", filled("👩\u{200D}")),
        ("flags", filled("🇩🇪")),
        ("lines", filled("a\n")),
        ("empty lines", filled("\n")),
        ("invisible", filled("\u{200B}")),
    ]
}

/// How long this thread has worked. Other work on the machine counts where the system does not tell.
fn worked(since: Instant) -> Duration {
    let nanos = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = nanos.and_then(|line| line.split(' ').next().and_then(|first| first.parse().ok()));
    nanos.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// A host that looks at the clock in its turns.
struct Host {
    start: Instant,
    last: Cell<Duration>,
    slices: RefCell<Vec<Duration>>,
    turns_max: usize,
}

impl Host {
    fn new(turns_max: usize) -> Self {
        let start = Instant::now();
        Host { start, last: Cell::new(worked(start)), slices: RefCell::default(), turns_max }
    }

    fn turns(&self) -> usize {
        self.slices.borrow().len()
    }

    /// False when it has had enough of them.
    fn turn(&self) -> bool {
        let now = worked(self.start);
        self.slices.borrow_mut().push(now.saturating_sub(self.last.replace(now)));
        self.turns() <= self.turns_max
    }
}

/// Everything that a host does with a page.
async fn digest_and_ask(page: &Page, turn: &impl AsyncFn() -> bool) -> Result<(), DigestError> {
    let digest = Digest::new(page, &Limits::default(), turn).await?;
    turn().await;
    let _ = digest.summarize(&SummaryOptions { length: SummaryLength::Long });
    turn().await;
    let question: String = (0..60).map(|n| format!("wheel{n} miller ")).collect();
    for text in [question.as_str(), "Wie viele 石 repairs the bridge in 1999?"] {
        let question = digest.question(text, turn).await?;
        let _ = digest.worth_embedding_for(&question, &Vectors::default(), 160);
        turn().await;
        digest.rank_question(&question, None, 50, turn).await?;
    }
    turn().await;
    Ok(())
}

#[test]
fn every_page_gives_its_host_a_turn_in_time() {
    let mut slow = Vec::new();
    for (name, page) in pages() {
        let run = || {
            let host = Host::new(usize::MAX);
            let result = block_on(digest_and_ask(&page, &async || host.turn()));
            assert!(matches!(result, Ok(()) | Err(DigestError::NoText { .. })), "{name}: {result:?}");
            host.slices.into_inner()
        };
        // The slices of a page are the same in every run. One that is slow in each of them is slow by itself,
        // not because the machine was busy.
        let mut slices = run();
        for _ in 0..2 {
            if slices.iter().all(|slice| *slice <= SLICE_MAX) {
                break;
            }
            let again = run();
            assert_eq!(slices.len(), again.len(), "{name}");
            slices = slices.into_iter().zip(again).map(|(first, second)| first.min(second)).collect();
        }
        let whole: Duration = slices.iter().sum();
        let longest = slices.iter().max().copied().unwrap_or_default();
        println!("{name}: {whole:?} in {} slices, at most {longest:?}", slices.len());
        if longest > SLICE_MAX || whole > PAGE_MAX {
            slow.push(format!("{name}: {whole:?}, at most {longest:?}"));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn a_digest_stops_in_the_turn_that_says_so() {
    let page = filled("The miller repairs the old wheel beside the stone bridge before the evening. ");
    let whole = Host::new(usize::MAX);
    block_on(digest_and_ask(&page, &async || whole.turn())).unwrap();
    for part in 0..10 {
        let host = Host::new(whole.turns() * part / 10);
        let result = block_on(Digest::new(&page, &Limits::default(), &async || host.turn()));
        let Err(error) = result else { continue };
        assert_eq!((error.code(), host.turns()), ("cancelled", host.turns_max + 1));
    }
    let digest = block_on(Digest::new(&page, &Limits::default(), &async || true)).unwrap();
    assert_eq!(
        block_on(digest.question("Who repairs it?", &async || false)).err(),
        Some(DigestError::Stopped)
    );
}

#[test]
fn what_a_page_says_of_itself_is_bounded_and_shows_it() {
    let mut page = filled("Stones roll. ");
    page.title = prose(11_000);
    page.description = Some(prose(11_000));
    let digest = block_on(Digest::new(&page, &Limits::default(), &async || true)).unwrap();
    for (shown, chars) in [(digest.title(), 300), (digest.description().unwrap(), 1_000)] {
        assert!(shown.starts_with("The miller number 0 repairs") && shown.ends_with('…'), "{shown}");
        assert!(shown.chars().count() <= chars);
    }
    // What just fits is whole, and space around it is not counted.
    page.title = format!("  {}\n", "ö".repeat(300));
    let digest = block_on(Digest::new(&page, &Limits::default(), &async || true)).unwrap();
    assert_eq!(digest.title(), "ö".repeat(300));
}

#[test]
fn what_lies_beyond_the_limits_is_counted() {
    let mut page = filled("Stones roll. ");
    page.blocks.push(paragraph("𝔘".repeat(1_000)));
    let digest = block_on(Digest::new(&page, &Limits::default(), &async || true)).unwrap();
    let text = &page.blocks[1].text;
    let beyond = page.blocks[0].text.len() + text.len() - TEXT_BYTES;
    assert_eq!((digest.coverage().skipped_utf16, digest.coverage().skipped_blocks), (beyond + 2_000, 0));
    let limits = Limits { blocks_max: 1, ..Limits::default() };
    let digest = block_on(Digest::new(&page, &limits, &async || true)).unwrap();
    assert_eq!((digest.coverage().skipped_utf16, digest.coverage().skipped_blocks), (0, 2));
}

#[test]
fn a_question_that_is_too_long_is_refused() {
    let digest = block_on(Digest::new(&filled("Stones roll. "), &Limits::default(), &async || true)).unwrap();
    let asked = |text: String| block_on(digest.question(&text, &async || true)).err();
    assert_eq!(asked("石".repeat(1_000)), None);
    let error = asked("stone ".repeat(1 << 18)).unwrap();
    assert_eq!(error, DigestError::QuestionTooLong { chars_max: 1_000 });
    assert_eq!(error.code(), "question_too_long");
}

/// Windows do not change where sentences end: a text is split as its paragraphs are.
#[test]
fn a_long_block_is_split_as_its_parts_are() {
    let part = "Dr. Ellison saw it in 1999. It was (nearly) 3.5 m high! \"Why?\" she asked. „Nein.“ 他说：“是。”没有。 ";
    let limits = Limits::default();
    let of = |text: String| {
        let page = Page { language: Some("en".into()), blocks: vec![paragraph(text)], ..Page::default() };
        let digest = block_on(Digest::new(&page, &limits, &async || true)).unwrap();
        digest.sentences().iter().map(|sentence| sentence.text.clone()).collect::<Vec<_>>()
    };
    let (once, often) = (of(part.repeat(10)), of(part.repeat(1_000)));
    assert_eq!(once.len() * 100, often.len());
    for (at, sentence) in often.iter().enumerate() {
        assert_eq!(sentence, &once[at % once.len()], "{at}");
    }
}
