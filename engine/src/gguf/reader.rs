use std::collections::HashSet;

use super::cursor::{Cursor, Stop};
use super::directory;
use super::error::shown;
use super::limits::{
    ALIGNMENT_BYTES_DEFAULT, ALIGNMENT_BYTES_MAX, ALIGNMENT_BYTES_MIN, HEADER_BYTES_MAX, KEY_ENTRY_BYTES_MIN,
    KEY_LEN_BYTES_MAX, KEYS_MAX, TENSOR_ENTRY_BYTES_MIN, TENSORS_MAX,
};
use super::values::{self, Elements, Start};
use super::{GgufError, Header, Metadata, TensorInfo, Value, check_metadata};

/// What [`HeaderReader::push`] answers.
#[derive(Debug)]
pub enum Progress {
    /// The header goes on for at least this many bytes beyond those pushed so far. Pushing exactly as many each time
    /// never reads past the header's end.
    NeedMore {
        /// More than zero, and never more than the file goes on for where its length is known.
        at_least_bytes: u64,
    },
    /// The header is complete and checked. Bytes pushed beyond it were ignored.
    Done(Box<Header>),
}

/// Reads a GGUF header (version 2 or 3, little-endian) from bytes in any slicing.
///
/// Work is linear in the bytes pushed; beside the header itself only the incomplete last item is kept. After an error
/// every further push gives the same error.
pub struct HeaderReader {
    file_len_bytes: Option<u64>,
    /// Position in the file of the first byte that belongs to no finished item.
    base_bytes: u64,
    /// The beginning of an unfinished item, shorter than `need`.
    pending: Vec<u8>,
    /// Bytes from the item's start without which it cannot be finished.
    need: usize,
    state: State,
    version: u32,
    keys_left: u64,
    tensors_left: u64,
    strings_total: u64,
    metadata: Metadata,
    names: HashSet<String>,
    /// Offsets are relative to the data section until the header is finished.
    tensors: Vec<TensorInfo>,
}

enum State {
    Magic,
    Version,
    Counts,
    Key,
    Value { key: String, at_bytes: u64, type_id: u32 },
    Elements { key: String, at_bytes: u64, elements: Elements },
    Tensor,
    End,
    Failed(GgufError),
}

impl HeaderReader {
    /// With `file_len_bytes` known, whatever cannot be inside the file is refused at once.
    pub fn new(file_len_bytes: Option<u64>) -> Self {
        HeaderReader {
            file_len_bytes,
            base_bytes: 0,
            pending: Vec::new(),
            need: 1,
            state: State::Magic,
            version: 0,
            keys_left: 0,
            tensors_left: 0,
            strings_total: 0,
            metadata: Metadata::default(),
            names: HashSet::new(),
            tensors: Vec::new(),
        }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// Every rule that the header breaks, see [`GgufError`]; `Finished` after a `Done`.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress, GgufError> {
        if let State::Failed(error) = &self.state {
            return Err(error.clone());
        }
        let result = self.advance(bytes);
        if let Err(error) = &result {
            self.state = State::Failed(error.clone());
            self.pending = Vec::new();
        }
        result
    }

    fn advance(&mut self, mut input: &[u8]) -> Result<Progress, GgufError> {
        loop {
            if matches!(self.state, State::End) {
                return self.finish().map(|header| Progress::Done(Box::new(header)));
            }
            let used = if self.pending.is_empty() {
                let used = self.read_item(input)?;
                input = input.get(used..).unwrap_or_default();
                used
            } else {
                let missing = self.need.saturating_sub(self.pending.len()).min(input.len());
                let (taken, rest) = input.split_at(missing);
                self.pending.extend_from_slice(taken);
                input = rest;
                let item = std::mem::take(&mut self.pending);
                let used = self.read_item(&item)?;
                self.pending = item;
                self.pending.drain(..used);
                used
            };
            if used == 0 && input.is_empty() {
                return Ok(self.need_more());
            }
            if used == 0 && self.pending.is_empty() {
                self.pending.extend_from_slice(input);
                return Ok(self.need_more());
            }
        }
    }

