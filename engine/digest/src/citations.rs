//! Citations in a model's output, back to passages.

use super::numbered::NumberedPassage;
use super::words::head;

/// A line of a model's output without its citations, and the passages that it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedLine {
    /// The text, without citation marks and list marks.
    pub text: String,
    /// Indices into the passages that the prompt held, in the order cited, each once. Numbers that the prompt did not hold are
    /// dropped: a line may end up with none, which says that nothing on the page vouches for it.
    pub passages: Vec<usize>,
}

/// Longest run of passages that "[3-9]" may name.
const RANGE_MAX: usize = 20;
/// Longest text in brackets that is read. A model, or a server, may write brackets without an end.
const INSIDE_CHARS_MAX: usize = 200;

/// Splits a model's output into lines and reads their citations: [3], [3, 4], [3][4], [3-5], also in full-width brackets.
#[must_use]
pub fn parse_citations(output: &str, passages: &[NumberedPassage]) -> Vec<CitedLine> {
    let mut lines: Vec<CitedLine> = Vec::new();
    // A number beyond both is a year or the like, and stays in the text.
    let number_max = passages.last().map_or(0, |entry| entry.number).max(999);
    for line in output.lines() {
        let (text, numbers) = read_line(line, number_max);
        let mut cited = Vec::new();
        for number in numbers {
            let at = passages.binary_search_by_key(&number, |entry| entry.number);
            if let Ok(at) = at
                && !cited.contains(&at)
            {
                cited.push(at);
            }
        }
        if !text.chars().any(char::is_alphanumeric) {
            // Citations on a line of their own belong to the line above.
            if let Some(last) = lines.last_mut() {
                cited.retain(|at| !last.passages.contains(at));
                last.passages.append(&mut cited);
            }
            continue;
        }
        lines.push(CitedLine { text, passages: cited });
    }
    lines
}

/// A line's text and the numbers cited in it.
fn read_line(line: &str, number_max: usize) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(line.len());
    let mut numbers = Vec::new();
    let mut rest = strip_list_mark(line.trim());
    while let Some(open) = rest.find(['[', '【', '［']) {
        let bracket = rest[open..].chars().next().map_or(1, char::len_utf8);
        let inside_at = open + bracket;
        let close = head(&rest[inside_at..], INSIDE_CHARS_MAX).find([']', '】', '］']);
        let read =
            close.and_then(|len| read_numbers(&rest[inside_at..inside_at + len]).map(|found| (len, found)));
        match read {
            Some((len, found)) if found.iter().all(|&number| number <= number_max) => {
                text.push_str(rest[..open].trim_end());
                numbers.extend(found);
                let close_len = rest[inside_at + len..].chars().next().map_or(1, char::len_utf8);
                rest = &rest[inside_at + len + close_len..];
            }
            _ => {
                text.push_str(&rest[..inside_at]);
                rest = &rest[inside_at..];
            }
        }
    }
    text.push_str(rest);
    (text.trim().to_string(), numbers)
}

/// "- ", "* ", "• ", "1. " at the start of a line.
fn strip_list_mark(line: &str) -> &str {
    let bare = line.trim_start_matches(['-', '*', '•', '–']);
    if bare.len() < line.len() && bare.starts_with(char::is_whitespace) {
        return bare.trim_start();
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if (1..=2).contains(&digits)
        && line[digits..].starts_with([')', '.'])
        && line[digits + 1..].starts_with(' ')
    {
        return line[digits + 1..].trim_start();
    }
    line
}

/// "3", "3, 4", "3-5", "passage 3"; `None` for anything else.
fn read_numbers(inside: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in inside.split([',', ';', '、', '，']) {
        let part = part.trim().trim_start_matches("passages").trim_start_matches("passage").trim();
        let (first, last) = match part.split_once(['-', '–']) {
            Some((first, last)) => (read_number(first)?, read_number(last)?),
            None => (read_number(part)?, read_number(part)?),
        };
        if last < first || last - first >= RANGE_MAX {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

fn read_number(text: &str) -> Option<usize> {
    let text = text.trim();
    (text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{INSIDE_CHARS_MAX, read_line};

    #[test]
    fn brackets_without_an_end_are_text() {
        let mark = |blanks: usize| format!("It is old [{}3].", " ".repeat(blanks));
        assert_eq!(read_line(&mark(INSIDE_CHARS_MAX - 2), 999), ("It is old.".into(), vec![3]));
        assert_eq!(read_line(&mark(INSIDE_CHARS_MAX), 999), (mark(INSIDE_CHARS_MAX), vec![]));
        let brackets = "[".repeat(1 << 18);
        let start = std::time::Instant::now();
        assert_eq!(read_line(&brackets, 999), (brackets.clone(), vec![]));
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
