//! Any address, and any answer of its server: no panic; the names under which files are stored are safe and tell each other;
//! no answer makes a file longer than a file can be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pith_worker::download::answer::{Answer, Meaning};
use pith_worker::store::{LEN_BYTES_MAX, Ledger, kept_names, names_of_model, remotes};

const NAME_CHARS_MAX: usize = 140;

// A line each: the address, and what the server says.
fuzz_target!(|input: &[u8]| {
    let [status @ .., _, _] = input else { return };
    let status = 100 + u16::from(status.first().copied().unwrap_or_default()) * 2;
    let text = String::from_utf8_lossy(&input[2..]);
    let mut lines = text.split('\n');
    let url = lines.next().unwrap_or_default();
    let files = remotes(url);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    names.iter().for_each(|name| is_safe(name));
    assert_eq!(names_of_model(names[0]), names);
    let kept = kept_names(&[(url.to_owned(), u64::from(status)), (text.to_string(), 1)]);
    kept.iter().for_each(|file| is_safe(&file.name));
    assert_ne!(kept[0].name, kept[1].name);

    let mut said = || lines.next().filter(|line| !line.is_empty()).map(str::to_owned);
    let answer = Answer {
        status,
        range: said(),
        length: said(),
        encoding: said(),
        etag: said(),
        modified: said(),
        retry_after: said(),
        linked_etag: said(),
    };
    if let Meaning::Bytes { len_bytes: Some(len_bytes), .. } | Meaning::Beyond(Some(len_bytes)) =
        answer.meaning(input.len() as u64)
    {
        let mut ledger = Ledger::new(None);
        assert_eq!(ledger.learn_len(len_bytes), len_bytes <= LEN_BYTES_MAX);
    }
    let _ = answer.is_of_another(answer.etag.as_deref(), answer.modified.as_deref());
});

/// A name that every file system takes, and that leads nowhere else.
fn is_safe(name: &str) {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    assert!(name.chars().all(safe) && name.chars().count() <= NAME_CHARS_MAX, "{name}");
    assert!(name.ends_with(".gguf") && name.len() > ".gguf".len(), "{name}");
}
