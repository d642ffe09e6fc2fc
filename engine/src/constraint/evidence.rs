//! No number and no name that the evidence does not have, token by token.

use std::cell::RefCell;
use std::rc::Rc;

use pith_digest::{Evidence, EvidenceReader};

use super::Constraint;
use crate::tokenizer::{Pieces, Tokenizer};

/// Keeps what is written to an [`Evidence`].
pub struct EvidenceConstraint {
    evidence: Rc<Evidence>,
    pieces: Pieces,
    ends: Vec<u32>,
    written: Written,
    /// The bytes of the token that is asked about.
    bytes: RefCell<Vec<u8>>,
}

/// What was written so far.
#[derive(Debug, Clone, Default)]
struct Written {
    reader: EvidenceReader,
    /// Bytes of a character that is not whole yet.
    tail: Vec<u8>,
}

impl std::fmt::Debug for EvidenceConstraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvidenceConstraint").field("written", &self.written).finish_non_exhaustive()
    }
}

impl EvidenceConstraint {
    /// For a new text by a model with this tokenizer.
    pub fn new(evidence: Rc<Evidence>, tokenizer: &Tokenizer) -> Self {
        let (pieces, ends) = (tokenizer.pieces(), tokenizer.ends().to_vec());
        Self { evidence, pieces, ends, written: Written::default(), bytes: RefCell::default() }
    }

    /// Adds a token. False for a control token, and where the evidence does not have what it completes or begins.
    fn read(&self, written: &mut Written, id: u32) -> bool {
        let mut bytes = self.bytes.borrow_mut();
        bytes.clear();
        bytes.append(&mut written.tail);
        let before = bytes.len();
        self.pieces.push(id, &mut bytes);
        if bytes.len() == before {
            return false;
        }
        let (text, tail) = match std::str::from_utf8(&bytes) {
            Ok(text) => (text, &[][..]),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                // Bytes that no character begins with become none.
                let tail = if error.error_len().is_none() { rest } else { &[] };
                (std::str::from_utf8(valid).unwrap_or_default(), tail)
            }
        };
        written.tail.extend_from_slice(tail);
        self.evidence.read(&mut written.reader, text)
    }
}

impl Constraint for EvidenceConstraint {
    fn allows(&self, id: u32) -> bool {
        if self.ends.contains(&id) {
            return self.evidence.may_end(&self.written.reader);
        }
        self.read(&mut self.written.clone(), id)
    }

    fn accept(&mut self, id: u32) {
        let mut written = std::mem::take(&mut self.written);
        self.read(&mut written, id);
        self.written = written;
    }
}
