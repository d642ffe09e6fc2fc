//! Tokenizers of real and made models, and walks over masks.
#![allow(dead_code)] // Each test crate uses a part.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pith_engine::gguf::{HeaderReader, Progress};
use pith_engine::tokenizer::Tokenizer;
use pith_grammar::{Format, Matcher, Vocabulary};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A model of the reference set.
pub fn reference(name: &str) -> PathBuf {
    root().join("engine/tests/reference/models").join(name)
}

/// The trained model that setup fetches, where it is there.
pub fn smollm2() -> Option<PathBuf> {
    let path = root().join(".cache/models/smollm2-135m-instruct-q4_1.gguf");
    path.is_file().then_some(path)
}

pub fn tokenizer(path: &Path) -> Arc<Tokenizer> {
    let bytes = std::fs::read(path).unwrap();
    let (mut reader, mut at) = (HeaderReader::new(Some(bytes.len() as u64)), 0);
    loop {
        let end = bytes.len().min(at + (1 << 20));
        match reader.push(&bytes[at..end]).unwrap() {
            Progress::Done(header) => return Arc::new(Tokenizer::from_metadata(&header.metadata).unwrap()),
            Progress::NeedMore { .. } => at = end,
        }
    }
}

/// As the worker makes it.
pub fn vocabulary(tokenizer: &Arc<Tokenizer>) -> Vocabulary {
    let (mut pieces, mut lens) = (Vec::new(), Vec::new());
    let all = tokenizer.pieces();
    for id in 0..tokenizer.vocab_len() as u32 {
        let before = pieces.len();
        if !tokenizer.is_end(id) {
            all.push(id, &mut pieces);
        }
        lens.push((pieces.len() - before) as u32);
    }
    let own = Arc::clone(tokenizer);
    let tokenize = move |text: &str| own.encode_continuation(text).unwrap();
    Vocabulary::new(&pieces, &lens, tokenizer.ends(), Box::new(tokenize)).unwrap()
}

/// A generator of numbers, the same for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }
}

/// What a walk came to.
#[derive(Debug)]
pub struct Walk {
    pub text: String,
    pub is_complete: bool,
    pub tokens: usize,
    pub forced: usize,
    /// How long each mask took.
    pub masks: Vec<Duration>,
}

/// Writes a text of tokens drawn at random from the masks; where the text may end it ends half of the time.
pub fn walk(
    matcher: &mut Matcher,
    tokenizer: &Tokenizer,
    random: &mut Random,
    tokens_max: usize,
) -> Result<Walk, pith_grammar::Fault> {
    let (pieces, mut bytes) = (tokenizer.pieces(), Vec::new());
    let (mut tokens, mut forced_tokens, mut masks) = (0, 0, Vec::new());
    let mut is_complete = false;
    while tokens < tokens_max && !is_complete {
        if matcher.is_complete() {
            is_complete = true;
            break;
        }
        let forced = matcher.forced();
        forced_tokens += forced.len();
        for id in &forced {
            assert!(matcher.allows(*id)?, "a forced token is not allowed");
            matcher.accept(*id)?;
            pieces.push(*id, &mut bytes);
            tokens += 1;
        }
        if matcher.is_complete() {
            continue;
        }
        let start = Instant::now();
        let mask = matcher.mask()?;
        masks.push(start.elapsed());
        let is_in = |id: u32| mask[id as usize / 32] >> (id % 32) & 1 == 1;
        let ends: Vec<u32> = tokenizer.ends().iter().copied().filter(|&end| is_in(end)).collect();
        if !ends.is_empty() && random.below(2) == 0 {
            matcher.accept(ends[0])?;
            is_complete = true;
            break;
        }
        let allowed: Vec<u32> =
            (0..tokenizer.vocab_len() as u32).filter(|&id| is_in(id) && !tokenizer.is_end(id)).collect();
        for _ in 0..4 {
            let id = random.below(tokenizer.vocab_len()) as u32;
            assert_eq!(matcher.allows(id)?, is_in(id), "mask and single answer differ about token {id}");
        }
        let Some(&id) = allowed.get(random.below(allowed.len().max(1))) else {
            matcher.accept(ends[0])?;
            is_complete = true;
            break;
        };
        matcher.accept(id)?;
        pieces.push(id, &mut bytes);
        tokens += 1;
    }
    let text =
        if is_complete { String::from_utf8(bytes).expect("a complete text is UTF-8") } else { String::new() };
    Ok(Walk { text, is_complete, tokens, forced: forced_tokens, masks })
}

pub fn compile(vocabulary: &Vocabulary, schema: &str) -> Matcher {
    vocabulary.compile(Format::JsonSchema, schema).unwrap()
}
