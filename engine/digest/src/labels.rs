//! What short texts look like: questions, versions, steps, members of programming interfaces.

use super::headings;
use super::joins::is_closing;
use super::words::{count_words, head};

pub(crate) fn is_question(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_whitespace() || is_closing(c) || c == '¶')
        .ends_with(['?', '？', '؟'])
}

/// A question that nobody in the text asks: not the "Who is there?" of a story.
pub(crate) fn is_asked(text: &str) -> bool {
    is_question(text) && !text.trim_end().ends_with(['"', '“', '”', '«', '»', '\'', '’', '」', '』'])
}

/// "3.46.0", "Version 2.1 (2024-05-23)", "[1.2.0] - 2023-01-05", "v4.0.0-beta", "2024-05-23", "Unreleased".
pub(crate) fn is_version(text: &str) -> bool {
    let folded = head(text.trim(), 100).to_lowercase();
    if count_words(text) > 12 {
        return false;
    }
    if folded.trim_matches(['[', ']']).starts_with("unreleased") {
        return true;
    }
    // "9.10.2. Restoring machines", "2.1 Results": numbers of sections.
    let first = folded.split_whitespace().next().unwrap_or_default();
    let rest = folded[first.len()..].trim_start();
    if first.starts_with(|c: char| c.is_ascii_digit())
        && (first.ends_with('.')
            || (rest.starts_with(char::is_alphabetic) && !rest.contains(|c: char| c.is_ascii_digit())))
    {
        return false;
    }
    let words =
        || folded.split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | ',' | ':'));
    let numeric = |word: &str| {
        let word = word.trim_start_matches('v');
        let parts: Vec<&str> = word.split(['.', '-']).collect();
        word.starts_with(|c: char| c.is_ascii_digit())
            && parts.len() >= 2
            && parts.iter().take(2).all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
    };
    words().take(4).any(numeric)
}

/// "Step 2: ...", "第2步 ...".
pub(crate) fn is_step(text: &str) -> bool {
    const STEPS: &str =
        "step ;schritt ;étape ;paso ;passo ;passaggio ;stap ;krok ;шаг ;الخطوة ;चरण ;ステップ;步骤;第;단계";
    let folded = text.trim_start().to_lowercase();
    STEPS.split(';').any(|step| {
        folded.strip_prefix(step).is_some_and(|rest| {
            let rest = rest.trim_start();
            rest.starts_with(char::is_numeric)
                || rest.starts_with(['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'])
        })
    })
}

/// "Step 2: ...", "3. Tighten the screw", "12) ...".
pub(crate) fn is_numbered(text: &str) -> bool {
    let folded = text.trim_start().to_lowercase();
    let digits = |text: &str| text.chars().take_while(|c| c.is_ascii_digit()).count();
    let count = digits(&folded);
    let han = folded.chars().next().is_some_and(|c| "一二三四五六七八九十".contains(c))
        && folded.chars().skip(1).take(2).any(|c| matches!(c, '、' | '．' | '.'));
    is_step(text)
        || han
        || ((1..=3).contains(&count) && {
            let mut rest = folded.chars().skip(count);
            let mark = rest.next().is_some_and(|c| matches!(c, '.' | ')' | ':' | '．' | '、'));
            mark && !rest.next().is_some_and(|c| c.is_ascii_digit())
        })
}

/// The length of the number that a step or heading begins with: "Step 2: ", "3. ", "第2步 "; 0 where nothing else would be left.
pub(crate) fn number_bytes(text: &str) -> usize {
    if !is_numbered(text) {
        return 0;
    }
    let is_end = |(_, c): &(usize, char)| {
        matches!(c, ':' | '.' | ')' | '：' | '．' | '、') || (is_step(text) && *c == ' ')
    };
    let digit = text.find(|c: char| c.is_numeric() || "一二三四五六七八九十".contains(c)).unwrap_or(0);
    let Some((at, c)) = text[digit..].char_indices().find(is_end) else { return 0 };
    let end = digit + at + c.len_utf8();
    let len =
        end + text[end..].len() - text[end..].trim_start_matches([' ', '\u{a0}', ':', '-', '–', '—']).len();
    if head(text, 24).len() < len || text[len..].trim().is_empty() { 0 } else { len }
}

/// Words that stand before the name of a member where it is declared.
const DECLARING: [&str; 15] = [
    "pub",
    "fn",
    "const",
    "unsafe",
    "async",
    "static",
    "def",
    "func",
    "function",
    "public",
    "private",
    "class",
    "classmethod",
    "staticmethod",
    "abstract",
];

