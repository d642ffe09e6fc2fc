//! Whether a proposed boundary is none: the stop belongs to an abbreviation, an initial, an ordinal, a list mark, an
//! address, or the sentence goes on after a quotation. Every rule looks at a bounded piece on either side.

use super::abbreviations::{self, Abbreviation};
use super::words::{Script, is_invisible, script_of};

/// Bytes looked at before a boundary.
const TAIL_BYTES_MAX: usize = 120;
/// Bytes looked at behind it.
const HEAD_BYTES_MAX: usize = 80;

pub(crate) fn is_closing(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | '"'
            | '\''
            | '»'
            | '”'
            | '’'
            | '›'
            | '“'
            | '‘'
            | '«'
            | '」'
            | '』'
            | '】'
            | '〉'
            | '》'
            | '〕'
            | '）'
            | '］'
            | '｝'
            | '｣'
    )
}

pub(crate) fn is_opening(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '«'
            | '“'
            | '‘'
            | '‹'
            | '„'
            | '‚'
            | '「'
            | '『'
            | '【'
            | '〈'
            | '《'
            | '〔'
            | '（'
            | '［'
            | '｛'
            | '｢'
            | '¿'
            | '¡'
    )
}

/// What the rules see of a boundary.
struct Sides<'a> {
    /// The sentence so far, or its end, without the space before the boundary.
    left: &'a str,
    /// `left` without closing marks.
    stem: &'a str,
    /// What follows, or its beginning.
    right: &'a str,
    /// True where `left` is the whole sentence so far.
    whole: bool,
    /// The first letter or digit on the right.
    next: char,
}

/// Whether the text before `cut` and the text behind it are one sentence, which began at `start`.
pub(crate) fn joins(text: &str, start: usize, cut: usize, language: &str) -> bool {
    let mut from = start.max(cut.saturating_sub(TAIL_BYTES_MAX));
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = text.len().min(cut + HEAD_BYTES_MAX);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let (before, right) = (&text[from..cut], &text[cut..to]);
    let left = before.trim_end();
    let Some(first) = right.chars().find(|c| !c.is_whitespace()) else { return false };
    if !left.chars().any(char::is_alphanumeric) && from == start {
        return true;
    }
    let stem = left.trim_end_matches(|c: char| is_closing(c) || is_invisible(c) || c.is_whitespace());
    let stop = stem.chars().next_back().unwrap_or(' ');
    let next = right.chars().find(|c| c.is_alphanumeric()).unwrap_or(' ');
    let sides = Sides { left, stem, right, whole: from == start, next };

    let gap = &before[left.len()..];
    if gap.contains(['\n', '\r']) && !is_stop(stop) {
        // A wrapped line, not the end of a sentence; an empty line is one.
        return gap.matches('\n').count() < 2;
    }
    if !before[stem.len()..].contains(char::is_whitespace) && matches!(stop, '.' | '!' | '?' | '…' | ':') {
        // Addresses, file names, operators: nothing is between them. Chinese and Japanese need no space.
        return !matches!(script_of(first), Script::Han) && (!is_opening(first) || first == '[');
    }
    if is_wide(stop) || matches!(script_of(next), Script::Han) {
        let in_title = left.rfind('《') > left.rfind('》');
        return in_title || goes_on_in_japanese(&sides);
    }
    if is_list_mark(&sides) || matches!(first, '&' | '%' | '+' | '=') || cites(&sides) {
        return true;
    }
    if matches!(stop, '!' | '?' | '…') || stem.ends_with("..") {
        return next.is_lowercase() && !has_capital_inside(right);
    }
    stop == '.' && joins_after_stop(&sides, language)
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | ';')
        || is_wide(c)
        || matches!(c, '।' | '॥' | '؟' | '۔' | '։' | '።' | '။' | '។')
}

fn is_wide(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．')
}

/// 「…。」と言った: a particle cannot open a sentence.
fn goes_on_in_japanese(sides: &Sides) -> bool {
    let quoted = sides.stem.len() < sides.left.len();
    quoted && sides.right.starts_with(['と', 'っ', 'を', 'が', 'に', 'の', 'は', '、', '，'])
}

/// "1." or "(b)" or "iv." alone at the start.
fn is_list_mark(sides: &Sides) -> bool {
    if !sides.whole || sides.left.len() > 8 {
        return false;
    }
    let mark = sides.left.trim_matches(|c: char| !c.is_alphanumeric());
    let roman = || mark.chars().all(|c| "ivxIVX".contains(c));
    (mark.chars().all(|c| c.is_numeric()) && mark.chars().count() <= 3)
        || mark.chars().count() == 1
        || roman()
}

