//! A text without what nobody sees of it: what a program reads must be what a reader's eye reads.

use std::borrow::Cow;

/// A text as it is seen. Controls, marks that override the direction, spaces without width, tags, characters that stand for missing
/// ones are left out. Joiners, variation selectors and direction marks stay where a script or an emoji needs them. Ends of lines
/// and tabs stay.
#[must_use]
pub fn seen(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_unseen(c) || is_guest(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut last = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1F3F4}'
            && let Some((flag, rest)) =
                FLAGS.iter().find_map(|flag| Some((flag, chars.as_str().strip_prefix(flag)?)))
        {
            out.push(c);
            out.push_str(flag);
            (chars, last) = (rest.chars(), None);
            continue;
        }
        let next = chars.clone().next();
        let stays = match c {
            _ if is_unseen(c) => false,
            '\u{200C}' | '\u{200D}' => last.is_some_and(joins),
            '\u{061C}' | '\u{200E}' | '\u{200F}' => ends_rtl(&out) || next.is_some_and(is_rtl),
            _ if is_guest(c) => last.is_some_and(|last| is_varied(last, c)),
            _ => true,
        };
        if stays {
            out.push(c);
            last = Some(c);
        }
    }
    Cow::Owned(out)
}

/// Tags that make the flags of England, Scotland and Wales of a black one.
const FLAGS: [&str; 3] = [
    "\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
];

/// Left out everywhere. `extension/src/text/seen.ts` has the same list; `tests/digest/seen.json` holds them together.
fn is_unseen(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{34F}'
        | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}' | '\u{200B}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFF}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}

/// Not seen itself, but it may change how its neighbor looks.
fn is_guest(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200C}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{E0100}'..='\u{E01EF}')
}

/// Whether joiners belong to the spelling behind this character.
fn joins(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{600}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{1800}'..='\u{18AF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FE70}'..='\u{FEFC}')
        || is_pictograph(c)
}

/// Whether a text ends with a letter that is written from right to left, and at most two marks.
fn ends_rtl(text: &str) -> bool {
    let is_mark = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
    let marks = text.chars().rev().take(2).take_while(|c| is_mark(c) && !is_rtl(*c)).count();
    text.chars().rev().nth(marks).is_some_and(is_rtl)
}

fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{61B}' | '\u{61D}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203C}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{1F000}'..='\u{1FAFF}')
}

/// Whether a character is drawn in several ways that a selector tells apart.
fn is_varied(c: char, selector: char) -> bool {
    match selector {
        '\u{180B}'..='\u{180F}' => matches!(c, '\u{1800}'..='\u{18AF}'),
        '\u{FE0E}' | '\u{FE0F}' => is_pictograph(c) || matches!(c, '0'..='9' | '#' | '*'),
        _ => {
            matches!(c, '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
        }
    }
}
