//! README's table of what runs is what the registries say. UPDATE=1 writes it.

use std::fmt::Write;
use std::path::Path;

use pith_engine::formats::FORMATS;
use pith_engine::models::ARCHS;
use pith_engine::plan::{Act, CacheFormat, RopePairs};

const BEGIN: &str = "<!-- support: written by engine/tests/sources/support_table.rs -->\n";
const END: &str = "<!-- /support -->\n";

/// Widths of columns make no difference to a reader of the page, and noise in a change.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

fn formats() -> String {
    let rows = FORMATS.iter().map(|format| {
        let bits = 8.0 * format.block_bytes as f64 / format.block_len as f64;
        let block = format!("{} in {}", format.block_len, format.block_bytes);
        vec![format.name.to_owned(), format!("{bits:.2}").trim_end_matches(".00").to_owned(), block]
    });
    table(&["format", "bits per weight", "block: values in bytes"], rows)
}

fn architectures() -> String {
    let rows = ARCHS.iter().map(|arch| {
        let positions = match arch.rope {
            RopePairs::Half => "RoPE, NeoX pairs",
            RopePairs::Adjacent => "RoPE, interleaved pairs",
            RopePairs::None => "learned",
        };
        let act = match arch.act {
            Act::Silu => "SiLU",
            Act::Gelu => "GELU",
            Act::ReluSquared => "ReLU, squared",
            Act::BoundedSilu => "SiLU, bounded",
        };
        let sees = if arch.causal { "causal" } else { "bidirectional" };
        vec![format!("`{}`", arch.name), sees.to_owned(), positions.to_owned(), act.to_owned()]
    });
    table(&["architecture", "attention", "positions", "activation"], rows)
}

fn support() -> String {
    let caches = CacheFormat::ALL.map(|cache| cache.name().to_uppercase()).join(", ");
    format!(
        "{} weight formats and {} architectures, each on all backends: WebGPU, WebGL2, and the CPU (SIMD). A file may mix \
         formats. The KV\ncache is stored as {caches}.\n\n{}\n\
         For each architecture the table lists what its GGUF files do not state. The rest is read from the file: the \
         mixers of each layer\n(full or sliding-window attention, gated delta net, Mamba-2, short convolution), experts, biases, norms, \
         RoPE scaling.\n\n{}",
        FORMATS.len(),
        ARCHS.len(),
        formats(),
        architectures()
    )
}

#[test]
fn the_support_table_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("README has no place for the table");
    let (_, after) = rest.split_once(END).expect("the table has no end");
    let wanted = format!("{before}{BEGIN}\n{}\n{END}{after}", support());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap();
    assert!(found == wanted, "README is stale: run UPDATE=1 cargo test -p pith-engine --test support_table");
}
