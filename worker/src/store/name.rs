use pith_engine::gguf::split_names;

use crate::split::addresses;

const NAME_CHARS_MAX: usize = 80;

/// A file to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Where it is; `None` for a local file.
    pub url: Option<String>,
    /// What it is called in the store.
    pub name: String,
}

/// The files of the model at `url` with the names under which they are stored: readable, safe in every file system, and
/// different for every address (they have a hash of the whole of it). Those of a split model have the first one's hash,
/// so that each tells the names of the others.
pub fn remotes(url: &str) -> Vec<Remote> {
    let urls = addresses(url);
    let count = urls.len();
    let Some(first) = urls.first().filter(|_| count > 1).cloned() else {
        return vec![Remote { url: Some(url.into()), name: format!("{}.gguf", stem(url, ".gguf")) }];
    };
    let stem = stem(&first, &format!("-00001-of-{count:05}.gguf"));
    let name = |i: usize| format!("{stem}-{:05}-of-{count:05}.gguf", i + 1);
    urls.into_iter().enumerate().map(|(i, url)| Remote { url: Some(url), name: name(i) }).collect()
}

/// The names under which local files are kept, of which `len_bytes` and names are known: the same files get the same
/// names. Those of a split model, in order, are told apart from other files as those at an address are.
pub fn kept_names(files: &[(String, u64)]) -> Vec<Remote> {
    let all: String = files.iter().map(|(name, len_bytes)| format!("{name} {len_bytes}\n")).collect();
    let hash = format!("{:016x}", fnv1a(all.as_bytes()));
    let count = files.len();
    let name = |(at, (name, _)): (usize, &(String, u64))| {
        let part = if count > 1 { format!("-{:05}-of-{count:05}.gguf", at + 1) } else { ".gguf".into() };
        let stem = readable(name.strip_suffix(&part).unwrap_or(name));
        Remote { url: None, name: format!("{stem}-{hash}{part}") }
    };
    files.iter().enumerate().map(name).collect()
}

/// The readable name of a file without its ending, and the hash of its address.
fn stem(url: &str, ending: &str) -> String {
    let address = url.split(['?', '#']).next().unwrap_or_default();
    let last = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let stem = readable(last.strip_suffix(ending).unwrap_or(last));
    format!("{stem}-{:016x}", fnv1a(url.as_bytes()))
}

fn readable(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    name.chars().map(safe).take(NAME_CHARS_MAX).collect()
}

/// The names of all files of the stored model that is called `name`.
pub fn names_of_model(name: &str) -> Vec<String> {
    split_names(name).unwrap_or_else(|| vec![name.into()])
}

/// 64-bit FNV-1a: stable between versions, which the standard library's hasher does not promise.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of_url(url: &str) -> String {
        let remotes = remotes(url);
        assert_eq!(remotes.len(), 1, "{url}");
        assert_eq!(remotes[0].url.as_deref(), Some(url));
        remotes[0].name.clone()
    }

    #[test]
    fn files_of_a_split_model_stay_together() {
        let url = |i: u32| format!("https://e.org/Model-Q8_0-0000{i}-of-00003.gguf?x");
        let all = remotes(&url(2));
        assert_eq!(all, remotes(&url(1)));
        assert_eq!(
            all.iter().flat_map(|file| file.url.clone()).collect::<Vec<_>>(),
            [url(1), url(2), url(3)]
        );
        let hash = format!("{:016x}", fnv1a(url(1).as_bytes()));
        let name = |i: u32| format!("Model-Q8_0-{hash}-0000{i}-of-00003.gguf");
        assert_eq!(all.iter().map(|file| file.name.clone()).collect::<Vec<_>>(), [name(1), name(2), name(3)]);
        assert_eq!(names_of_model(&name(3)), [name(1), name(2), name(3)]);
        assert_eq!(names_of_model("a.gguf"), ["a.gguf"]);
    }

    #[test]
    fn kept_files_have_stable_names() {
        let file = |name: &str| (name.to_string(), 7);
        let one = kept_names(&[file("my model.gguf")]);
        assert!(one[0].name.starts_with("my_model-") && one[0].name.ends_with(".gguf"), "{}", one[0].name);
        assert_eq!(one, kept_names(&[file("my model.gguf")]));
        assert_ne!(one, kept_names(&[("my model.gguf".into(), 8)]));
        let two = kept_names(&[file("m-00001-of-00002.gguf"), file("m-00002-of-00002.gguf")]);
        assert_eq!(names_of_model(&two[1].name), [two[0].name.clone(), two[1].name.clone()]);
    }

    #[test]
    fn names_are_readable_safe_and_different() {
        let name = name_of_url("https://example.org/a/Model-Q8_0.gguf?download=true");
        assert!(name.starts_with("Model-Q8_0-") && name.ends_with(".gguf"), "{name}");
        assert_ne!(name, name_of_url("https://example.org/b/Model-Q8_0.gguf?download=true"));
        for hostile in [
            "https://example.org/..%2f..",
            "x:/",
            "",
            "https://e.org/\u{202e}a/b\\c\0d.part",
            &"z".repeat(5000),
        ] {
            let name = name_of_url(hostile);
            assert!(name.len() <= 120 && name.ends_with(".gguf"), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)), "{name}");
        }
        // The name is a promise to files that are on disks already.
        assert_eq!(
            name_of_url("https://example.org/m.gguf"),
            format!("m-{:016x}.gguf", fnv1a(b"https://example.org/m.gguf"))
        );
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
