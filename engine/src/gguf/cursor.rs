use super::GgufError;
use super::limits::HEADER_BYTES_MAX;

/// Why an item could not be read from the bytes at hand.
pub(super) enum Stop {
    /// The item needs this many bytes from its start, more than there are.
    Short { need: usize },
    /// No further byte can make the header good.
    Bad(GgufError),
}

impl From<GgufError> for Stop {
    fn from(error: GgufError) -> Self {
        Stop::Bad(error)
    }
}

/// Reads little-endian fields of one item. Lengths from the file are compared with the limits before anything is taken.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    base_bytes: u64,
    file_len_bytes: Option<u64>,
}

impl<'a> Cursor<'a> {
    /// `bytes` begin at `base_bytes` of the file.
    pub fn new(bytes: &'a [u8], base_bytes: u64, file_len_bytes: Option<u64>) -> Self {
        Cursor { bytes, at: 0, base_bytes, file_len_bytes }
    }

    /// Bytes read so far.
    pub fn used(&self) -> usize {
        self.at
    }

    /// Back to where `used` was `at`.
    pub fn rewind(&mut self, at: usize) {
        self.at = at;
    }

    /// Position in the file.
    pub fn position_bytes(&self) -> u64 {
        self.base_bytes.saturating_add(self.at as u64)
    }

    /// What is at hand beyond the position.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Fails where `len_bytes` more cannot be in the header.
    ///
    /// # Errors
    /// `Truncated` past the end of the file, `HeaderTooBig` past [`HEADER_BYTES_MAX`].
    pub fn room(&self, len_bytes: u64) -> Result<(), GgufError> {
        let at_bytes = self.position_bytes();
        let needed_bytes = at_bytes.saturating_add(len_bytes);
        match self.file_len_bytes {
            Some(file_len_bytes) if needed_bytes > file_len_bytes => {
                Err(GgufError::Truncated { at_bytes, needed_bytes, file_len_bytes })
            }
            _ if needed_bytes > HEADER_BYTES_MAX => {
                Err(GgufError::HeaderTooBig { at_bytes, limit_bytes: HEADER_BYTES_MAX })
            }
            _ => Ok(()),
        }
    }

    /// The next `len_bytes` bytes.
    ///
    /// # Errors
    /// `Short` where they have not arrived yet; else as [`Self::room`].
    pub fn take(&mut self, len_bytes: u64) -> Result<&'a [u8], Stop> {
        self.room(len_bytes)?;
        // `room` has kept the sum under 64 MiB, so that it fits in any usize.
        let need = self.at.saturating_add(usize::try_from(len_bytes).unwrap_or(usize::MAX));
        let taken = self.bytes.get(self.at..need).ok_or(Stop::Short { need })?;
        self.at = need;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let need = self.at.saturating_add(N);
        self.take(N as u64)?.first_chunk().copied().ok_or(Stop::Short { need })
    }

    /// Four bytes, little-endian.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn u32(&mut self) -> Result<u32, Stop> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes, little-endian.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn u64(&mut self) -> Result<u64, Stop> {
        self.array().map(u64::from_le_bytes)
    }

    /// The bytes of a string: 8 bytes of length, then so many. `too_long` makes the error for a length above `limit_bytes`.
    ///
    /// # Errors
    /// As [`Self::take`]; also what `too_long` makes.
    pub fn string_bytes(
        &mut self,
        limit_bytes: u64,
        too_long: impl FnOnce(u64, u64) -> GgufError,
    ) -> Result<&'a [u8], Stop> {
        let at_bytes = self.position_bytes();
        let len_bytes = self.u64()?;
        if len_bytes > limit_bytes {
            return Err(too_long(at_bytes, len_bytes).into());
        }
        self.take(len_bytes)
    }

    /// A string in UTF-8. `what` says in words what the text is.
    ///
    /// # Errors
    /// As [`Self::string_bytes`]; also `NotUtf8`.
    pub fn string(
        &mut self,
        limit_bytes: u64,
        too_long: impl FnOnce(u64, u64) -> GgufError,
        what: impl FnOnce() -> String,
    ) -> Result<&'a str, Stop> {
        let at_bytes = self.position_bytes();
        std::str::from_utf8(self.string_bytes(limit_bytes, too_long)?)
            .map_err(|_| GgufError::NotUtf8 { at_bytes, what: what() }.into())
    }
}
