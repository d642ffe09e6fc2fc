/// Ends the name of a file that is not whole yet.
pub const PART_SUFFIX: &str = ".part";

const NAME_CHARS_MAX: usize = 80;

/// The name under which the file at `url` is stored: readable, safe in every file system, and different for every
/// address (the last part is a hash of the whole of it).
pub fn name_of_url(url: &str) -> String {
    let address = url.split(['?', '#']).next().unwrap_or_default();
    let last = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let stem = last.strip_suffix(".gguf").unwrap_or(last);
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    let readable: String = stem.chars().map(safe).take(NAME_CHARS_MAX).collect();
    format!("{readable}-{:016x}.gguf", fnv1a(url.as_bytes()))
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
            assert!(name.len() <= 120 && !name.ends_with(PART_SUFFIX), "{name}");
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
