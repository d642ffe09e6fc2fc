//! What the browser stores for a site.

use js_sys::{Function, Reflect};
use wasm_bindgen::JsCast;
use web_sys::{FileSystemDirectoryHandle, StorageManager};

use super::exception::{Exception, settle};
use super::{property, scope};

/// `navigator.storage`; `None` on pages that are not served securely.
pub fn storage() -> Option<StorageManager> {
    let storage = property(&scope().navigator(), "storage");
    storage.is_object().then(|| storage.unchecked_into())
}

/// The origin private file system. It is asked for each time: the user may have cleared the site's data.
///
/// # Errors
/// What the browser says; `NotSupportedError` where it has no such files, or no way to open them at once.
pub async fn root_folder() -> Result<FileSystemDirectoryHandle, Exception> {
    let absent = |what: &str| Exception {
        name: "NotSupportedError".into(),
        message: format!("no {what}: the page is not served by https, or the browser is too old"),
    };
    let storage = storage().ok_or_else(|| absent("navigator.storage"))?;
    if !property(&storage, "getDirectory").is_function() {
        return Err(absent("getDirectory"));
    }
    let file = Reflect::get(&scope(), &"FileSystemFileHandle".into())?;
    let methods = file.dyn_ref::<Function>().map(|class| Reflect::get(class, &"prototype".into()));
    if !methods.is_some_and(|of| of.is_ok_and(|of| property(&of, "createSyncAccessHandle").is_function())) {
        return Err(absent("createSyncAccessHandle"));
    }
    settle(storage.get_directory()).await
}
