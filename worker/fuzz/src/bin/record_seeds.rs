//! Writes records in the states of a download, as seeds: `cargo run --release --bin record_seeds -- corpus/record`.

use std::path::PathBuf;

use pith_worker::hash::Hash;
use pith_worker::protocol::StoreKind;
use pith_worker::store::{BLOCK_BYTES, CHUNK_BYTES, Ledger, Record, Remote};

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    let new = || {
        let file = Remote { url: Some("https://e.org/m.gguf".into()), name: "m.gguf".into() };
        Record::new(&file, StoreKind::Opfs, 1.0)
    };
    let begun =
        |len_bytes| Record { ledger: Ledger::new(Some(len_bytes)), etag: Some("\"a\"".into()), ..new() };
    let mut open = begun(3 * CHUNK_BYTES + 5);
    open.ledger.add_chunk(1, Hash([1; 32]));
    open.ledger.add_block(0, Hash([2; 32]));
    let mut whole = begun(BLOCK_BYTES);
    whole.ledger.add_chunk(0, Hash([3; 32]));
    whole.ledger.hash_on(b"the file");
    let mut damaged = whole.clone();
    damaged.ledger.judge(0, Hash([3; 32]), false);
    let refused = Record { expected: Some(Hash([4; 32])), ..whole.clone() };
    let named = Record { title: Some("M".into()), pinned: true, unwanted: true, ..whole.clone() };
    let all = [
        ("new", new()),
        ("open", open),
        ("whole", whole),
        ("damaged", damaged),
        ("refused", refused),
        ("named", named),
    ];
    std::fs::create_dir_all(&folder).expect("a folder that can be made");
    for (name, record) in all {
        // Behind the text some steps of a download.
        let steps = [0u8, 0, 20, 22, 1, 0, 7, 2, 1, 9, 4, 0, 1, 5, 0, 0, 6, 0, 2];
        // Without the seal, which no other text would fit.
        let text = record.text();
        let text = format!("{}}}", text.split(",\"seal\"").next().unwrap_or_default());
        std::fs::write(folder.join(name), [text.as_bytes(), &steps].concat())
            .expect("a file that can be written");
    }
}
