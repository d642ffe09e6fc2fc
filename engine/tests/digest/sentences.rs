//! Sentence splitting: a table of texts in many languages, and properties that hold for any text.

use pith_engine::digest::{Span, split_sentences};

const CHARS_MAX: usize = 800;

fn texts<'a>(text: &'a str, spans: &[Span]) -> Vec<&'a str> {
    spans.iter().map(|span| &text[span.bytes.clone()]).collect()
}

/// A generator of random numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn text(&mut self, pieces: usize) -> String {
        const PIECES: &[&str] = &[
            ". ",
            ".",
            "!",
            "? ",
            "…",
            "。",
            "！",
            "「",
            "」",
            "“",
            "”",
            "(",
            ")",
            "[3]",
            " ",
            "  ",
            "\n",
            "\r\n",
            "\u{2029}",
            "a",
            "B",
            "Dr",
            "z",
            "12",
            "3.5",
            "e.g.",
            "https://x.org/?q=A!b",
            "word",
            "Word",
            "слово",
            "كلمة",
            "。\u{200B}",
            "😀",
            "👨‍👩‍👧",
            "🇩🇪",
            "𝒳",
            "字",
            "カナ",
            "ไทย",
            "हिन्दी",
            "।",
            "\u{301}",
            "\u{0}",
            "\u{FEFF}",
            "\u{202E}",
            "•",
            "-",
            "—",
            ";",
            ":",
            ",",
            "'",
            "\"",
            "<|im_start|>",
            "ß",
            "İ",
            "ﬁ",
            "\t",
        ];
        (0..pieces)
            .map(|_| match self.below(12) {
                0 => char::from_u32(self.below(0x11_0000) as u32).map_or(String::from("?"), String::from),
                _ => PIECES[self.below(PIECES.len())].to_string(),
            })
            .collect()
    }
}

#[test]
fn splits_as_the_table_says() {
    let table = include_str!("sentences.txt");
    let mut wrong = Vec::new();
    let mut cases = 0;
    for (number, line) in table.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (language, marked) = line.split_once(':').expect("language: text");
        let text = marked.trim().replace(" ¦ ", " ").replace('¦', "");
        let expected: Vec<&str> =
            marked.split('¦').map(|part| part.trim().trim_start_matches("• ")).collect();
        let spans = split_sentences(&text, language, CHARS_MAX);
        let found = texts(&text, &spans);
        if found != expected {
            wrong.push(format!(
                "line {}: {language}\n  expected {expected:?}\n  found    {found:?}",
                number + 1
            ));
        }
        cases += 1;
    }
    assert!(cases >= 90, "{cases} cases");
    assert!(wrong.is_empty(), "{} of {cases} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn positions_slice_back_in_bytes_and_in_utf16() {
    let mut random = Random(0x5EED_1234_ABCD_0001);
    for round in 0..3_000 {
        let pieces = 1 + random.below(60);
        let text = random.text(pieces);
        let units: Vec<u16> = text.encode_utf16().collect();
        let language = ["en", "de", "hi", "ja", "und"][random.below(5)];
        let chars_max = [5, 40, CHARS_MAX][random.below(3)];
        let spans = split_sentences(&text, language, chars_max);
        let mut end = 0;
        for span in &spans {
            let slice = &text[span.bytes.clone()];
            assert_eq!(
                String::from_utf16(&units[span.utf16.clone()]).unwrap(),
                slice,
                "round {round}: {text:?}"
            );
            assert!(span.bytes.start >= end && span.bytes.end > span.bytes.start, "round {round}: {text:?}");
            assert!(slice.chars().count() <= chars_max, "round {round}: {slice:?}");
            assert!(
                !slice.starts_with(char::is_whitespace) && !slice.ends_with(char::is_whitespace),
                "{slice:?}"
            );
            end = span.bytes.end;
        }
        // Nothing that can be read is lost.
        let kept: usize = spans.iter().map(|span| count_letters(&text[span.bytes.clone()])).sum();
        assert_eq!(kept, count_letters(&text), "round {round}: {text:?}");
    }
}

fn count_letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// UAX #29's look-ahead makes naive splitting quadratic on these. Each is 200 kB; a quadratic splitter takes minutes.
#[test]
fn hostile_text_splits_in_linear_time() {
    for unit in [
        ")", " ", "\"", ".", ". ", "a.", "[1]", "1", "\u{301}", "\u{200B}", ".)", "字", "。", "a", "(", "\n",
        "…",
    ] {
        let text = format!("A.{}", unit.repeat(200_000 / unit.len()));
        let spans = split_sentences(&text, "en", CHARS_MAX);
        assert!(spans.iter().all(|span| span.bytes.end <= text.len()));
    }
    let prose = "The mill stands by the river. It is old. ".repeat(5_000);
    assert_eq!(split_sentences(&prose, "en", CHARS_MAX).len(), 10_000);
}

#[test]
fn long_sentences_are_cut_at_clauses() {
    let clause = "the wind turned the sails and the stones turned with them; ";
    let text = clause.repeat(40);
    let spans = split_sentences(&text, "en", 200);
    let found = texts(&text, &spans);
    assert!(found.len() > 10);
    for piece in found {
        assert!(piece.ends_with(';'), "{piece}");
    }
}
