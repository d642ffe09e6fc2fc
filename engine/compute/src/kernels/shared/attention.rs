//! What is known of a cell of the KV cache.

use crate::plan::{CacheFormat, PAGE_TOKENS};

/// The constants of a cell of the KV cache.
pub(crate) fn cell_consts(format: CacheFormat, head_len: usize) -> [(&'static str, String); 5] {
    [
        ("HEAD", format!("{head_len}u")),
        ("PAGE", format!("{PAGE_TOKENS}u")),
        ("PER_WORD", format!("{}u", format.values_per_word())),
        ("CODE_WORDS", format!("{}u", format.code_words(head_len))),
        ("SCALE_WORDS", format!("{}u", format.scale_words(head_len))),
    ]
}

#[cfg(feature = "webgl2")]
pub(crate) use webgl2::*;

#[cfg(feature = "webgl2")]
mod webgl2 {
    use crate::plan::{Kv, PAGE_TOKENS};
    use crate::shaders::{Const, uint};

    /// The same for GLSL.
    pub(crate) fn cell_blocks(kv: &Kv) -> [(&'static str, Const); 7] {
        let scales = kv.format.scale_words(kv.head_len);
        [
            ("PAGE", uint(PAGE_TOKENS)),
            ("CELLS", uint(kv.cells())),
            ("PER_WORD", uint(kv.format.values_per_word())),
            ("CODE_WORDS", uint(kv.format.code_words(kv.head_len))),
            ("SCALE_WORDS", uint(scales)),
            ("SCALE_ROW", uint(kv.scale_words())),
            ("RUNS", uint(if scales == 0 { 2 } else { 4 })),
        ]
    }
}
