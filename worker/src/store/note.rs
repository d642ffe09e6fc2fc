//! Small files of the worker's own, beside the folder of models. They only save time: whatever goes wrong with one is
//! the same as not having it.

use web_sys::{FileSystemFileHandle, FileSystemGetFileOptions};

use super::opfs::{Handle, at};
use crate::browser::{root_folder, settle};

/// More than any note has.
const NOTE_BYTES_MAX: usize = 64 << 10;

async fn open(name: &str, create: bool) -> Option<Handle> {
    let root = root_folder().await.ok()?;
    let options = FileSystemGetFileOptions::new();
    options.set_create(create);
    let handle: FileSystemFileHandle =
        settle(root.get_file_handle_with_options(name, &options)).await.ok()?;
    Handle::open(handle).await.ok()
}

impl Handle {
    /// Writes at a place of the file. `None` where not all of it was written.
    pub fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> Option<()> {
        let written = self.0.write_with_u8_array_and_options(bytes, &at(offset_bytes)).ok()?;
        (written as usize == bytes.len()).then_some(())
    }
}

/// The text of a note.
pub async fn read_note(name: &str) -> Option<String> {
    let file = open(name, false).await?;
    let len_bytes = file.0.get_size().ok()? as usize;
    let mut bytes = vec![0; len_bytes.min(NOTE_BYTES_MAX)];
    let read = file.0.read_with_u8_array_and_options(&mut bytes, &at(0)).ok()? as usize;
    (read == len_bytes).then(|| String::from_utf8(bytes).ok()).flatten()
}

/// Writes a note.
pub async fn write_note(name: &str, text: &str) -> Option<()> {
    let file = open(name, true).await?;
    file.0.truncate_with_f64(0.0).ok()?;
    file.write_at(0, text.as_bytes())?;
    file.0.flush().ok()
}
