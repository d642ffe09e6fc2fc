//! A fixtures folder, and models from its files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pith_engine::backend::Device;
use pith_engine::gguf::{Header, HeaderReader, Progress, split_names};
use pith_engine::planner::Transfer;
use pith_engine::runtime::{LoadOptions, Loading, Model};
use serde_json::Value;

pub type Anyhow<T> = Result<T, Box<dyn std::error::Error>>;

/// A fixtures folder.
pub struct Fixtures {
    pub dir: PathBuf,
    pub manifest: Value,
}

impl Fixtures {
    pub fn open(dir: &Path) -> Anyhow<Fixtures> {
        let path = dir.join("manifest.json");
        let manifest = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let manifest = serde_json::from_slice(&manifest)?;
        Ok(Fixtures { dir: dir.to_owned(), manifest })
    }

    pub fn section(&self, name: &str) -> Vec<Value> {
        self.manifest[name].as_array().cloned().unwrap_or_default()
    }

    /// Where a record's file lies, or all files of a split model.
    pub fn paths(&self, record: &Value) -> Anyhow<Vec<PathBuf>> {
        let names: Vec<String> = match &record["files"] {
            Value::Array(files) => {
                files.iter().filter_map(|f| f["file"].as_str().map(str::to_owned)).collect()
            }
            _ => {
                let name = record["file"].as_str().ok_or("no file is named")?;
                split_names(name).unwrap_or_else(|| vec![name.to_owned()])
            }
        };
        Ok(names.iter().map(|name| self.dir.join(name)).collect())
    }

    /// The bytes of a record's file, or of all files of a split model.
    pub fn files(&self, record: &Value) -> Anyhow<Vec<Vec<u8>>> {
        read_all(&self.paths(record)?)
    }

    /// A file of little-endian f32.
    pub fn floats(&self, file: &str) -> Anyhow<Vec<f32>> {
        let bytes = fs::read(self.dir.join(file)).map_err(|e| format!("{file}: {e}"))?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }
}

/// The bytes of files.
pub fn read_all(paths: &[PathBuf]) -> Anyhow<Vec<Vec<u8>>> {
    let read = |path: &PathBuf| fs::read(path).map_err(|e| format!("{}: {e}", path.display()).into());
    paths.iter().map(read).collect()
}

/// Reads the header of a file as it would arrive from a network.
pub fn read_header(bytes: &[u8]) -> Anyhow<Header> {
    let mut reader = HeaderReader::new(Some(bytes.len() as u64));
    for chunk in bytes.chunks(64 << 10) {
        if let Progress::Done(header) = reader.push(chunk)? {
            return Ok(*header);
        }
    }
    Err(io::Error::other("the header does not end").into())
}

/// One header for all files of a model.
pub fn read_headers(files: &[Vec<u8>]) -> Anyhow<Header> {
    let headers = files.iter().map(|bytes| read_header(bytes)).collect::<Anyhow<Vec<_>>>()?;
    Ok(Header::join(headers)?)
}

/// Loads a model from the bytes of its files.
pub async fn load(
    files: &[Vec<u8>],
    header: &Header,
    device: &Device,
    options: &LoadOptions,
) -> Anyhow<Model> {
    let mut loading = Loading::start(header, device, options).await?;
    while let Some(transfer) = loading.next() {
        loading.accept(bytes_of(files, transfer)?)?;
    }
    Ok(loading.finish().await?)
}

/// The bytes of a transfer.
pub fn bytes_of<'a>(files: &'a [Vec<u8>], transfer: &Transfer) -> Anyhow<&'a [u8]> {
    let (file, at) =
        (files.get(transfer.file).ok_or("a transfer of no file")?, transfer.offset_bytes as usize);
    Ok(file.get(at..at + transfer.len_bytes).ok_or("a transfer outside its file")?)
}

/// The ids of a list in JSON.
pub fn ids_of(v: &Value) -> Vec<u32> {
    v.as_array().into_iter().flatten().filter_map(|v| v.as_u64().map(|v| v as u32)).collect()
}
