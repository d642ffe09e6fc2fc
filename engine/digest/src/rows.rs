//! Rows of tables. A block of kind "table" is one row; its cells are separated by TAB.

use std::collections::HashSet;

use super::words::{each_term, head};

/// Cells of a row that are read.
const CELLS_MAX: usize = 64;
/// Characters of a header that are read.
const HEADER_CHARS_MAX: usize = 120;

/// The row as "header: cell; header: cell". A row header without a column header comes first, followed by the other cells.
/// A cell without a header stands alone. `None` where the text has no second cell and no header: such a cell says nothing alone.
pub(super) fn describe(text: &str, headers: &[String]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut cells = 0;
    for (at, cell) in text.split('\t').take(CELLS_MAX).enumerate() {
        let cell = cell.trim();
        if cell.is_empty() {
            continue;
        }
        cells += 1;
        let header = headers.get(at).map_or("", |header| head(header.trim(), HEADER_CHARS_MAX));
        if header.is_empty() || header == cell {
            parts.push(cell.to_string());
        } else {
            parts.push(format!("{header}: {cell}"));
        }
    }
    let has_header = parts.iter().any(|part| part.contains(": "));
    match cells {
        0 => None,
        1 if !has_header => None,
        // "Noise: 45 dB": in a table without headers the first cell names what the second one says.
        2 if headers.iter().all(|header| header.trim().is_empty()) => Some(parts.join(": ")),
        _ => Some(parts.join("; ")),
    }
}

/// For each column but the first, which says what a row is about: whether a question with these words names its header.
pub(super) fn asked_columns(headers: &[String], words: &HashSet<String>) -> Vec<bool> {
    let is_asked = |header: &String| {
        let (mut all, mut found) = (0, 0);
        each_term(header, false, &mut |word| {
            all += 1;
            found += usize::from(words.contains(word));
        });
        all > 0 && all == found
    };
    headers.iter().take(CELLS_MAX).skip(1).map(is_asked).collect()
}

/// Whether a row has no cell in a column that is asked for, and none in another one that is.
pub(super) fn is_blank(text: &str, asked: &[bool]) -> bool {
    if !asked.contains(&true) {
        return false;
    }
    let cells = text.split('\t').skip(1).chain(std::iter::repeat(""));
    asked.iter().zip(cells).all(|(is_asked, cell)| !is_asked || cell.trim().is_empty())
}

/// The headers of a row as they are kept: no more than there are cells, each bounded.
pub(super) fn bounded(headers: &[String]) -> Vec<String> {
    headers.iter().take(CELLS_MAX).map(|header| head(header.trim(), HEADER_CHARS_MAX).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::{asked_columns, describe, is_blank};

    #[test]
    fn a_row_without_the_cell_that_is_asked_for_is_blank() {
        let headers = ["", "2023", "2024", "Price of fuel"].map(String::from);
        for (text, asked, expected) in [
            ("Boats\t\t1,204\t2", "how many boats in 2023", true),
            ("Boats\t\t1,204\t2", "how many boats in 2024", false),
            ("Boats\t\t1,204\t2", "how many boats in 2023 and 2024", false),
            ("Boats\t31", "how many boats in 2024", true),
            ("Boats\t31\t32\t", "what is the price of fuel", true),
            ("Boats\t31\t32\t", "what is the price", false),
            ("Boats\t\t\t", "how many boats", false),
        ] {
            let words = asked.split(' ').map(String::from).collect();
            assert_eq!(is_blank(text, &asked_columns(&headers, &words)), expected, "{text}: {asked}");
        }
    }

    #[test]
    fn a_row_is_described_with_its_headers() {
        for (text, headers, expected) in [
            ("Noise\t45 dB", &[][..], Some("Noise: 45 dB")),
            ("K1\t45 dB\t2 kg", &["", "Noise", "Weight"], Some("K1; Noise: 45 dB; Weight: 2 kg")),
            ("Noise\t45 dB\t50 dB", &["Property", "K1", "K2"], Some("Property: Noise; K1: 45 dB; K2: 50 dB")),
            ("Noise\t45 dB", &["", ""], Some("Noise: 45 dB")),
            ("45 dB", &["Noise"], Some("Noise: 45 dB")),
            ("a\t\tb\tc", &[], Some("a; b; c")),
            ("45 dB", &[], None),
            ("", &["Noise"], None),
        ] {
            let headers: Vec<String> = headers.iter().map(|header| (*header).to_string()).collect();
            assert_eq!(describe(text, &headers).as_deref(), expected, "{text}");
        }
    }
}