    /// Reads one item (of an array, as many elements as there are) from `bytes`, which begin where the item does.
    /// Returns the bytes used: 0 where the item is not whole.
    fn read_item(&mut self, bytes: &[u8]) -> Result<usize, GgufError> {
        let mut c = Cursor::new(bytes, self.base_bytes, self.file_len_bytes);
        match self.step(&mut c) {
            Ok(()) => {
                self.base_bytes = c.position_bytes();
                self.need = 1;
                Ok(c.used())
            }
            Err(Stop::Short { need }) => {
                self.need = need;
                Ok(0)
            }
            Err(Stop::Bad(error)) => Err(error),
        }
    }

    fn step(&mut self, c: &mut Cursor) -> Result<(), Stop> {
        match &mut self.state {
            State::Magic => {
                check_magic(c.array()?)?;
                self.state = State::Version;
            }
            State::Version => {
                self.version = check_version(c.u32()?)?;
                self.state = State::Counts;
            }
            State::Counts => self.read_counts(c)?,
            State::Key => self.read_key(c)?,
            State::Value { key, at_bytes, type_id } => {
                let start = values::start(c, key, *type_id, &mut self.strings_total)?;
                let (key, at_bytes) = (std::mem::take(key), *at_bytes);
                match start {
                    Start::Whole(value) => self.key_done(key, at_bytes, value)?,
                    Start::Array(elements) => self.state = State::Elements { key, at_bytes, elements },
                }
            }
            State::Elements { key, at_bytes, elements } => {
                elements.read(c, key)?;
                if let Some(value) = elements.take_whole() {
                    let (key, at_bytes) = (std::mem::take(key), *at_bytes);
                    self.key_done(key, at_bytes, value)?;
                }
            }
            State::Tensor => {
                let at_bytes = c.position_bytes();
                let tensor = directory::read_entry(c, alignment_bytes(&self.metadata))?;
                if !self.names.insert(tensor.name.clone()) {
                    return Err(GgufError::DuplicateTensor { at_bytes, tensor: shown(&tensor.name) }.into());
                }
                self.tensors.push(tensor);
                self.tensors_left -= 1;
                self.state = self.next_entry();
            }
            State::End => {}
            State::Failed(error) => return Err(error.clone().into()),
        }
        Ok(())
    }

    fn read_counts(&mut self, c: &mut Cursor) -> Result<(), Stop> {
        let tensors = c.u64()?;
        let keys = c.u64()?;
        if tensors > TENSORS_MAX {
            return Err(GgufError::TooManyTensors { count: tensors, limit: TENSORS_MAX }.into());
        }
        if keys > KEYS_MAX {
            return Err(GgufError::TooManyKeys { count: keys, limit: KEYS_MAX }.into());
        }
        c.room(keys * KEY_ENTRY_BYTES_MIN + tensors * TENSOR_ENTRY_BYTES_MIN)?;
        (self.keys_left, self.tensors_left) = (keys, tensors);
        self.state = self.next_entry();
        Ok(())
    }

    fn read_key(&mut self, c: &mut Cursor) -> Result<(), Stop> {
        let at_bytes = c.position_bytes();
        let key = c.string(
            KEY_LEN_BYTES_MAX,
            |at_bytes, len_bytes| GgufError::KeyTooLong {
                at_bytes,
                len_bytes,
                limit_bytes: KEY_LEN_BYTES_MAX,
            },
            || "a key".to_owned(),
        )?;
        if key.is_empty() {
            return Err(GgufError::EmptyKey { at_bytes }.into());
        }
        if self.metadata.get(key).is_some() {
            return Err(GgufError::DuplicateKey { at_bytes, key: shown(key) }.into());
        }
        let type_id = c.u32()?;
        self.state = State::Value { key: key.to_owned(), at_bytes, type_id };
        Ok(())
    }

