//! Strings that remember which of their bytes the template wrote.

use std::ops::Range;
use std::rc::Rc;

/// Where the bytes of a string come from.
#[derive(Debug, Clone)]
enum Origin {
    /// All from the template (true), or all from a value that it was given (false).
    All(bool),
    /// Runs, each by its end and whether the template wrote it; neighbours differ.
    Runs(Rc<[(usize, bool)]>),
}

/// An immutable string with the origin of every byte. Two texts are equal when their characters are.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    text: Rc<str>,
    origin: Origin,
    /// Marked by `safe` or `escape`; nothing is escaped here, but templates can ask.
    pub(crate) is_markup: bool,
}

impl Text {
    /// A text of one origin.
    pub(crate) fn new(text: &str, trusted: bool) -> Self {
        Self { text: text.into(), origin: Origin::All(trusted), is_markup: false }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The runs of one origin, in order: byte range, written by the template or not.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (Range<usize>, bool)> + '_ {
        let single = match &self.origin {
            Origin::All(trusted) if !self.text.is_empty() => Some((0..self.text.len(), *trusted)),
            _ => None,
        };
        let runs: &[(usize, bool)] = match &self.origin {
            Origin::Runs(runs) => runs,
            Origin::All(_) => &[],
        };
        let mut start = 0;
        single.into_iter().chain(runs.iter().map(move |&(end, trusted)| {
            let range = start..end;
            start = end;
            (range, trusted)
        }))
    }

    /// The part in a byte range, which must lie on character boundaries.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let mut builder = Builder::default();
        builder.push_slice(self, range);
        builder.finish()
    }

    /// The part that `part`, a slice of this text's own string, is.
    pub(crate) fn subslice(&self, part: &str) -> Self {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.slice(start..start + part.len())
    }

    /// Each character replaced by what `map` gives, with its origin.
    pub(crate) fn map_chars(&self, mut map: impl FnMut(usize, char, &mut String)) -> Self {
        let mut builder = Builder::default();
        for (range, trusted) in self.runs() {
            let mut mapped = String::with_capacity(range.len());
            for (at, c) in self.text[range.clone()].char_indices() {
                map(range.start + at, c, &mut mapped);
            }
            builder.push(&mapped, trusted);
        }
        builder.finish()
    }

    /// Whether every byte was written by the template; true for an empty text.
    pub(crate) fn is_trusted(&self) -> bool {
        self.runs().all(|(_, trusted)| trusted)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Puts a text together.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    text: String,
    runs: Vec<(usize, bool)>,
}

impl Builder {
    pub(crate) fn push(&mut self, text: &str, trusted: bool) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some(last) if last.1 == trusted => last.0 = self.text.len(),
            _ => self.runs.push((self.text.len(), trusted)),
        }
    }

    pub(crate) fn push_text(&mut self, text: &Text) {
        self.push_slice(text, 0..text.as_str().len());
    }

    pub(crate) fn push_slice(&mut self, text: &Text, range: Range<usize>) {
        for (run, trusted) in text.runs() {
            let part = run.start.max(range.start)..run.end.min(range.end);
            if part.start < part.end {
                self.push(&text.text[part], trusted);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn finish(self) -> Text {
        let origin = match self.runs.as_slice() {
            [] => Origin::All(true),
            [(_, trusted)] => Origin::All(*trusted),
            _ => Origin::Runs(self.runs.into()),
        };
        Text { text: self.text.into(), origin, is_markup: false }
    }
}