fn has_capital_inside(right: &str) -> bool {
    right.chars().skip_while(|c| !c.is_alphanumeric()).skip(1).take(2).any(char::is_uppercase)
}

/// "..." (Smith 55). The stop behind the bracket ends the quotation.
fn cites(sides: &Sides) -> bool {
    let quoted = sides.left.ends_with(['"', '”', '»', '“']) && sides.stem.len() < sides.left.len();
    let inside = sides.right.strip_prefix('(').and_then(|right| right.split_once(')'));
    quoted && inside.is_some_and(|(inside, behind)| !inside.ends_with(is_stop) && behind.starts_with('.'))
}

/// The rules for a single full stop.
fn joins_after_stop(sides: &Sides, language: &str) -> bool {
    if has_capital_inside(sides.right) && sides.next.is_lowercase() {
        return false;
    }
    let body = sides.stem[..sides.stem.len() - 1].trim_end_matches(is_invisible);
    let token =
        body.rsplit(|c: char| c.is_whitespace() || matches!(c, '/' | '–' | '—')).next().unwrap_or_default();
    // l'Ing.
    let token = match token.rsplit_once(['\'', '’']) {
        Some((article, noun)) if article.chars().count() <= 5 && !noun.is_empty() => noun,
        _ => token,
    };
    let token = token.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '§');
    if token.is_empty() {
        return false;
    }
    let word: String = first_word(sides.right);
    // A letter with a stop is an initial.
    let begun = sides.right.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_letter = begun.chars().nth(1) == Some('.');
    let opener = !is_letter && abbreviations::opens_sentences(&word.to_lowercase());
    let number_follows = sides.next.is_numeric() || is_roman(&word);
    let closed = sides.left[sides.stem.len()..].contains(is_closing);
    let lower = token.to_lowercase();
    match abbreviations::find(language, &lower) {
        Some(Abbreviation::Leading) => return !closed,
        Some(Abbreviation::Either) => return !opener && !sides.next.is_numeric(),
        Some(Abbreviation::BeforeNumber) if number_follows => return true,
        _ => {}
    }
    if is_initial(token, language) {
        // "z. B. 5 Euro": a number may follow letters that belong together, not a single one ("vitamin C. 12 people").
        return !closed && !opener && (!sides.next.is_numeric() || follows_letter(body, token));
    }
    is_ordinal(token, language) && !opener && !closed
}

/// The word that a sentence on the right would begin with.
fn first_word(right: &str) -> String {
    right
        .chars()
        .skip_while(|c| !c.is_alphanumeric())
        .take_while(|c| c.is_alphanumeric() || matches!(c, '’' | '\'' | '-'))
        .filter(|c| !matches!(c, '’'))
        .collect()
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| "IVXLCDM".contains(c))
}

/// J. or J.R. or ז. or, in Hindi, a spelled letter as in ए. पी. जे.
fn is_initial(token: &str, language: &str) -> bool {
    if language == "hi" {
        return abbreviations::HINDI_LETTERS.split(' ').any(|letter| letter == token);
    }
    let dotted = token.contains('.');
    token.split(['.', '-']).all(|part| {
        let mut chars = part.chars();
        let first = chars.next();
        let single = chars.next().is_none();
        // German writes z. B. and d. h. with a space.
        let cased = |c: char| {
            c.is_uppercase() || !c.is_lowercase() || dotted || matches!(language, "de" | "ru" | "uk" | "pl")
        };
        single && first.is_some_and(|c| c.is_alphabetic() && cased(c))
    })
}

/// Whether a letter with a stop stands before `token`, which ends `body`.
fn follows_letter(body: &str, token: &str) -> bool {
    let before = body[..body.len() - token.len()].trim_end();
    let mut last = before.chars().rev();
    last.next() == Some('.')
        && last.next().is_some_and(char::is_alphabetic)
        && last.next().is_none_or(|c| !c.is_alphanumeric())
}

/// 3. Oktober, 19. Jahrhundert.
fn is_ordinal(token: &str, language: &str) -> bool {
    let is_number = token.len() <= 2 && token.bytes().all(|b| b.is_ascii_digit());
    abbreviations::writes_ordinals_with_stop(language) && (is_number || token.len() > 1 && is_roman(token))
}