    fn key_done(&mut self, key: String, at_bytes: u64, value: Value) -> Result<(), GgufError> {
        if key == ALIGNMENT_KEY {
            check_alignment(&value)?;
        }
        let name = shown(&key);
        if !self.metadata.insert(key, value) {
            return Err(GgufError::DuplicateKey { at_bytes, key: name });
        }
        self.keys_left -= 1;
        self.state = self.next_entry();
        Ok(())
    }

    fn next_entry(&self) -> State {
        match (self.keys_left, self.tensors_left) {
            (0, 0) => State::End,
            (0, _) => State::Tensor,
            _ => State::Key,
        }
    }

    fn need_more(&self) -> Progress {
        let current = self.need.saturating_sub(self.pending.len()).max(1) as u64;
        let keys_after = self.keys_left.saturating_sub(1) * KEY_ENTRY_BYTES_MIN;
        let tensors = self.tensors_left * TENSOR_ENTRY_BYTES_MIN;
        let later = match &self.state {
            State::Magic => 4 + 16,
            State::Version => 16,
            State::Value { .. } | State::Key => keys_after + tensors,
            State::Elements { elements, .. } => elements.rest_after_one_bytes_min() + keys_after + tensors,
            State::Tensor => tensors.saturating_sub(TENSOR_ENTRY_BYTES_MIN),
            State::Counts | State::End | State::Failed(_) => 0,
        };
        // The announced entries may not fit behind what is read already; the item that does not fit will say so.
        let end_bytes = self.file_len_bytes.unwrap_or(u64::MAX).min(HEADER_BYTES_MAX);
        let left_bytes = end_bytes.saturating_sub(self.base_bytes.saturating_add(self.pending.len() as u64));
        Progress::NeedMore { at_least_bytes: (current + later).min(left_bytes.max(1)) }
    }

    fn finish(&mut self) -> Result<Header, GgufError> {
        let metadata = std::mem::take(&mut self.metadata);
        check_metadata(&metadata)?;
        let alignment_bytes = alignment_bytes(&metadata);
        let data_offset_bytes = self.base_bytes.next_multiple_of(alignment_bytes);
        let mut tensors = std::mem::take(&mut self.tensors);
        self.names = HashSet::new();
        directory::place(&mut tensors, data_offset_bytes)?;
        let version = self.version;
        let header = Header { version, metadata, tensors, alignment_bytes, data_offset_bytes, files: 1 };
        if let Some(file_len_bytes) = self.file_len_bytes {
            header.check_file_len(file_len_bytes)?;
        }
        self.state = State::Failed(GgufError::Finished);
        Ok(header)
    }
}

const ALIGNMENT_KEY: &str = "general.alignment";

fn check_magic(found: [u8; 4]) -> Result<(), GgufError> {
    match &found {
        b"GGUF" => Ok(()),
        // Some writers for big-endian machines swap the magic as well.
        b"FUGG" => Err(GgufError::BigEndian),
        _ => Err(GgufError::NotGguf { found }),
    }
}

fn check_version(version: u32) -> Result<u32, GgufError> {
    match version {
        2 | 3 => Ok(version),
        // A small number in the other byte order.
        _ if version != 0 && version & 0xffff == 0 => Err(GgufError::BigEndian),
        _ => Err(GgufError::UnsupportedVersion { version }),
    }
}

fn check_alignment(value: &Value) -> Result<(), GgufError> {
    let &Value::U32(alignment) = value else {
        return Err(GgufError::WrongKeyType {
            key: ALIGNMENT_KEY.to_owned(),
            expected: "a 32-bit unsigned integer",
        });
    };
    let value = u64::from(alignment);
    if !value.is_power_of_two() || !(ALIGNMENT_BYTES_MIN..=ALIGNMENT_BYTES_MAX).contains(&value) {
        return Err(GgufError::BadAlignment { value });
    }
    Ok(())
}

/// The alignment that the metadata read so far ask for; `check_alignment` has seen the key.
fn alignment_bytes(metadata: &Metadata) -> u64 {
    metadata.u64(ALIGNMENT_KEY).unwrap_or(ALIGNMENT_BYTES_DEFAULT)
}
