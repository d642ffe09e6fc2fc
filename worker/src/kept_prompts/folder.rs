//! The folder of kept prompts.

use std::cell::Cell;

use wasm_bindgen::JsValue;
use web_sys::{
    File as BrowserFile, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions,
};

use super::record::{File, Key, LEN_BYTES, RECORD_BYTES_MAX, Record, to_delete};
use crate::browser::{read_blob, root_folder, scope, settle};
use crate::hash::{Hash, digest};
use crate::store::{Handle, names_in, read_note, write_note};

const NAME: &str = "pith-prompts";
/// What all files may take unless the page says otherwise.
const BUDGET_BYTES: u64 = 512 << 20;
const SECRET: &str = "pith-secret";

thread_local! {
    static BUDGET: Cell<u64> = const { Cell::new(BUDGET_BYTES) };
}

/// The folder, open.
pub struct Folder(FileSystemDirectoryHandle);

/// A kept prompt.
pub struct Kept {
    pub name: String,
    pub record: Record,
    /// As it lies in the file.
    pub record_bytes: usize,
    blob: BrowserFile,
}

impl Kept {
    /// The contents of a page, unless they are not what was written.
    pub async fn page(&self, page: usize, into: &mut Vec<u8>) -> Option<()> {
        into.resize(usize::try_from(self.record.page_bytes).ok()?, 0);
        let read = read_blob(&self.blob, self.record.page_at(self.record_bytes, page), into).ok()?;
        let is_whole = read == into.len() && digest(into).await == *self.record.hashes.get(page)?;
        is_whole.then_some(())
    }
}

impl Folder {
    /// Opens it; with `create` it is made where there is none.
    pub async fn open(create: bool) -> Option<Folder> {
        let root = root_folder().await.ok()?;
        let options = FileSystemGetDirectoryOptions::new();
        options.set_create(create);
        settle(root.get_directory_handle_with_options(NAME, &options)).await.ok().map(Folder)
    }

    async fn names(&self) -> Vec<String> {
        names_in(&self.0).await.unwrap_or_default()
    }

    async fn blob(&self, name: &str) -> Option<BrowserFile> {
        let handle: FileSystemFileHandle = settle(self.0.get_file_handle(name)).await.ok()?;
        settle(handle.get_file()).await.ok()
    }

    /// All files.
    pub async fn files(&self) -> Vec<File> {
        let mut files = Vec::new();
        for name in self.names().await {
            if let Some(blob) = self.blob(&name).await {
                files.push(File { name, bytes: blob.size() as u64, used_ms: blob.last_modified() });
            }
        }
        files
    }

    /// The files for a model of which the record can be read.
    pub async fn kept(&self, key: &Key) -> Vec<Kept> {
        let prefix = Key::prefix(&key.model);
        let mut all = Vec::new();
        for name in self.names().await.into_iter().filter(|name| name.starts_with(&prefix)) {
            let Some(blob) = self.blob(&name).await else { continue };
            match read_record(&blob) {
                Some((record, record_bytes)) => all.push(Kept { name, record, record_bytes, blob }),
                // What another tab is writing cannot be deleted.
                None => self.delete(&name).await,
            }
        }
        all
    }

    /// A file to be written, which is made.
    pub async fn write(&self, name: &str) -> Option<Handle> {
        let options = FileSystemGetFileOptions::new();
        options.set_create(true);
        let handle = settle(self.0.get_file_handle_with_options(name, &options)).await.ok()?;
        Handle::open(handle).await.ok()
    }

    /// Notes that a file was used: it counts as written now.
    pub async fn touch(&self, kept: &Kept) {
        if let Some(file) = self.write(&kept.name).await {
            let _ = file.write_at(0, &(kept.record_bytes as u32).to_le_bytes());
        }
    }

    /// Deletes a file, or leaves it where another tab has it open.
    pub async fn delete(&self, name: &str) {
        let _ = settle::<JsValue>(self.0.remove_entry(name)).await;
    }

    /// Makes room for so many bytes. False where there is none.
    pub async fn make_room(&self, more_bytes: u64) -> bool {
        let budget_bytes = BUDGET.get();
        for name in to_delete(self.files().await, more_bytes, budget_bytes) {
            self.delete(&name).await;
        }
        more_bytes <= budget_bytes
    }
}

/// The record of a file, and its length.
fn read_record(blob: &BrowserFile) -> Option<(Record, usize)> {
    let mut len = [0; LEN_BYTES as usize];
    read_blob(blob, 0, &mut len).ok().filter(|read| *read == len.len())?;
    let len = u32::from_le_bytes(len) as usize;
    if len == 0 || len > RECORD_BYTES_MAX || len as f64 > blob.size() {
        return None;
    }
    let mut text = vec![0; len];
    read_blob(blob, LEN_BYTES, &mut text).ok()?;
    Some((Record::read(&text)?, len))
}

/// What all files take.
pub async fn used_bytes() -> u64 {
    match Folder::open(false).await {
        Some(folder) => folder.files().await.iter().map(|file| file.bytes).sum(),
        None => 0,
    }
}

/// Changes what all files may take, and deletes those that are too many: all for 0.
pub async fn allow(bytes: u64) {
    BUDGET.set(bytes);
    if let Some(folder) = Folder::open(false).await {
        folder.make_room(0).await;
    }
}

/// Deletes what is kept for a model.
pub async fn forget(model: &Hash) {
    let Some(folder) = Folder::open(false).await else { return };
    let prefix = Key::prefix(model);
    for name in folder.names().await {
        if name.starts_with(&prefix) {
            folder.delete(&name).await;
        }
    }
}

/// What nobody can guess who does not know this machine's secret, but is the same for the same `what` at every start: 32 hexadecimal
/// digits. `None` where nothing can be kept.
pub async fn stable_nonce(what: &str) -> Option<String> {
    let secret = match read_note(SECRET).await.filter(|secret| secret.len() >= 64) {
        Some(secret) => secret,
        None => {
            let mut bytes = [0; 32];
            scope().crypto().ok()?.get_random_values_with_u8_array(&mut bytes).ok()?;
            let secret = Hash(bytes).to_string();
            write_note(SECRET, &secret).await?;
            secret
        }
    };
    let hash = digest(format!("{secret} {what}").as_bytes()).await.to_string();
    Some(hash.chars().take(32).collect())
}