/// "open(path)", "pub fn push(value)", "Vec::push", "list.sort", "--all", "GET /orders".
pub(crate) fn is_member(text: &str) -> bool {
    let mut words = text.split_whitespace().skip_while(|word| DECLARING.contains(word));
    let word = words.next().unwrap_or_default();
    let named =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '<' | '>' | '-' | '$' | '#');
    let called = word.contains('(') && word.chars().next().is_some_and(char::is_alphabetic);
    let path = word.contains("::") || (word.contains('_') && word.chars().all(named));
    let dotted = word.split_once('.').is_some_and(|(one, two)| {
        !one.is_empty() && two.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(named)
    });
    let verb = ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&word) && text.contains('/');
    let cased = word.len() > 3
        && word.chars().all(|c| c.is_ascii_alphanumeric())
        && word.chars().skip(1).any(|c| c.is_ascii_uppercase())
        && word.chars().any(|c| c.is_ascii_lowercase())
        && text.split_whitespace().count() == 1;
    called || path || dotted || verb || cased
}

/// A form of "to be" among the first words, or "refers to".
pub(crate) fn has_copula(folded: &str) -> bool {
    const COPULAS: &str = " is ; are ; was ; were ; refers to ; means ; ist ; sind ; war ; bezeichnet ; est ; sont ; était ; désigne ; es ; son ; fue ; era ; è ; sono ; fu ; \
        é ; são ; foi ; zijn ; was ; jest ; był ; была ; был ; это ; является ; هو ; هي ; है ; 是; とは; は、; 는 ; 은 ; 이다";
    has_word(folded, COPULAS)
}

/// Whether one of these is in a folded text; those between blanks as whole words.
pub(crate) fn has_word(text: &str, words: &str) -> bool {
    words.split(';').filter(|word| !word.is_empty()).any(|word| {
        let word = word.trim_start();
        let bare = word.trim_end();
        match word.len() > bare.len() {
            true => text
                .match_indices(bare)
                .any(|(at, _)| text[..at].ends_with(' ') && text[at + bare.len()..].starts_with(' ')),
            false => text.contains(bare),
        }
    })
}

/// A text in lower case with a blank at each end, so that words are found whole.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in head(text, 400).chars().flat_map(char::to_lowercase) {
        out.push(match c {
            '’' => '\'',
            c if c.is_alphanumeric() || matches!(c, '\'' | '"' | '“' | '„' | '«' | '「' | '—' | '-') => {
                c
            }
            _ => ' ',
        });
    }
    out.push(' ');
    out
}

/// Whether a short text without marks is what headings are called, or is numbered as they are.
pub(crate) fn is_label(text: &str) -> bool {
    let ends = text.ends_with(['.', '!', '?', '。', '！', '？', '…', ',', ';']);
    !ends && (headings::is_any(text) || is_numbered(text))
}

#[cfg(test)]
mod tests {
    use super::{is_member, is_numbered, is_version, number_bytes};

    #[test]
    fn numbers_of_steps_are_left_out() {
        for (text, rest) in [
            ("Step 2: Set the level", "Set the level"),
            ("3. Tighten the screw", "Tighten the screw"),
            ("第2步 堵住下水口", "堵住下水口"),
            ("Step 2", "Step 2"),
            ("11. Peat", "Peat"),
            ("12 onions", "12 onions"),
            ("3.2 Results of it", "3.2 Results of it"),
        ] {
            assert_eq!(&text[number_bytes(text)..], rest);
        }
    }

    #[test]
    fn headings_are_told_apart() {
        assert!(!is_version(" \u{FFFD}a") && is_numbered("1、准备") && is_version("  2.1"));
        for text in [
            "3.46.0",
            "Version 2.1 (2024-05-23)",
            "[1.2.0] - 2023-01-05",
            "v4.0.0-beta",
            "[Unreleased]",
            "2024-05-23",
        ] {
            assert!(is_version(text), "{text}");
        }
        for text in [
            "Installation",
            "2 ways to do it",
            "9.10.2. Restoring machines",
            "2.1 Results",
            "Why version matters to us and to every one of our customers 1.2",
        ] {
            assert!(!is_version(text), "{text}");
        }
        for text in ["Step 2: Mix", "3. Tighten the screw", "12) Dry", "Schritt 1", "第一步"] {
            assert!(is_numbered(text), "{text}");
        }
        assert!(!is_numbered("3.2 Results") && !is_numbered("1984"));
        for text in ["open(path)", "Vec::push", "GET /orders", "max_size", "list.sort"] {
            assert!(is_member(text), "{text}");
        }
        assert!(!is_member("Opening hours") && !is_member("History"));
        assert!(
            is_member("pub const fn push(&mut self, value: T)") && !is_member("public transport (by bus)")
        );
    }
}
