//! Strings that remember which of their bytes the template wrote.

use super::error::Fault;
use super::fuel::{Account, Fuel};
use crate::TextPart;
use std::ops::Range;
use std::rc::Rc;

/// An immutable string with the origin of every byte: a part of what a [`Builder`] put together, which slices share.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    whole: Rc<Builder>,
    start: u32,
    end: u32,
    /// Marked by `safe` or `escape`; nothing is escaped here, but templates can ask.
    pub(crate) is_markup: bool,
}

impl Text {
    /// A text of one origin.
    pub(crate) fn new(fuel: &Rc<Fuel>, text: &str, trusted: bool) -> Result<Self, Fault> {
        let mut builder = Builder::new(fuel);
        builder.push(text, trusted)?;
        Ok(builder.finish())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.whole.text[self.start as usize..self.end as usize]
    }

    pub(crate) fn fuel(&self) -> &Rc<Fuel> {
        self.whole.account.fuel()
    }

    /// The whole string, after it is charged for being read.
    pub(crate) fn read(&self) -> Result<&str, Fault> {
        let text = self.as_str();
        self.fuel().bytes(text.len())?;
        Ok(text)
    }

    /// How many characters it has.
    pub(crate) fn chars_len(&self) -> Result<usize, Fault> {
        Ok(self.read()?.chars().count())
    }

    /// The runs of one origin, in order: byte range, written by the template or not.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (Range<usize>, bool)> + '_ {
        let first = self.whole.runs.partition_point(|&(end, _)| end <= self.start);
        let mut at = self.start;
        self.whole.runs[first..].iter().map_while(move |&(end, trusted)| {
            let run = at..end.min(self.end);
            at = run.end;
            let range = (run.start - self.start) as usize..(run.end.max(run.start) - self.start) as usize;
            (run.start < run.end).then_some((range, trusted))
        })
    }

    /// The part in a byte range, which must lie on character boundaries.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        Self {
            whole: Rc::clone(&self.whole),
            start: self.start + range.start as u32,
            end: self.start + range.end as u32,
            is_markup: false,
        }
    }

    /// The part that `part`, a slice of this text's own string, is.
    pub(crate) fn subslice(&self, part: &str) -> Self {
        let start = (part.as_ptr() as usize).saturating_sub(self.as_str().as_ptr() as usize);
        self.slice(start..start + part.len())
    }

    /// Each character replaced by what `map` gives, with its origin.
    pub(crate) fn map_chars(&self, map: &mut dyn FnMut(usize, char, &mut String)) -> Result<Self, Fault> {
        /// Charged and written at once, bytes.
        const STRETCH_BYTES: usize = 1 << 10;
        let mut builder = Builder::new(self.fuel());
        let mut mapped = String::new();
        let text = self.as_str();
        for (range, trusted) in self.runs() {
            for (at, c) in text[range.clone()].char_indices() {
                map(range.start + at, c, &mut mapped);
                if mapped.len() >= STRETCH_BYTES {
                    builder.fuel().bytes(STRETCH_BYTES)?;
                    builder.push(&mapped, trusted)?;
                    mapped.clear();
                }
            }
            builder.push(&mapped, trusted)?;
            mapped.clear();
        }
        // To look at each character takes longer than to copy it.
        self.fuel().bytes(3 * text.len())?;
        Ok(builder.finish())
    }

    /// Whether every byte was written by the template; true for an empty text.
    pub(crate) fn is_trusted(&self) -> bool {
        self.runs().all(|(_, trusted)| trusted)
    }

    /// The parts of one origin. They are counted before they are made.
    pub(crate) fn parts(&self) -> Result<Vec<TextPart>, Fault> {
        let runs_len = self.runs().count();
        let part_bytes = size_of::<TextPart>() + size_of::<usize>();
        self.fuel().room(self.read()?.len().saturating_add(runs_len.saturating_mul(part_bytes)))?;
        let mut parts = Vec::with_capacity(runs_len);
        parts.extend(
            self.runs().map(|(range, trusted)| TextPart { text: self.as_str()[range].to_owned(), trusted }),
        );
        Ok(parts)
    }
}

/// Repeated texts are copied in pieces of about so many bytes.
const REPEATED_BYTES: usize = 1 << 16;

/// Puts a text together.
#[derive(Debug)]
pub(crate) struct Builder {
    text: String,
    /// Each by its end and whether the template wrote it; neighbours differ.
    runs: Vec<(u32, bool)>,
    account: Account,
}

impl Builder {
    pub(crate) fn new(fuel: &Rc<Fuel>) -> Self {
        Self { text: String::new(), runs: Vec::new(), account: Account::new(fuel) }
    }

    pub(crate) fn fuel(&self) -> &Rc<Fuel> {
        self.account.fuel()
    }

    pub(crate) fn push(&mut self, text: &str, trusted: bool) -> Result<(), Fault> {
        if text.is_empty() {
            return Ok(());
        }
        self.fuel().bytes(text.len() + 8)?;
        self.reserve(text.len())?;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        match self.runs.last_mut() {
            Some(last) if last.1 == trusted => last.0 = end,
            _ => {
                let (len, capacity) = (self.runs.len(), self.runs.capacity());
                if len == capacity {
                    let capacity = self.account.grow::<(u32, bool)>(capacity, len + 1)?;
                    self.runs.reserve_exact(capacity - len);
                }
                self.runs.push((end, trusted));
            }
        }
        Ok(())
    }

    /// Makes room for `more` bytes.
    fn reserve(&mut self, more: usize) -> Result<(), Fault> {
        let (len, capacity) = (self.text.len(), self.text.capacity());
        let wanted = len.saturating_add(more);
        if wanted > capacity {
            let capacity = self.account.grow::<u8>(capacity, wanted)?;
            self.text.reserve_exact(capacity - len);
        }
        Ok(())
    }

    pub(crate) fn push_text(&mut self, text: &Text) -> Result<(), Fault> {
        let source = text.as_str();
        text.runs().try_for_each(|(range, trusted)| self.push(&source[range], trusted))
    }

    /// The same text over and over.
    pub(crate) fn push_repeated(&mut self, text: &Text, count: usize) -> Result<(), Fault> {
        if text.as_str().is_empty() {
            return Ok(());
        }
        let source = text.as_str();
        self.reserve(source.len().saturating_mul(count))?;
        let mut runs = text.runs();
        if let (Some((_, trusted)), None) = (runs.next(), runs.next()) {
            let at_once = (REPEATED_BYTES / source.len()).clamp(1, count.max(1));
            let many = source.repeat(at_once);
            (0..count / at_once).try_for_each(|_| self.push(&many, trusted))?;
            return self.push(&many[..count % at_once * source.len()], trusted);
        }
        (0..count).try_for_each(|_| self.push_text(text))
    }

    pub(crate) fn finish(self) -> Text {
        let end = self.text.len() as u32;
        Text { whole: Rc::new(self), start: 0, end, is_markup: false }
    }
}
